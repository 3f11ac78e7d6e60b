#include "nika/cli/interrupt.hpp"

#include <csignal>
#include <ctime>

namespace nika::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// The signal may arrive twice at once: from the terminal and from a parent that passes it on. That is one.
constexpr long long kAtOnceMilliseconds = 300;
std::atomic<long long> first{0};
static_assert(std::atomic<long long>::is_always_lock_free);

// A handler of signals may ask for it.
long long milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1 + static_cast<long long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

extern "C" void note_interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  const long long now = milliseconds_now();
  long long before = 0;
  if (first.compare_exchange_strong(before, now) || now - before < kAtOnceMilliseconds) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that goes away; who asked to outlive it, as nohup does, does.
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  return interrupted;
}

}  // namespace nika::cli
