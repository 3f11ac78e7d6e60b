#include "nika/protocols/ibft/ibft.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> ibft_runner() { return runner_for<ibft::Ibft>(); }

}  // namespace nika
