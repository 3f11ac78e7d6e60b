// nika reproduce verification: section 3.2 and Figure 5 of "Formal Verification of Blockchain Byzantine Fault
// Tolerance" (Tholoniat and Gramoli, arXiv 1909.07453), ours beside the paper's. Never says that two automata are the
// same: each row tells what differs.
#pragma once

#include <string>

#include "nika/base/result.hpp"

namespace nika::cli {

struct VerificationArguments {
  std::string models = "models";  // the directory of Nika's own models
  std::string paper;              // a directory with the paper's two files; empty: without them
  unsigned threads = 0;           // one for each core
  bool json = false;
};

Result<int> reproduce_verification(const VerificationArguments& arguments);

}  // namespace nika::cli
