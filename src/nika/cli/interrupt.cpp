#include "nika/cli/interrupt.hpp"

#include <csignal>

namespace nika::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// The signal may arrive twice at once: from the terminal and from a parent that passes it on.
constexpr int kPatience = 3;
std::atomic<int> count{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  if (count.fetch_add(1, std::memory_order_relaxed) + 1 < kPatience) return;
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
