#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/fab/fab.hpp"

namespace nika::cli {

std::unique_ptr<Runner> fab_runner() { return runner_for<fab::Fab>(); }

}  // namespace nika::cli
