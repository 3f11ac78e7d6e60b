// The same work on several threads at once. Whatever goes wrong on one of them, memory that runs out included, comes
// back to the caller as an exception when all have ended; nothing is lost and nothing ends the process.
#pragma once

#include <atomic>
#include <functional>

namespace nika {

// Runs work(0) to work(count - 1), the first on the calling thread and each other one on a thread of its own, and waits
// for all of them. If any throws, `stop` is set so that the others may end early, and the exception of the lowest
// number is thrown again. A thread that cannot be started is such an exception too (std::system_error).
void run_on_threads(unsigned count, const std::function<void(unsigned)>& work, std::atomic<bool>* stop = nullptr);

}  // namespace nika
