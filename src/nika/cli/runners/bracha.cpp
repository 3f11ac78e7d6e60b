#include "nika/campaign/runner_for.hpp"
#include "nika/cli/runners/runners.hpp"
#include "nika/protocols/bracha/bracha.hpp"

namespace nika::cli {

std::unique_ptr<Runner> bracha_runner() { return runner_for<bracha::Bracha>(); }

}  // namespace nika::cli
