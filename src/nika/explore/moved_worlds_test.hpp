// What proofs of loops rest on: worlds whose rounds are moved go on to the moved worlds. A test of any protocol; the
// protocols are in several files because each takes long to compile.
#pragma once

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/explore/loop.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {

// Partitions, leaders and orders at random, then a healed network.
template <Protocol P>
Scenario random_scenario(Random& random, unsigned rounds) {
  Scenario scenario;
  scenario.protocol = P::kName;
  scenario.copies = {static_cast<std::uint8_t>(1 + random.below(2))};
  scenario.client_count = client_count<P>();
  const unsigned seats = 3U + scenario.copies[0];
  for (unsigned r = 0; r < rounds; ++r) {
    RoundPlan plan;
    plan.leaders = {static_cast<Identity>(random.below(4))};
    for (unsigned s = 0; s < seats; ++s) plan.partition.block_of[s] = static_cast<std::uint8_t>(random.below(2));
    for (unsigned s = seats; s < seats + scenario.client_count; ++s)
      plan.partition.block_of[s] = Partition::kEverywhere;
    plan.partition.normalize(seats + scenario.client_count);
    if (random.below(2) == 0) plan.order = Order::reversed(seats);
    scenario.rounds.push_back(plan);
  }
  scenario.heal_rounds = 8;
  for (unsigned i = 0; i < 4; ++i) scenario.heal_leaders.push_back(static_cast<Identity>(i));
  return scenario;
}

template <Protocol P>
class MovedWorlds : public testing::Test {
 protected:
  // Runs the scenario, and from the world after each round a copy whose rounds are moved; both come to worlds of one
  // name as long as nothing is decided. How many worlds were compared.
  unsigned compare(const Scenario& scenario, std::uint32_t bugs, unsigned old_gap) {
    Cluster cluster = cluster_of(scenario, P::kBugs).value();
    cluster.bugs = bugs;
    RecordedSchedule recorded(scenario);
    RepeatedRounds rounds(recorded, cluster.seat_count, scenario.horizon(), 4);
    RepeatedRounds moved_rounds(recorded, cluster.seat_count, scenario.horizon(), 4);
    RoundNetwork<P> network(cluster, {});
    RoundNetwork<P> moved_network(cluster, {});
    moved_network.attend(moved_rounds);
    unsigned compared = 0;
    for (unsigned from = 1; from < scenario.horizon(); ++from) {
      network.start(world_, rounds);
      while (world_.network_round.number < from) network.advance(world_, rounds);
      moved_.copy_from(world_, cluster.seats());
      if (!bring_into_form(moved_, network.contexts(), gaps_, old_gap) || moved_.network_round == world_.network_round)
        continue;
      moved_rounds.renumber(static_cast<int>(from) - moved_.network_round.number, !kIsBroadcast<P>);
      const Height top = world_.commits.top();
      while (world_.network_round.number < scenario.horizon()) {
        network.advance(world_, rounds);
        moved_network.advance(moved_, moved_rounds);
        if (cluster.client_count() > 0 && world_.commits.top() != top) break;  // clients count their requests
        const auto name = names_.name_of(world_, network.contexts());
        const auto moved_name = names_.name_of(moved_, moved_network.contexts());
        EXPECT_EQ(name.has_value(), moved_name.has_value());
        EXPECT_TRUE(name == moved_name) << P::kName << " from round " << from << " in round "
                                        << int{world_.network_round.number};
        if (name != moved_name) return compared;
        ++compared;
      }
    }
    return compared;
  }

 private:
  World<P> world_{};
  World<P> moved_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
};

TYPED_TEST_SUITE_P(MovedWorlds);

TYPED_TEST_P(MovedWorlds, GoOnToTheMovedWorlds) {
  Random random(11);
  unsigned compared = 0;
  const std::uint32_t bugs = (1U << TypeParam::kBugs.size()) - 1U;
  for (unsigned run = 0; run < 200 && !this->HasFailure(); ++run) {
    const Scenario scenario = random_scenario<TypeParam>(random, 4 + run % 8);
    compared += this->compare(scenario, run % 2 == 0 ? 0 : bugs, run % 3 == 0 ? 2 : 11);
  }
  EXPECT_GT(compared, 200U);
}

REGISTER_TYPED_TEST_SUITE_P(MovedWorlds, GoOnToTheMovedWorlds);

}  // namespace nika
