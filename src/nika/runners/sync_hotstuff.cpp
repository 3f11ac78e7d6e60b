#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> sync_hotstuff_runner() { return runner_for<sync_hotstuff::SyncHotStuff>(); }

}  // namespace nika
