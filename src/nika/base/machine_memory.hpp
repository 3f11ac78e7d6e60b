// How much memory there is to use: what limits are chosen from when the user gives none.
#pragma once

#include <cstdint>
#include <filesystem>

namespace nika {

// The least of what the machine has available, what the control groups of this process leave it, and what the limit of
// its address space does. A system that tells none of these is taken to have 1 GiB. `root` is where /proc and /sys are
// looked for.
std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

// Half of what is available, and at least 64 MiB.
std::uint64_t default_memory_bytes();

// What this process holds in memory; 0 if the system does not tell.
std::uint64_t used_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace nika
