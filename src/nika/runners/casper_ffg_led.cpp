#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/casper_ffg/casper_ffg.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> casper_ffg_led_runner() { return runner_for<casper_ffg::CasperFfgLed>(); }

}  // namespace nika
