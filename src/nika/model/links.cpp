#include "nika/model/links.hpp"

namespace nika {

Links links_of(const Partition& partition, unsigned seat_count) {
  Links links;
  links.component_count = partition.block_count(seat_count);
  for (unsigned b = 0; b < links.component_count; ++b) links.components[b] = partition.block(b, seat_count);
  links.reach = reach_of(partition, seat_count);
  // Through a seat that is in every block, all blocks interact.
  if (!partition.everywhere(seat_count).empty()) {
    links.components = {SeatSet::first(seat_count)};
    links.component_count = 1;
  }
  return links;
}

Links full_links(unsigned seat_count) { return links_of(Partition{}, seat_count); }

void set_heal_leaders(LeaderTable& leaders, unsigned scheduled_rounds, std::span<const Identity> turns) {
  std::size_t turn = 0;
  for (unsigned round = scheduled_rounds + 1; round < leaders.size(); ++round) {
    leaders[round] = turns.empty() ? IdentitySet{} : IdentitySet::single(turns[turn]);
    if (++turn >= turns.size()) turn = 0;
  }
}

}  // namespace nika
