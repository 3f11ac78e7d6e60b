// nika reproduce liveness: the experiment of "Liveness Checking of the HotStuff Protocol Family", beside the paper's
// tables.
#pragma once

#include "nika/campaign/registry.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

struct LivenessArguments {
  std::uint64_t scenarios = 10'000;
  std::string protocol;  // all three if empty
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool json = false;
};

Result<int> reproduce_liveness(const LivenessArguments& arguments, const Registry& registry);

}  // namespace nika::cli
