// Who hears whom in a network round, as plain masks, so that the inner loop looks nothing up; and who leads when.
#pragma once

#include <array>

#include "nika/model/scenario.hpp"

namespace nika {

// The links of one network round.
struct Links {
  Reach reach{};                                // whom each seat can send to, itself included
  std::array<SeatSet, kMaxSeats> components{};  // sets of seats that cannot interact with any other set
  unsigned component_count = 0;
};

Links links_of(const Partition& partition, unsigned seat_count);
Links full_links(unsigned seat_count);

// Leaders of every round, so that a replica may look ahead without bounds checks.
using LeaderTable = std::array<IdentitySet, 256>;

// Leaders of the rounds after the scheduled ones, in turn; nobody if `turns` is empty.
void set_heal_leaders(LeaderTable& leaders, unsigned scheduled_rounds, std::span<const Identity> turns);

}  // namespace nika
