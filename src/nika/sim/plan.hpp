// A scenario made ready to run: for each network round the links, the order and the leaders as plain masks, so that the
// inner loop looks nothing up. A plan is built once and shared by all runs that use the same rounds.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nika/model/protocol.hpp"
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

// The faults of a scenario besides its partitions; the same in every run of a Twins campaign.
struct Faults {
  std::vector<Rule> rules;
  std::vector<Crash> crashes;
};

// Rules without a last round end with the scheduled rounds.
Faults faults_of(const Scenario& scenario);

struct Envelope {
  Round round{};  // the network round in which the message was sent
  Kind kind = 0;
  Seat from{};
  Seat to{};
};

struct Fate {
  Action action = Action::kDeliver;
  std::uint8_t delay_ticks = 0;
};

// The adversary: the first rule that matches decides, then the links of the round. Pure.
Fate fate_of(std::span<const Rule> rules, const Links& links, const Envelope& envelope);

}  // namespace nika
