#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> two_phase_hotstuff_runner() { return runner_for<hotstuff::TwoPhaseHotStuff>(); }

}  // namespace nika
