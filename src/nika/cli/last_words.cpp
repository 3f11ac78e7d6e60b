#include "nika/cli/last_words.hpp"

#include <gmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>
#include <system_error>

#include "nika/base/sanitized.hpp"
#include "nika/cli/console.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {
namespace {

constexpr const char* kOutOfMemory = "out of memory: ask for less at once, or let it use more";

// Without any allocation: there may be nothing left to allocate. Several threads may come here at once; one speaks.
[[noreturn]] void leave(std::string_view words) {
  static std::atomic_flag said;
  std::array<char, 256> line{};
  std::size_t size = 0;
  for (const std::string_view part : {program_name(), std::string_view(": "), words, std::string_view("\n")}) {
    size += part.copy(line.data() + size, line.size() - size);
  }
  while (said.test_and_set()) pause();  // until the one who speaks ends the process
  // If it cannot be written there is nobody left to tell.
  [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, line.data(), size);
  std::_Exit(kExitInternal);
}

// Solvers do not survive an allocation that fails everywhere: some crash on their way out. Then memory was the reason.
std::atomic<bool> ran_out{false};

void note_that_memory_ran_out() {
  ran_out.store(true);
  std::set_new_handler(nullptr);  // and std::bad_alloc is thrown
}

bool is_short_of_memory() {
  constexpr std::size_t kSome = std::size_t{64} << 20U;  // a solver's largest array, when it grows
  if (ran_out.load()) return true;
  void* memory = mmap(nullptr, kSome, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  munmap(memory, kSome);
  return false;
}

[[noreturn]] void on_terminate() {
  if (is_short_of_memory()) leave(kOutOfMemory);
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
      leave(kOutOfMemory);
    } catch (...) {
      leave("internal error: an exception was not caught");
    }
  }
  leave("internal error: the program was asked to terminate");
}

extern "C" void on_crash(int) { leave(is_short_of_memory() ? kOutOfMemory : "internal error: the program crashed"); }

// The stack may be what has run out, so the words are spoken on another one.
void catch_crashes() {
  static std::array<char, 1U << 16U> stack;
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

// GMP may be told where to get memory, but an exception must not pass through it.
void* allocate(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) leave(kOutOfMemory);
  return memory;
}

void* reallocate(void* memory, std::size_t, std::size_t size) {
  void* larger = std::realloc(memory, size);
  if (larger == nullptr) leave(kOutOfMemory);
  return larger;
}

void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void install_last_words() {
  std::set_terminate(on_terminate);
  std::set_new_handler(note_that_memory_ran_out);
  if (!kSanitized) catch_crashes();  // a sanitizer tells more of a crash than one line
  mp_set_memory_functions(allocate, reallocate, release);
}

std::string last_words(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kOutOfMemory;
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
    return "no further thread can be started: ask for fewer, or let it use more memory";
  }
  return std::string("internal error: ") + error.what();
}

}  // namespace nika::cli
