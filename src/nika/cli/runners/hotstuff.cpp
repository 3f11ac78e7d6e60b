#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"

namespace nika::cli {

std::unique_ptr<Runner> hotstuff_runner() { return runner_for<hotstuff::HotStuff>(); }

}  // namespace nika::cli
