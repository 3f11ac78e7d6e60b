#include "nika/campaign/allocations.hpp"

#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NIKA_HAS_OTHER_NEW
#endif
#endif

namespace {

thread_local std::uint64_t counter = 0;

}  // namespace

#ifndef NIKA_HAS_OTHER_NEW
void* operator new(std::size_t size) {
  ++counter;
  for (;;) {
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
// The library's own calls the one above; a sanitizer brings another, which would not fit the delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace nika {

std::uint64_t allocation_count() { return counter; }

bool counts_allocations() {
#ifdef NIKA_HAS_OTHER_NEW
  return false;
#else
  return true;
#endif
}

}  // namespace nika
