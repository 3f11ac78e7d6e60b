// Loops in any order of arrival against every permutation of every batch, for any protocol; the protocols are in
// several files because each takes long to compile.
#pragma once

#include <gtest/gtest.h>

#include "nika/campaign/loops.hpp"
#include "nika/explore/loop.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {

// The first loop that is proved.
template <Protocol P>
std::optional<Loop> loop_of(const Scenario& scenario, const Cluster& cluster) {
  const auto search = std::make_unique<LoopSearch<P>>(cluster);
  for (const LoopPart& part : loop_parts_of(scenario)) {
    RecordedSchedule schedule(scenario);
    const auto loop = search->find(schedule, part);
    if (loop && loop->proved) return loop;
  }
  return std::nullopt;
}

// All n! orders of each batch at each honest receiver, whatever they lead to.
template <Protocol P>
class EveryPermutation final : public Arranger<P> {
 public:
  using typename Arranger<P>::Letters;
  explicit EveryPermutation(const RoundNetwork<P>& network) : honest_(network.cluster().honest_seats()) {}
  void begin() { depth_ = 0; }
  bool next() {
    while (!path_.empty() && path_.back().first + 1 == path_.back().second) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().first;
    return true;
  }
  bool is_incomplete() const { return false; }

  void arrange(const World<P>&, Seat receiver, Letters letters) override {
    if (!honest_.contains(receiver)) return;
    std::size_t count = 1;
    for (std::size_t i = 2; i <= letters.size(); ++i) count *= i;
    if (depth_ == path_.size()) path_.emplace_back(0, count);
    std::size_t number = path_[depth_++].first;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      std::swap(letters[i], letters[i + number % (letters.size() - i)]);
      number /= letters.size() - i;
    }
  }

 private:
  const SeatSet honest_;
  std::vector<std::pair<std::size_t, std::size_t>> path_;
  std::size_t depth_ = 0;
};

struct Tried {
  bool holds = false;
  std::size_t worlds = 0;
  std::size_t runs = 0;
};

template <Protocol P, class Orders>
Tried tried(const Scenario& scenario, const Cluster& cluster, const Loop& loop) {
  RecordedSchedule schedule(scenario);
  RepeatedRounds rounds(schedule, cluster.seat_count, loop.part.last, loop.part.period);
  rounds.repeat(loop.first_round, loop.length);
  const auto network = std::make_unique<RoundNetwork<P>>(cluster, Properties{});
  const auto world = std::make_unique<World<P>>();
  network->start(*world, rounds);
  for (unsigned round = 1; round < loop.first_round; ++round) EXPECT_TRUE(network->advance(*world, rounds));
  const auto any = std::make_unique<AnyOrder<P, Orders>>(*network, rounds, loop, 16);
  Tried result;
  result.holds = any->holds_from(*world);
  result.worlds = any->worlds();
  result.runs = any->runs();
  return result;
}

// Nothing if there is no loop, or there are too many permutations.
template <Protocol P>
Tried compare(const Scenario& scenario) {
  const Cluster cluster = cluster_of(scenario, P::kBugs).value();
  const auto loop = loop_of<P>(scenario, cluster);
  if (!loop) return {};
  const Tried few = tried<P, ArrivalPermutations<P>>(scenario, cluster, *loop);
  const Tried all = tried<P, EveryPermutation<P>>(scenario, cluster, *loop);
  if (all.runs > AnyOrder<P>::kMaxRuns) return {};
  EXPECT_EQ(few.holds, all.holds) << P::kName;
  EXPECT_TRUE(!few.holds || few.worlds == all.worlds) << P::kName << ": " << few.worlds << ", " << all.worlds;
  EXPECT_LE(few.runs, all.runs);
  return few;
}

template <class P>
class AnyOrderOf : public testing::Test {};
TYPED_TEST_SUITE_P(AnyOrderOf);

// Two and three nodes that drop one kind of message for ever, so that batches are small enough for every permutation.
TYPED_TEST_P(AnyOrderOf, AProtocolIsThatOfEveryPermutation) {
  constexpr unsigned kKinds = std::variant_size_v<typename TypeParam::Message>;
  unsigned compared = 0;
  for (const unsigned nodes : {2U, 3U}) {
    for (unsigned kind = 0; kind < kKinds; ++kind) {
      Scenario scenario;
      scenario.protocol = TypeParam::kName;
      scenario.node_count = static_cast<std::uint8_t>(nodes);
      scenario.fault_count = 0;
      scenario.rounds.resize(2);
      scenario.rounds[0].leaders = {Identity{0}};
      scenario.rounds[1].leaders = {Identity{1}};
      scenario.rules = {Rule{.kinds = 1U << kind}};
      compared += compare<TypeParam>(scenario).holds ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 4U);
}

REGISTER_TYPED_TEST_SUITE_P(AnyOrderOf, AProtocolIsThatOfEveryPermutation);

}  // namespace nika
