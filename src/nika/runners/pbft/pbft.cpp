#include "nika/protocols/pbft/pbft.hpp"

#include "nika/runners/pbft/searches.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> pbft_runner() { return runner_for<pbft::Pbft>(); }

}  // namespace nika
