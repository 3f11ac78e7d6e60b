#include "nika/cli/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace nika::cli {
namespace {

// In a process of its own: the flag stays set.
[[noreturn]] void leave_after(int signal) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  std::raise(signal);
  std::_Exit(interrupted ? 10 : 11);
}

TEST(Interrupt, EachSignalThatAsksToEndIsARequestToStop) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(leave_after(signal), ::testing::ExitedWithCode(10), "") << signal;
  }
}

// A terminal sends it to all, and a parent may pass it on.
TEST(Interrupt, TwoAtOnceAreOne) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGINT);
        leave_after(SIGINT);
      },
      ::testing::ExitedWithCode(10), "");
}

TEST(Interrupt, WhoIgnoresTheTerminalOutlivesIt) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        leave_after(SIGHUP);
      },
      ::testing::ExitedWithCode(11), "");
}

}  // namespace
}  // namespace nika::cli
