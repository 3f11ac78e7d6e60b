// Counts the allocations of the program that it is linked into, by replacing the global operator new.
#pragma once

#include <cstdint>

namespace nika {

std::uint64_t allocation_count();

}  // namespace nika
