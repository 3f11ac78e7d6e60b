#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> bv_broadcast_runner() { return runner_for<bv_broadcast::BvBroadcast>(); }

}  // namespace nika
