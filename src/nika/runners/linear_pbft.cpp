#include "nika/protocols/linear_pbft/linear_pbft.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> linear_pbft_runner() { return runner_for<linear_pbft::LinearPbft>(); }

}  // namespace nika
