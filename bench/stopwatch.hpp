// Processor and wall-clock time since it was made.
#pragma once

#include <chrono>
#include <ctime>

namespace nika::bench {

class Stopwatch {
 public:
  double wall_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
  }
  double processor_seconds() const { return static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC; }

 private:
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  std::clock_t processor_ = std::clock();
};

}  // namespace nika::bench
