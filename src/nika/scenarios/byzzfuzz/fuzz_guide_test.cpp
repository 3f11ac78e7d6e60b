#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"

#include <gtest/gtest.h>

namespace nika::byzzfuzz {
namespace {

Settings settings_of(unsigned lies, unsigned outages) {
  Settings settings;
  settings.protocol = "made-up";
  settings.lies = lies;
  settings.outages = outages;
  settings.protocol_rounds = 3;
  settings.leaves = {{{"block", LeafType::kValue, LeafType::kValue}, {"proof", LeafType::kAtomic, LeafType::kValue}},
                     {}};
  return settings;
}

FuzzGenome proposed(const FuzzGuide& guide, std::uint64_t number) {
  FuzzGenome genome;
  Draw scratch;
  guide.propose(number, genome, scratch);
  return genome;
}

Draw draw_of(const FuzzGuide& guide, const FuzzGenome& genome) {
  Draw draw;
  Draw scratch;
  guide.draw_of(genome, draw, scratch);
  return draw;
}

// A generation in which the configuration at each position reaches one state.
std::vector<FuzzTrial> trials_of(const FuzzGuide& guide, std::span<const guided::Reached> reached) {
  std::vector<FuzzTrial> trials;
  for (std::size_t i = 0; i < reached.size(); ++i) trials.push_back({proposed(guide, i), {reached[i]}});
  return trials;
}

TEST(FuzzGuide, ProposesBlindDrawsUntilItHasSomethingToTakeUp) {
  const FuzzGenerator generator(settings_of(2, 2));
  FuzzGuide guide(generator);
  const auto expect_blind = [&](std::uint64_t number) {
    const FuzzGenome genome = proposed(guide, number);
    Draw blind;
    generator.draw(number, blind);
    const Draw draw = draw_of(guide, genome);
    EXPECT_EQ(draw.rotation, blind.rotation);
    EXPECT_EQ(draw.lies, blind.lies);
    EXPECT_TRUE(std::ranges::equal(draw.outages, blind.outages));
  };
  for (std::uint64_t i = 0; i < 2 * FuzzGuide::kBlindRuns; ++i) expect_blind(i);
  const std::array<guided::Reached, 1> reached{{{1234, 0, 1}}};
  guide.learn(trials_of(guide, reached));
  for (std::uint64_t i = 0; i < FuzzGuide::kBlindRuns; ++i) expect_blind(i);
}

TEST(FuzzGuide, ChangesOneFaultOfWhatReachedSomethingNew) {
  const FuzzGenerator generator(settings_of(2, 2));
  FuzzGuide guide(generator);
  const std::array<guided::Reached, 1> reached{{{1234, 0, 1}}};
  const FuzzGenome kept = proposed(guide, 0);
  guide.learn(trials_of(guide, reached));
  unsigned taken_up = 0;
  for (std::uint64_t i = FuzzGuide::kBlindRuns; i < FuzzGuide::kBlindRuns + 1000; ++i) {
    const FuzzGenome genome = proposed(guide, i);
    if (genome.rotation == i) continue;  // it was drawn anew
    ++taken_up;
    EXPECT_EQ(genome.rotation, kept.rotation);
    unsigned changed = 0;
    for (std::size_t f = 0; f < 2; ++f) {
      changed += genome.outages[f] == kept.outages[f] ? 0 : 1;
      changed += genome.lies[f] == kept.lies[f] ? 0 : 1;
    }
    EXPECT_EQ(changed, 1U);
  }
  EXPECT_EQ(taken_up, 773U);  // three in four, by this seed
}

// Whatever is put together is within the bounds, and a fault is told alike in each kind of message.
TEST(FuzzGuide, StaysWithinTheSettings) {
  Settings settings = settings_of(2, 3);
  settings.first_round = 3;
  settings.last_round = 6;
  const FuzzGenerator generator(settings);
  FuzzGuide guide(generator);
  for (std::uint64_t first = 0; first < 4000; first += 256) {
    std::vector<FuzzTrial> trials;
    for (std::uint64_t i = first; i < first + 256; ++i) {
      trials.push_back({proposed(guide, i), {{i, 0, 1}}});  // each reaches something new
      const Draw draw = draw_of(guide, trials.back().genome);
      ASSERT_EQ(draw.outages.size(), 3U);
      ASSERT_EQ(draw.lies.size(), 4U);
      for (const Outage& outage : draw.outages) ASSERT_TRUE(outage.protocol_round >= 3 && outage.protocol_round <= 6);
      for (std::size_t l = 0; l < 4; ++l) {
        ASSERT_TRUE(draw.lies[l].protocol_round >= 3 && draw.lies[l].protocol_round <= 6);
        ASSERT_EQ(draw.lies[l].kind, l % 2);
        ASSERT_EQ(draw.lies[l].to, draw.lies[l - l % 2].to);
        ASSERT_EQ(draw.lies[l].protocol_round, draw.lies[l - l % 2].protocol_round);
      }
    }
    guide.learn(trials);
  }
  EXPECT_EQ(guide.state_count(), 4096U);
}

TEST(FuzzGuide, PrefersDisagreementAndWhatIsRare) {
  const FuzzGenerator generator(settings_of(1, 1));
  const auto taken_up = [&](std::span<const guided::Reached> reached) {
    FuzzGuide guide(generator);
    guide.learn(trials_of(guide, reached));
    std::pair<unsigned, unsigned> counts;
    for (std::uint64_t i = FuzzGuide::kBlindRuns; i < FuzzGuide::kBlindRuns + 1000; ++i) {
      const std::uint64_t rotation = proposed(guide, i).rotation;
      counts.first += rotation == 0 ? 1 : 0;
      counts.second += rotation == 1 ? 1 : 0;
    }
    return counts;
  };
  std::vector<guided::Reached> reached{{1, 0, 2}, {2, 4, 2}};
  const auto [agreeing, disagreeing] = taken_up(reached);
  EXPECT_GT(disagreeing, 8 * agreeing);
  reached[1].disagreement = 0;
  reached.resize(100, {1, 0, 2});
  const auto [common, rare] = taken_up(reached);
  EXPECT_GT(rare, 20 * common);
}

// Each of four faults must be in one round of 16, and each that is shows: blind draws hit one in 65,536.
TEST(FuzzGuide, PutsTogetherWhatBlindDrawsRarelyDo) {
  Settings settings = settings_of(2, 2);
  settings.last_round = 16;
  const FuzzGenerator generator(settings);
  const auto hits_of = [&](const FuzzGenome& genome) {
    unsigned hits = 0;
    for (std::size_t f = 0; f < 2; ++f) {
      hits |= genome.outages[f].round == 3 + f ? 1U << f : 0U;
      hits |= genome.lies[f].round == 7 + f ? 4U << f : 0U;
    }
    return hits;
  };
  FuzzGuide guide(generator);
  unsigned all = 0;
  unsigned blind = 0;
  for (std::uint64_t first = 0; first < 8192; first += FuzzGuide::kGeneration) {
    std::vector<FuzzTrial> trials;
    for (std::uint64_t i = first; i < first + FuzzGuide::kGeneration; ++i) {
      trials.push_back({proposed(guide, i), {}});
      const unsigned hits = hits_of(trials.back().genome);
      all += hits == 15 ? 1 : 0;
      blind += hits_of(proposed(FuzzGuide(generator), i)) == 15 ? 1 : 0;
      trials.back().reached.push_back({hits, 0, 1});
    }
    guide.learn(trials);
  }
  EXPECT_GT(all, 10U);
  EXPECT_EQ(blind, 0U);
}

// Generation after generation, with lessons told at some of them: a guide that takes them up proposes the same.
TEST(FuzzGuide, ThatTakesUpLessonsProposesTheSame) {
  const FuzzGenerator generator(settings_of(2, 1));
  FuzzGuide guide(generator);
  std::vector<std::vector<std::uint64_t>> lessons;
  std::uint64_t number = 0;
  for (unsigned generation = 0; generation < 40; ++generation) {
    std::vector<FuzzTrial> trials;
    for (unsigned i = 0; i < 32; ++i, ++number) {
      trials.push_back({proposed(guide, number), {}});
      for (std::uint32_t r = 0; r < 3; ++r)
        trials.back().reached.push_back({(number * 7 + r * r * 1000) % (97 + number), r % 2, r + 1});
    }
    guide.learn(trials);
    if (generation % 3 != 0) continue;
    lessons.push_back(guide.take_lesson());
    FuzzGuide other(generator);
    for (const auto& lesson : lessons) ASSERT_TRUE(other.take_up(lesson));
    EXPECT_EQ(other.state_count(), guide.state_count());
    EXPECT_EQ(other.kept_count(), guide.kept_count());
    for (std::uint64_t i = FuzzGuide::kBlindRuns; i < FuzzGuide::kBlindRuns + 200; ++i)
      ASSERT_EQ(proposed(other, i), proposed(guide, i));
  }
}

TEST(FuzzGuide, TakesUpNoWordsThatAreNoLesson) {
  const FuzzGenerator generator(settings_of(1, 1));
  FuzzGuide guide(generator);
  const std::vector<guided::Reached> reached{{1, 0, 2}, {2, 4, 2}, {1, 0, 2}};
  guide.learn(trials_of(guide, reached));
  const std::vector<std::uint64_t> lesson = guide.take_lesson();
  EXPECT_TRUE(FuzzGuide(generator).take_up(lesson));
  EXPECT_TRUE(FuzzGuide(generator).take_up(FuzzGuide(generator).take_lesson()));
  for (std::size_t size = 0; size < lesson.size(); ++size)
    EXPECT_FALSE(FuzzGuide(generator).take_up(std::span(lesson).first(size))) << size;
  unsigned refused = 0;
  for (std::size_t at = 0; at < lesson.size(); ++at) {
    auto other = lesson;
    other[at] = ~std::uint64_t{0};
    refused += FuzzGuide(generator).take_up(other) ? 0 : 1;
  }
  EXPECT_GT(refused, lesson.size() / 2);  // a draw's number and a state may be anything
}

}  // namespace
}  // namespace nika::byzzfuzz
