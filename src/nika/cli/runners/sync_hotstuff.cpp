#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

namespace nika::cli {

std::unique_ptr<Runner> sync_hotstuff_runner() { return runner_for<sync_hotstuff::SyncHotStuff>(); }

}  // namespace nika::cli
