#include "nika/base/threads.hpp"

#include <exception>
#include <thread>
#include <vector>

namespace nika {

void run_on_threads(unsigned count, const std::function<void(unsigned)>& work, std::atomic<bool>* stop) {
  if (count == 0) return;
  std::vector<std::exception_ptr> failures(count);
  const auto guarded = [&](unsigned number, const std::function<void(unsigned)>& body) {
    try {
      body(number);
    } catch (...) {
      failures[number] = std::current_exception();
      if (stop != nullptr) stop->store(true);
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(count - 1);
  for (unsigned number = 1; number < count; ++number) {
    guarded(number, [&](unsigned i) { threads.emplace_back([&guarded, &work, i] { guarded(i, work); }); });
    if (threads.size() < number) break;  // it could not be started; the next would not be either
  }
  guarded(0, threads.size() + 1 == count ? work : [](unsigned) {});
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace nika
