#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> xrp_lcp_runner() { return runner_for<xrp_lcp::XrpLcp>(); }

}  // namespace nika
