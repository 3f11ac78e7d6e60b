// Asynchronous runs of PBFT, compiled apart from all others.
#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/pbft/pbft.hpp"

namespace nika {

template class StepSession<pbft::Pbft>;

}  // namespace nika
