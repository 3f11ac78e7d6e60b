#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"

namespace nika::cli {

std::unique_ptr<Runner> linear_pbft_runner() { return runner_for<linear_pbft::LinearPbft>(); }

}  // namespace nika::cli
