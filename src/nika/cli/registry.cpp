#include "nika/cli/registry.hpp"

#include "nika/cli/runners/runners.hpp"

namespace nika::cli {

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
  return registry;
}

}  // namespace nika::cli
