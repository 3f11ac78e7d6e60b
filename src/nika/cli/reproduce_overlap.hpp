// nika reproduce overlap: how much unique node lists must overlap, counted for two lists of 7 to 10 nodes, beside what
// three papers say.
#pragma once

#include "nika/campaign/registry.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

struct OverlapArguments {
  unsigned nodes = 0;  // 0: 7 to 10
  unsigned threads = 0;
  bool json = false;
};

Result<int> reproduce_overlap(const OverlapArguments& arguments, const Registry& registry);

}  // namespace nika::cli
