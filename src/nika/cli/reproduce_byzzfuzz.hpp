// nika reproduce byzzfuzz: Tables 2, 3 and 5 of "Randomized Testing of Byzantine Fault Tolerant Algorithms", ours
// beside the paper's.
#pragma once

#include "nika/campaign/registry.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

struct ByzzFuzzArguments {
  std::uint64_t runs = 0;  // as many as the paper
  std::string protocol;    // all if empty
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::string sampling = "uniform";
  bool json = false;
};

Result<int> reproduce_byzzfuzz(const ByzzFuzzArguments& arguments, const Registry& registry);

}  // namespace nika::cli
