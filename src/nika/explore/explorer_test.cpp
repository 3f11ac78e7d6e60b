#include "nika/explore/explorer.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/protocols/diembft/diembft.hpp"

namespace nika {
namespace {

using diembft::DiemBft;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSlowBuild = true;
#elif defined(__has_feature)
constexpr bool kSlowBuild = __has_feature(address_sanitizer);
#else
constexpr bool kSlowBuild = false;
#endif

static_assert(Foldable<DiemBft> && Forgetful<DiemBft>);

struct Case {
  twins::Space space;
  Cluster cluster;
};

Case case_of(const twins::Settings& settings) {
  auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value());
  Case setup{*space, space->cluster()};
  const auto bugs = bug_bits(settings.bugs, DiemBft::kBugs, DiemBft::kName);
  EXPECT_TRUE(bugs.has_value());
  setup.cluster.bugs = *bugs;
  return setup;
}

std::vector<std::string> no_bug_and_each_bug() {
  std::vector<std::string> names{""};
  for (const std::string_view bug : DiemBft::kBugs) names.emplace_back(bug);
  return names;
}

twins::Settings settings_with(const std::string& bug, unsigned rounds) {
  twins::Settings settings{.protocol = "diembft", .rounds = rounds};
  if (!bug.empty()) settings.bugs = {bug};
  return settings;
}

// Runs one scenario twice: plainly, and through the reduced worlds that the search walks through.
class BothWays {
 public:
  explicit BothWays(const Case& setup)
      : space_(setup.space),
        seats_(setup.cluster.seat_count),
        has_crashes_(!setup.space.settings().crashes.empty()),
        choices_(setup.space, true),
        simulator_(setup.cluster, {{}, setup.space.settings().crashes}) {
    set_heal_leaders(simulator_.leaders, space_.rounds(), choices_.heal_leaders());
    simulator_.leaders.fill(choices_.leader_sets()[0]);
  }

  Verdict plainly(std::span<const std::uint32_t> scenario) { return run(scenario, Reduction::kNone); }
  Verdict reduced(std::span<const std::uint32_t> scenario) { return run(scenario, Reduction::kFoldAndRename); }
  // As an unbounded search does: with rounds that nothing mentions left out.
  Verdict relative(std::span<const std::uint32_t> scenario) { return run(scenario, Reduction::kRelativeRounds); }
  unsigned rounds_left_out() const { return left_out_; }
  // True if a run through folded worlds leads to the world that the plain run leads to, folded at the end of each
  // round.
  bool commutes(std::span<const std::uint32_t> scenario);

 private:
  enum class Reduction : std::uint8_t { kNone, kFoldAndRename, kRelativeRounds };

  Verdict run(std::span<const std::uint32_t> scenario, Reduction reduction) {
    std::vector<std::uint32_t> left(scenario.begin(), scenario.end());
    simulator_.start(world_);
    for (std::size_t r = 0; r < left.size() && !is_settled(world_); ++r) {
      const Choice choice{left[r], 1};
      simulator_.run_round(world_, choices_.links(choice), choices_.order(choice), false);
      if (reduction == Reduction::kNone || is_settled(world_)) continue;
      reduce(world_);
      if (reduction == Reduction::kRelativeRounds) leave_out_rounds();
      const std::size_t renaming = sorting_renaming(world_, choices_.renamings());
      rename(world_, choices_.renamings().relabelling(renaming), seats_);
      for (std::uint32_t& configuration : left) configuration = choices_.renamings().renamed(renaming, configuration);
      sort_pending(world_);
    }
    for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(world_); ++h) {
      simulator_.run_round(world_, choices_.full(), Order::fifo(), true);
    }
    return outcome_of(world_).verdict;
  }

  bool reduce(World<DiemBft>& world) {
    if (!has_crashes_) forget(world, simulator_.contexts());
    const bool folded = fold(world, seats_, has_crashes_);
    sort_pending(world);
    return folded;
  }
  Fingerprint name_of_world(const World<DiemBft>& world) {
    writer_.clear();
    for (unsigned s = 0; s < seats_; ++s) {
      writer_.write(world.states[s]);
      writer_.write(world.timers[s]);
    }
    for (unsigned i = 0; i < world.pending_count; ++i) write_pending(writer_, world.pending[i]);
    for (unsigned h = 0; h <= world.commits.top().number; ++h) writer_.write(world.commits.at(Height(h)));
    writer_.write(is_settled(world));
    return writer_.fingerprint();
  }

  void leave_out_rounds() {
    const unsigned before = world_.network_round.number;
    gaps_.close(world_, seats_);
    left_out_ += before - world_.network_round.number;
  }

  const twins::Space& space_;
  const unsigned seats_;
  const bool has_crashes_;
  Choices choices_;
  Simulator<DiemBft> simulator_;
  World<DiemBft> world_{};
  World<DiemBft> folded_{};
  RoundGaps<DiemBft> gaps_;
  ByteWriter writer_;
  unsigned left_out_ = 0;
};

bool BothWays::commutes(std::span<const std::uint32_t> scenario) {
  const auto plain = std::make_unique<World<DiemBft>>();
  simulator_.start(*plain);
  folded_ = *plain;
  for (const std::uint32_t configuration : scenario) {
    if (is_settled(*plain)) break;
    const Choice choice{configuration, 1};
    simulator_.run_round(*plain, choices_.links(choice), choices_.order(choice), false);
    simulator_.run_round(folded_, choices_.links(choice), choices_.order(choice), false);
    if (is_settled(*plain) && is_settled(folded_)) break;
    world_ = *plain;
    const bool is_folded = reduce(world_);
    reduce(folded_);
    if (is_folded && name_of_world(world_) != name_of_world(folded_)) return false;
  }
  return true;
}

// A partition stays for a few rounds, or nobody would fall behind.
void draw(Random& random, std::size_t configurations, std::span<std::uint32_t> scenario) {
  for (std::size_t r = 0; r < scenario.size(); ++r) {
    const bool stays = r > 0 && random.below(8) != 0;
    scenario[r] = stays ? scenario[r - 1] : static_cast<std::uint32_t>(random.below(configurations));
  }
}

class EachBug : public testing::TestWithParam<std::string> {};

// The set of violating indices, not only its size: every scenario of the space, run both ways.
TEST_P(EachBug, ReducedWorldsGiveEveryScenarioItsOwnVerdict) {
  const Case setup = case_of(settings_with(GetParam(), kSlowBuild ? 3 : 5));
  BothWays both(setup);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  Wide violating = 0;
  for (Wide index = 0; index < *setup.space.size(); ++index) {
    setup.space.unrank(index, scenario);
    const Verdict plain = both.plainly(scenario);
    ASSERT_EQ(plain, both.reduced(scenario)) << "scenario " << to_string(index);
    violating += plain == Verdict::kViolated ? 1U : 0U;
  }
  const auto found = explore<DiemBft>(setup.space, setup.cluster, {});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(to_string(found->violating), to_string(violating));
  EXPECT_EQ(to_string(found->covered), to_string(*setup.space.size()));
  EXPECT_EQ(found->unknown, Wide{0});
}

// Not only the verdict: whenever a world is folded, it goes on to the same worlds as before.
void expect_exact(const twins::Settings& settings, int scenarios) {
  const Case setup = case_of(settings);
  BothWays both(setup);
  Random random(settings.partitions);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  for (int i = 0; i < scenarios; ++i) {
    draw(random, setup.space.configurations().size(), scenario);
    ASSERT_TRUE(both.commutes(scenario)) << "scenario " << i;
  }
}

TEST_P(EachBug, FoldingIsExact) {
  for (const unsigned partitions : {2U, 3U}) {
    twins::Settings settings = settings_with(GetParam(), 20);
    settings.partitions = partitions;
    expect_exact(settings, kSlowBuild ? 50 : 1000);
  }
}

// Who begins again begins at genesis, however much of the history the others have folded.
TEST_P(EachBug, FoldingIsExactWhereReplicasLoseTheirMemory) {
  twins::Settings settings = settings_with(GetParam(), 20);
  settings.crashes = {{Seat{4}, Round(4), Round(6), false},
                      {Seat{0}, Round(9), Round(10), false},
                      {Seat{2}, Round(12), Round(15), false}};
  expect_exact(settings, kSlowBuild ? 50 : 1000);
}

// What an unbounded search rests on: random scenarios that are long enough for replicas to fall far behind.
TEST_P(EachBug, RoundsThatNothingMentionsMakeNoDifference) {
  const Case setup = case_of(settings_with(GetParam(), 20));
  BothWays both(setup);
  Random random(11);
  std::vector<std::uint32_t> scenario(setup.space.rounds());
  for (int i = 0; i < (kSlowBuild ? 200 : 10'000); ++i) {
    draw(random, setup.space.configurations().size(), scenario);
    ASSERT_EQ(both.plainly(scenario), both.relative(scenario)) << "scenario " << i;
  }
  EXPECT_GT(both.rounds_left_out(), 0U);
}

TEST_P(EachBug, SearchWithoutAnyReductionFindsTheSameNumber) {
  const Case setup = case_of(settings_with(GetParam(), 3));
  SearchOptions plain;
  plain.folds = plain.renames = false;
  const auto reduced = explore<DiemBft>(setup.space, setup.cluster, {});
  const auto unreduced = explore<DiemBft>(setup.space, setup.cluster, plain);
  ASSERT_TRUE(reduced.has_value() && unreduced.has_value());
  EXPECT_EQ(to_string(reduced->violating), to_string(unreduced->violating));
  EXPECT_EQ(to_string(reduced->covered), to_string(unreduced->covered));
  EXPECT_LT(reduced->worlds, unreduced->worlds);
}

INSTANTIATE_TEST_SUITE_P(DiemBft, EachBug, testing::ValuesIn(no_bug_and_each_bug()), [](const auto& bug) {
  std::string name = bug.param.empty() ? "correct" : bug.param;
  std::erase(name, '-');
  return name;
});

// What the search finds by itself, and when: the exact numbers are those of this model.
TEST(Explorer, ForksAreFoundInTheFirstRoundThatShowsThem) {
  const auto rounds_to_fork = [](const std::string& bug, unsigned rounds) -> std::size_t {
    const Case setup = case_of(settings_with(bug, rounds));
    const auto found = explore<DiemBft>(setup.space, setup.cluster, {});
    return found->forks.empty() ? 0 : found->forks[0].configurations.size();
  };
  EXPECT_EQ(rounds_to_fork("quorum-2f", 4), 4U);
  EXPECT_EQ(rounds_to_fork("conflicting-votes", 4), 4U);
}

TEST(Explorer, ThreadsDoNotChangeTheResult) {
  const Case setup = case_of(settings_with("quorum-2f", 4));
  SearchOptions options;
  options.threads = 1;
  const auto one = explore<DiemBft>(setup.space, setup.cluster, options);
  for (const unsigned threads : {2U, 4U}) {
    options.threads = threads;
    const auto many = explore<DiemBft>(setup.space, setup.cluster, options);
    EXPECT_EQ(one->worlds_by_round, many->worlds_by_round);
    EXPECT_EQ(one->executions, many->executions);
    ASSERT_EQ(one->forks.size(), many->forks.size());
    for (std::size_t i = 0; i < one->forks.size(); ++i)
      EXPECT_EQ(one->forks[i].configurations, many->forks[i].configurations);
  }
}

TEST(Explorer, WithoutMemoryItSearchesOnAndSaysSo) {
  const Case setup = case_of(settings_with("quorum-2f", 3));
  SearchOptions options;
  const auto all = explore<DiemBft>(setup.space, setup.cluster, options);
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{20'000}, std::uint64_t{60'000}}) {
    options.memory_bytes = bytes;
    const auto little = explore<DiemBft>(setup.space, setup.cluster, options);
    EXPECT_TRUE(little->memory_was_full);
    EXPECT_EQ(to_string(little->covered), to_string(all->covered));
    EXPECT_EQ(to_string(little->violating), to_string(all->violating));
  }
}

TEST(Explorer, EveryAssignmentAndOrderIsCountedLikeTheSweep) {
  for (const auto assignment :
       {twins::Assignment::kReplacement, twins::Assignment::kNoReplacement, twins::Assignment::kStatic}) {
    for (const auto order : {twins::OrderChoice::kFifo, twins::OrderChoice::kReversed, twins::OrderChoice::kAll}) {
      twins::Settings settings = settings_with("quorum-2f", 4);
      settings.assignment = assignment;
      settings.order = order;
      settings.rounds = order == twins::OrderChoice::kAll ? 2 : 3;
      settings.heal_rounds = 4;
      const Case setup = case_of(settings);
      Simulator<DiemBft> simulator(setup.cluster, {});
      simulator.leaders.fill(IdentitySet{Identity{0}});
      auto world = std::make_unique<World<DiemBft>>();
      std::vector<std::uint32_t> scenario(settings.rounds);
      Wide violating = 0;
      for (Wide index = 0; index < *setup.space.size(); ++index) {
        setup.space.unrank(index, scenario);
        simulator.start(*world);
        for (const std::uint32_t c : scenario) {
          const twins::Configuration& chosen = setup.space.configurations()[c];
          const Links links = links_of(setup.space.partitions()[chosen.partition], setup.cluster.seat_count);
          if (!is_settled(*world)) simulator.run_round(*world, links, setup.space.orders()[chosen.order], false);
        }
        const Links full = full_links(setup.cluster.seat_count);
        for (unsigned h = 0; h < settings.heal_rounds && !is_settled(*world); ++h)
          simulator.run_round(*world, full, Order::fifo(), true);
        violating += outcome_of(*world).verdict == Verdict::kViolated ? 1U : 0U;
      }
      const auto found = explore<DiemBft>(setup.space, setup.cluster, {});
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(to_string(found->violating), to_string(violating)) << name_of(assignment) << " " << name_of(order);
      EXPECT_EQ(to_string(found->covered), to_string(*setup.space.size()));
    }
  }
}

// The ground under merging by renaming: a renamed scenario runs to the renamed world, whatever the bug.
TEST(Explorer, RenamingHonestNodesRenamesTheRun) {
  Random random(7);
  for (const std::string& bug : no_bug_and_each_bug()) {
    const Case setup = case_of(settings_with(bug, 7));
    const Choices choices(setup.space, true);
    Simulator<DiemBft> simulator(setup.cluster, {});
    simulator.leaders.fill(choices.leader_sets()[0]);
    auto world = std::make_unique<World<DiemBft>>();
    auto renamed = std::make_unique<World<DiemBft>>();
    for (int i = 0; i < 500; ++i) {
      const std::size_t renaming = random.below(choices.renamings().count());
      simulator.start(*world);
      std::vector<std::uint32_t> scenario;
      for (unsigned r = 0; r < 7; ++r)
        scenario.push_back(static_cast<std::uint32_t>(random.below(setup.space.configurations().size())));
      for (const std::uint32_t c : scenario) simulator.run_round(*world, choices.links({c, 1}), Order::fifo(), false);
      simulator.start(*renamed);
      for (const std::uint32_t c : scenario) {
        simulator.run_round(*renamed, choices.links({choices.renamings().renamed(renaming, c), 1}), Order::fifo(),
                            false);
      }
      rename(*world, choices.renamings().relabelling(renaming), setup.cluster.seat_count);
      // Fetching asks whoever spoke first, so block lists may differ in order; folding sorts them.
      fold(*world, setup.cluster.seat_count);
      fold(*renamed, setup.cluster.seat_count);
      for (unsigned s = 0; s < setup.cluster.seat_count; ++s) {
        ASSERT_EQ(std::memcmp(&world->states[s], &renamed->states[s], sizeof world->states[s]), 0)
            << bug << " run " << i;
      }
      ASSERT_EQ(world->commits.conflict().found, renamed->commits.conflict().found);
    }
  }
}

TEST(Explorer, SpacesThatCannotBeCoveredAreRefusedInOneLine) {
  twins::Settings settings = settings_with("", 3);
  settings.order = twins::OrderChoice::kSampled;
  const Case sampled = case_of(settings);
  EXPECT_FALSE(explore<DiemBft>(sampled.space, sampled.cluster, {}).has_value());
  const Case two_leaders = case_of({.protocol = "diembft", .twins = 2, .rounds = 3});
  SearchOptions unbounded;
  unbounded.unbounded = true;
  EXPECT_FALSE(explore<DiemBft>(two_leaders.space, two_leaders.cluster, unbounded).has_value());
}

}  // namespace
}  // namespace nika
