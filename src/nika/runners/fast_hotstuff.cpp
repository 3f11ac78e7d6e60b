#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> fast_hotstuff_runner() { return runner_for<fast_hotstuff::FastHotStuff>(); }

}  // namespace nika
