// The inner loop allocates nothing: this program counts every call of the global operator new.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "allocations.hpp"
#include "nika/base/random.hpp"
#include "nika/campaign/runner_for.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"
#include "nika/sim/simulator.hpp"
#include "nika/sim/timed_simulator.hpp"

namespace nika {
namespace {

using diembft::DiemBft;
using sync_hotstuff::SyncHotStuff;

TEST(Simulator, NothingIsAllocatedInARun) {
  const std::array<std::uint8_t, 1> copies{2};
  const Cluster cluster = *make_cluster(4, copies);
  Simulator<DiemBft> simulator(cluster, {});
  simulator.leaders.fill(IdentitySet{Identity{0}});
  auto world = std::make_unique<World<DiemBft>>();
  Random random(3);
  std::vector<Links> links;
  for (unsigned i = 0; i < 64; ++i) {
    Partition partition;
    for (unsigned s = 0; s < 5; ++s) partition.block_of[s] = static_cast<std::uint8_t>(random.below(2));
    partition.normalize(5);
    links.push_back(links_of(partition, 5));
  }
  const Order order = Order::fifo();
  const std::uint64_t before = allocation_count();
  for (unsigned run = 0; run < 1000; ++run) {
    simulator.start(*world);
    for (unsigned r = 0; r < 10; ++r) simulator.run_round(*world, links[random.below(64)], order, false);
    ASSERT_FALSE(world->overflowed);
  }
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_GT(simulator.delivered_count, 100'000U);
}

TEST(TimedSimulator, NothingIsAllocatedInARun) {
  Scenario scenario;
  scenario.node_count = 5;
  scenario.fault_count = 2;
  scenario.copies = {2, 2};
  scenario.rounds.resize(2);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.rounds[1].leaders = {Identity{1}};
  scenario.heal_leaders = {Identity{2}};
  scenario.timing = Timing{2, 60, 1};
  scenario.rules.resize(1);
  scenario.rules[0].from = {Seat{0}, Seat{5}};
  scenario.rules[0].to = {Seat{3}};
  const Cluster cluster = cluster_of(scenario, SyncHotStuff::kBugs).value();
  TimedSimulator<SyncHotStuff> simulator(cluster, scenario);
  auto world = std::make_unique<TimedWorld<SyncHotStuff>>();
  const std::uint64_t before = allocation_count();
  for (unsigned run = 0; run < 100; ++run) {
    simulator.run(*world);
    ASSERT_FALSE(world->overflowed);
    ASSERT_GT(world->commits.top(), Height(1));
  }
  EXPECT_EQ(allocation_count() - before, 0U);
}

TEST(PhaseSweep, NothingIsAllocatedInARun) {
  twins::Settings settings{.protocol = "diembft", .at_most = true, .order = twins::OrderChoice::kSampled};
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  settings.step3 = {twins::Selection::Kind::kRandom, 1000};
  const RunnerFor<DiemBft> runner;
  const auto sampler = phases::Sampler::make(settings, static_cast<unsigned>(runner.kinds().size()));
  ASSERT_TRUE(sampler.has_value());
  const auto sweeper = runner.sweeper(*sampler, {true, true});
  ASSERT_TRUE(sweeper.has_value());
  const std::uint64_t before = allocation_count();
  std::uint64_t delivered = 0;
  for (Wide i = 0; i < sampler->size(); ++i) delivered += (*sweeper)->run({}, i).delivered;
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_GT(delivered, 10'000U);
}

TEST(Allocations, AreCounted) {
  const std::uint64_t before = allocation_count();
  const auto memory = std::make_unique<int>(1);
  EXPECT_EQ(*memory, 1);
  EXPECT_EQ(allocation_count() - before, 1U);
}

}  // namespace
}  // namespace nika
