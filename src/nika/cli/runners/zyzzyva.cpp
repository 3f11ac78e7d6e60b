#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::cli {

std::unique_ptr<Runner> zyzzyva_runner() { return runner_for<zyzzyva::Zyzzyva>(); }

}  // namespace nika::cli
