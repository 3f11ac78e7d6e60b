#include "nika/cli/registry.hpp"

#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

namespace nika::cli {

Registry built_in_protocols() {
  Registry registry;
  registry.add<diembft::DiemBft>();
  registry.add<bracha::Bracha>();
  registry.add<linear_pbft::LinearPbft>();
  registry.add<linear_pbft::LinearPbftThirdPhase>();
  registry.add<sync_hotstuff::SyncHotStuff>();
  return registry;
}

}  // namespace nika::cli
