// Standard output whose errors are noticed: a closed pipe or a full disk neither ends a command nor passes for success.
#pragma once

#include <cstdio>

namespace nika::cli {

// While it lives, what is printed on `stdout` goes through it.
class CheckedOutput {
 public:
  CheckedOutput();
  ~CheckedOutput();
  CheckedOutput(const CheckedOutput&) = delete;
  CheckedOutput& operator=(const CheckedOutput&) = delete;

  // Writes what is pending. The error number of the first write that failed, 0 if none did.
  int finish();

 private:
  std::FILE* original_;
  std::FILE* checked_;
  int first_error_ = 0;
};

}  // namespace nika::cli
