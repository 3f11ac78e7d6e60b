#include "nika/sim/outcome.hpp"

namespace nika {

void set_heal_leaders(LeaderTable& leaders, unsigned scheduled_rounds, std::span<const Identity> heal_leaders) {
  std::size_t turn = 0;
  for (unsigned round = scheduled_rounds + 1; round < leaders.size(); ++round) {
    leaders[round] = heal_leaders.empty() ? IdentitySet{} : IdentitySet::single(heal_leaders[turn]);
    if (++turn >= heal_leaders.size()) turn = 0;
  }
}

}  // namespace nika
