#include "nika/campaign/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t counter = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++counter;
  for (;;) {
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace nika {

std::uint64_t allocation_count() { return counter; }

}  // namespace nika
