#include "nika/protocols/tendermint/tendermint.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> tendermint_runner() { return runner_for<tendermint::Tendermint>(); }

}  // namespace nika
