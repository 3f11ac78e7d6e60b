#include "nika/protocols/dbft/dbft.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> dbft_runner() { return runner_for<dbft::Dbft>(); }

}  // namespace nika
