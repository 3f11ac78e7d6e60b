// Counts allocations, to show that a run makes none. A program that asks has its global operator new replaced by one
// that counts and is otherwise the same; who never asks is not linked with it.
#pragma once

#include <cstdint>

namespace nika {

// Of the calling thread, so far.
std::uint64_t allocation_count();
// False in a program under a sanitizer of threads, which has an operator new of its own.
bool counts_allocations();

}  // namespace nika
