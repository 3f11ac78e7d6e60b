#include "nika/protocols/pbft/pbft.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

extern template class StepSession<pbft::Pbft>;  // in pbft_steps.cpp: together they compile for too long

std::unique_ptr<Runner> pbft_runner() { return runner_for<pbft::Pbft>(); }

}  // namespace nika
