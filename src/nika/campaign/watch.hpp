// How long something has taken so far, for budgets and reports; never for results.
#pragma once

#include <chrono>

namespace nika {

class Watch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace nika
