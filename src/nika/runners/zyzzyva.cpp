#include "nika/protocols/zyzzyva/zyzzyva.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> zyzzyva_runner() { return runner_for<zyzzyva::Zyzzyva>(); }

}  // namespace nika
