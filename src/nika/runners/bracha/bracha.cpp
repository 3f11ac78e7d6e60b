#include "nika/protocols/bracha/bracha.hpp"

#include "nika/runners/bracha/searches.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> bracha_runner() { return runner_for<bracha::Bracha>(); }

}  // namespace nika
