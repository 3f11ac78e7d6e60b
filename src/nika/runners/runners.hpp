// The runners of the protocols that come with nika. Each is made in a file of its own, since a runner takes long to
// compile.
#pragma once

#include <memory>

#include "nika/campaign/runner.hpp"

namespace nika {

std::unique_ptr<Runner> diembft_runner();
std::unique_ptr<Runner> bracha_runner();
std::unique_ptr<Runner> fast_hotstuff_runner();
std::unique_ptr<Runner> hotstuff_runner();
std::unique_ptr<Runner> two_phase_hotstuff_runner();
std::unique_ptr<Runner> fab_runner();
std::unique_ptr<Runner> zyzzyva_runner();
std::unique_ptr<Runner> linear_pbft_runner();
std::unique_ptr<Runner> linear_pbft_third_phase_runner();
std::unique_ptr<Runner> sync_hotstuff_runner();
std::unique_ptr<Runner> tendermint_runner();
std::unique_ptr<Runner> pbft_runner();
std::unique_ptr<Runner> ibft_runner();
std::unique_ptr<Runner> xrp_lcp_runner();
std::unique_ptr<Runner> bv_broadcast_runner();
std::unique_ptr<Runner> dbft_runner();
std::unique_ptr<Runner> one_step_runner();
std::unique_ptr<Runner> mmr14_runner();
std::unique_ptr<Runner> mmr14_conf_runner();
std::unique_ptr<Runner> honeybadger_acs_runner();
std::unique_ptr<Runner> casper_ffg_runner();
std::unique_ptr<Runner> casper_ffg_led_runner();

}  // namespace nika
