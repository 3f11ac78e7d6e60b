#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> linear_pbft_third_phase_runner() { return runner_for<linear_pbft::LinearPbftThirdPhase>(); }

}  // namespace nika
