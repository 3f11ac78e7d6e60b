#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/diembft/diembft.hpp"

namespace nika::cli {

std::unique_ptr<Runner> diembft_runner() { return runner_for<diembft::DiemBft>(); }

}  // namespace nika::cli
