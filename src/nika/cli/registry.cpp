#include "nika/cli/registry.hpp"

#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::cli {

Registry built_in_protocols() {
  Registry registry;
  registry.add<diembft::DiemBft>();
  registry.add<bracha::Bracha>();
  registry.add<fast_hotstuff::FastHotStuff>();
  registry.add<hotstuff::HotStuff>();
  registry.add<hotstuff::TwoPhaseHotStuff>();
  registry.add<fab::Fab>();
  registry.add<zyzzyva::Zyzzyva>();
  registry.add<linear_pbft::LinearPbft>();
  registry.add<linear_pbft::LinearPbftThirdPhase>();
  registry.add<sync_hotstuff::SyncHotStuff>();
  return registry;
}

}  // namespace nika::cli
