#include "nika/campaign/coin_session.hpp"
#include "nika/protocols/mmr/mmr.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

std::unique_ptr<Runner> mmr14_conf_runner() { return coin_runner_for<mmr::Mmr14Conf>(); }

}  // namespace nika
