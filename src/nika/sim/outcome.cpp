#include "nika/sim/outcome.hpp"

namespace nika {

void set_heal_leaders(LeaderTable& leaders, unsigned scheduled_rounds, std::span<const Identity> heal_leaders) {
  for (unsigned round = scheduled_rounds + 1; round < leaders.size(); ++round) {
    const unsigned turn = round - scheduled_rounds - 1;
    leaders[round] =
        heal_leaders.empty() ? IdentitySet{} : IdentitySet::single(heal_leaders[turn % heal_leaders.size()]);
  }
}

}  // namespace nika
