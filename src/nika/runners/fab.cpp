#include "nika/protocols/fab/fab.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> fab_runner() { return runner_for<fab::Fab>(); }

}  // namespace nika
