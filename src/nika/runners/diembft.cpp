#include "nika/protocols/diembft/diembft.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> diembft_runner() { return runner_for<diembft::DiemBft>(); }

}  // namespace nika
