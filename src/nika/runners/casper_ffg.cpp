#include "nika/protocols/casper_ffg/casper_ffg.hpp"

#include "nika/campaign/runner_for.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> casper_ffg_runner() { return runner_for<casper_ffg::CasperFfg>(); }

}  // namespace nika
