#include "nika/protocols/one_step/one_step.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> one_step_runner() { return runner_for<one_step::OneStep>(); }

}  // namespace nika
