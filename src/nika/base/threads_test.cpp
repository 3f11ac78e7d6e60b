#include "nika/base/threads.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace nika {
namespace {

TEST(RunOnThreads, EachNumberIsRunOnceOnAThreadOfItsOwn) {
  std::mutex mutex;
  std::multiset<unsigned> numbers;
  std::set<std::thread::id> threads;
  const auto note = [&](unsigned number) {
    const std::lock_guard lock(mutex);
    numbers.insert(number);
    threads.insert(std::this_thread::get_id());
  };
  run_on_threads(4, note);
  EXPECT_EQ(numbers, (std::multiset<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 1U);
}

TEST(RunOnThreads, OneIsRunOnTheCallersThreadAndNoneNotAtAll) {
  int runs = 0;
  const auto count = [&](unsigned) { ++runs; };
  run_on_threads(1, count);
  EXPECT_EQ(runs, 1);
  run_on_threads(0, count);
  EXPECT_EQ(runs, 1);
}

TEST(RunOnThreads, MemoryThatRunsOutOnAnyThreadIsThrownToTheCaller) {
  for (unsigned where = 0; where < 4; ++where) {
    std::atomic<int> ended = 0;
    EXPECT_THROW(run_on_threads(4,
                                [&](unsigned number) {
                                  if (number == where) throw std::bad_alloc();
                                  ++ended;
                                }),
                 std::bad_alloc);
    EXPECT_EQ(ended, 3);
  }
}

TEST(RunOnThreads, TheExceptionOfTheLowestNumberIsTheOneThatIsThrown) {
  for (int i = 0; i < 20; ++i) {
    try {
      run_on_threads(4, [](unsigned number) {
        if (number > 0) throw std::runtime_error(std::to_string(number));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
  }
}

TEST(RunOnThreads, TheOthersAreAskedToStop) {
  std::atomic<bool> stop = false;
  const auto work = [&](unsigned number) {
    if (number == 2) throw std::bad_alloc();
    while (!stop.load()) std::this_thread::yield();
  };
  EXPECT_THROW(run_on_threads(3, work, &stop), std::bad_alloc);
  EXPECT_TRUE(stop.load());
}

}  // namespace
}  // namespace nika
