// nika verify --check DIR: has the other solver confirm a certificate, query by query.
#pragma once

#include <string>

#include "nika/base/result.hpp"
#include "nika/smt/solver.hpp"

namespace nika::cli {

struct CheckRequest {
  std::string directory;
  smt::Budget budget;
  bool json = false;
};

// The exit code: 0 confirmed; 1 refuted: a file was changed, or the other solver finds what should not exist; 3
// unknown, for lack of time or because nothing in it holds. An error if it is no certificate, or not all of one.
Result<int> run_check(const CheckRequest& request);

}  // namespace nika::cli
