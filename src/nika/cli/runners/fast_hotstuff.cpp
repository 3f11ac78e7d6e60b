#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

namespace nika::cli {

std::unique_ptr<Runner> fast_hotstuff_runner() { return runner_for<fast_hotstuff::FastHotStuff>(); }

}  // namespace nika::cli
