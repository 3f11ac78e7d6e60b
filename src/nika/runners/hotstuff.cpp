#include "nika/protocols/hotstuff/hotstuff.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> hotstuff_runner() { return runner_for<hotstuff::HotStuff>(); }

}  // namespace nika
