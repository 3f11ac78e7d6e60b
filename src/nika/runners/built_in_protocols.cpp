#include "nika/runners/built_in_protocols.hpp"

#include "nika/base/require.hpp"
#include "nika/protocols/binary/properties.hpp"
#include "nika/protocols/casper_ffg/accountability.hpp"
#include "nika/protocols/honeybadger/common_subset.hpp"
#include "nika/protocols/one_step/handover.hpp"
#include "nika/runners/runners.hpp"

namespace nika {

Registry built_in_protocols() {
  Registry registry;
  registry.add(diembft_runner());
  registry.add(bracha_runner());
  registry.add(fast_hotstuff_runner());
  registry.add(hotstuff_runner());
  registry.add(two_phase_hotstuff_runner());
  registry.add(fab_runner());
  registry.add(zyzzyva_runner());
  registry.add(linear_pbft_runner());
  registry.add(linear_pbft_third_phase_runner());
  registry.add(sync_hotstuff_runner());
  registry.add(tendermint_runner());
  registry.add(pbft_runner());
  registry.add(ibft_runner());
  registry.add(xrp_lcp_runner());
  registry.add(bv_broadcast_runner());
  registry.add(dbft_runner());
  registry.add(one_step_runner());
  registry.add(mmr14_runner());
  registry.add(mmr14_conf_runner());
  registry.add(honeybadger_acs_runner());
  registry.add(casper_ffg_runner());
  registry.add(casper_ffg_led_runner());
  registry.add(binary::kJustification);
  registry.add(binary::kObligation);
  registry.add(one_step::kHandover);
  registry.add(honeybadger::kCommonSubset);
  registry.add(casper_ffg::kAccountableSafety);
  return registry;
}

const Runner& built_in_protocol(std::string_view name) {
  static const Registry registry = built_in_protocols();
  const auto found = registry.find(name);
  NIKA_REQUIRE(found.has_value());
  return **found;
}

}  // namespace nika
