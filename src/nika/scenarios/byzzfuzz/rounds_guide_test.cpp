#include "nika/scenarios/byzzfuzz/rounds_guide.hpp"

#include <gtest/gtest.h>

namespace nika::byzzfuzz {
namespace {

Settings settings_of(unsigned lies, unsigned outages) {
  Settings settings;
  settings.protocol = "made-up";
  settings.lies = lies;
  settings.outages = outages;
  settings.last_round = 12;
  settings.protocol_rounds = 3;
  settings.leaves = {{{"block", LeafType::kValue, LeafType::kValue}}, {}};
  return settings;
}

Draw drawn(const RoundsGuide& guide, std::uint64_t number) {
  Draw draw;
  Draw scratch;
  guide.draw(number, draw, scratch);
  return draw;
}

// Everything reaches one state, after some protocol rounds.
void learn(RoundsGuide& guide, std::uint64_t first, unsigned protocol_rounds) {
  guided::Reached reached;
  reached.rounds = 1;
  reached.protocol_rounds = protocol_rounds;
  reached.held = 1234;
  guide.learn(first, std::vector<std::vector<guided::Reached>>(RoundsGuide::kGeneration, {reached}));
}

// What is in force up to a protocol round.
bool agree_until(const Draw& one, const Draw& other, unsigned last) {
  const auto early = [&](const Draw& draw) {
    std::vector<Outage> outages{draw.outages.begin(), draw.outages.end()};
    std::vector<Lie> lies = draw.lies;
    std::erase_if(outages, [&](const Outage& outage) { return outage.protocol_round > last; });
    std::erase_if(lies, [&](const Lie& lie) { return lie.protocol_round > last; });
    return std::pair(outages, lies);
  };
  return one.rotation == other.rotation && one.order == other.order && early(one) == early(other);
}

TEST(RoundsGuide, KeepsWhatReachedAStateUpToItsRound) {
  const FuzzGenerator generator(settings_of(4, 4));
  RoundsGuide guide(generator);
  std::vector<Draw> first;
  for (unsigned i = 0; i < 4; ++i) first.push_back(drawn(guide, i));
  learn(guide, 0, 6);
  unsigned continued = 0;
  unsigned differ = 0;
  for (std::uint64_t i = RoundsGuide::kGeneration; i < 2 * RoundsGuide::kGeneration; ++i) {
    const Draw draw = drawn(guide, i);
    const auto goes_on = [&](const Draw& kept) { return agree_until(kept, draw, 6); };
    const auto from = std::ranges::find_if(first, goes_on);
    if (from == first.end()) continue;
    ++continued;
    if (!agree_until(*from, draw, 12)) ++differ;
  }
  EXPECT_EQ(continued, 230U);  // nine of ten, of four ways to the state
  EXPECT_EQ(differ, 230U);     // what comes later is drawn anew
}

TEST(RoundsGuide, LearnsNothingFromWhatHappensBeforeTheFirstFaults) {
  Settings settings = settings_of(4, 4);
  settings.first_round = 7;
  const FuzzGenerator generator(settings);
  RoundsGuide guide(generator);
  const Draw before = drawn(guide, RoundsGuide::kGeneration);
  learn(guide, 0, 6);
  EXPECT_TRUE(agree_until(before, drawn(guide, RoundsGuide::kGeneration), 12));
}

// Of the twelve rounds a third begins a fault, which lasts two rounds in the mean unless the last round cuts it off.
TEST(RoundsGuide, DrawsFaultsThatLast) {
  const FuzzGenerator generator(settings_of(0, 4));
  const RoundsGuide guide(generator);
  unsigned outages = 0;
  unsigned go_on = 0;
  unsigned isolations = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Draw draw = drawn(guide, i);
    EXPECT_TRUE(draw.lies.empty());
    for (std::size_t k = 0; k < draw.outages.size(); ++k) {
      const Outage& outage = draw.outages[k];
      ASSERT_GE(outage.protocol_round, 1U);
      ASSERT_LE(outage.protocol_round, 12U);
      ++outages;
      if (k > 0 && draw.outages[k - 1].partition == outage.partition) ++go_on;
      const std::size_t one =
          std::ranges::count(std::span(outage.partition.block_of).first(4), outage.partition.block_of[0]);
      if (outage.partition.block_count(4) == 2 && (one == 1 || one == 3)) ++isolations;
    }
  }
  EXPECT_NEAR(outages, 7300, 300);
  EXPECT_NEAR(go_on, outages / 2, 400);
  EXPECT_GT(isolations, outages / 2);
}

TEST(RoundsGuide, WithoutLiarsDrawsNoLies) {
  Settings settings = settings_of(4, 0);
  settings.faults = 0;
  const FuzzGenerator generator(settings);
  const RoundsGuide guide(generator);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(drawn(guide, i).lies.empty());
    EXPECT_TRUE(drawn(guide, i).outages.empty());
  }
}

}  // namespace
}  // namespace nika::byzzfuzz
