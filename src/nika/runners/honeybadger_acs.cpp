#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/honeybadger/acs.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> honeybadger_acs_runner() { return runner_for<honeybadger::Acs>(); }

}  // namespace nika
