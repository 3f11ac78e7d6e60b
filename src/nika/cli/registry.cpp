#include "nika/cli/registry.hpp"

#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::cli {

Registry built_in_protocols() {
  Registry registry;
  registry.add<diembft::DiemBft>();
  registry.add<bracha::Bracha>();
  registry.add<fab::Fab>();
  registry.add<zyzzyva::Zyzzyva>();
  return registry;
}

}  // namespace nika::cli
