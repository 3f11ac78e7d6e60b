// What properties about progress remember of a run: how far honest seats were when the network began to heal, who was
// down since, and whether its healing is fair, which is that all honest nodes lead. Plain state for their monitors.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct HealingWatch {
  Height top_before{};             // that an honest seat had committed before the network healed
  std::uint8_t honest_turns = 0;   // healing rounds led by honest nodes, in rows long enough for a decision
  std::uint8_t row = 0;            // how many honest nodes have led in a row
  std::uint8_t honest_rounds = 0;  // healing rounds that nobody but honest nodes led
  SeatSet down{};                  // at some time while it healed
  IdentitySet led{};               // who led such turns since the last time that every honest node had
  std::uint16_t honest_ticks = 0;  // of a timed run: in healing views that honest nodes led
  std::uint16_t last_tick = 0;     // that was seen
  Round last_view{};               // that was seen
  std::uint8_t fair_turns = 0;     // how often every honest node has led such turns since the last time that all had

  void passed(const Sight& sight);

  // From now on, with nobody having led: what all seats have decided before counts no more.
  void begin_anew(const Sight& sight);
  // How many turns of honest nodes the protocol asks for until all have decided, and whether the schedule has them yet.
  static unsigned needed_turns(const Sight& sight);
  bool can_be_judged_yet(const Sight& sight) const;

  // Who is faulty as far as progress is concerned.
  IdentitySet faulty(const Sight& sight) const;
  // Honest seats that owe something: where clients decide, they do.
  SeatSet obliged(const Sight& sight) const {
    const Cluster& cluster = sight.cluster;
    if (cluster.client_count() > 0) return cluster.client_seats() - down - sight.amnesiac;
    return cluster.seats_of_identities(cluster.identities() - faulty(sight));
  }

  // Why nothing can be said about progress yet, if so: kJudged if it can.
  Unjudged obstacle(const Sight& sight) const;

 private:
  void count_turns(const Sight& sight);
  void count_ticks(const Sight& sight);
  // Every honest node leads as often as if they took turns for as many rounds as the protocol asks for.
  bool is_fair(const Sight& sight, unsigned rounds) const;
  Unjudged obstacle_in_time(const Sight& sight) const;
  // Whether somebody still says different things in different places.
  bool is_anybody_two_faced(const Sight& sight) const;
};

}  // namespace nika
