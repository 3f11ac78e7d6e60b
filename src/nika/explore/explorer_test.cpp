#include "nika/explore/explorer.hpp"

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

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

Result<SearchResult> explored(const Case& setup, const SearchOptions& options = {}) {
  return explore<DiemBft>(setup.space, setup.cluster, only(kAgreement), options);
}

// Runs one scenario twice: plainly, and through the reduced worlds that the search walks through.
class BothWays {
 public:
  explicit BothWays(const Case& setup)
      : space_(setup.space),
        seats_(setup.cluster.seat_count),
        has_crashes_(!setup.space.settings().crashes.empty()),
        choices_(setup.space, true),
        schedule_(setup.space, choices_),
        network_(setup.cluster, only(kAgreement)) {
    schedule_.set_all_leaders(choices_.leader_sets()[0]);
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
    network_.start(world_, schedule_);
    for (std::size_t r = 0; r < left.size() && !is_settled(network_, world_); ++r) {
      run_round(world_, left[r]);
      if (reduction == Reduction::kNone || is_settled(network_, world_)) continue;
      reduce(world_);
      if (reduction == Reduction::kRelativeRounds) leave_out_rounds();
      const std::size_t renaming = sorting_renaming(world_, choices_.renamings());
      rename(world_, choices_.renamings().relabelling(renaming), seats_);
      for (std::uint32_t& configuration : left) configuration = choices_.renamings().renamed(renaming, configuration);
      sort_pending(world_);
    }
    const Order fifo = Order::fifo();
    for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(network_, world_); ++h) {
      network_.run_round(world_, {.links = &choices_.full(), .order = &fifo, .heals = true});
    }
    judge(network_, world_, outcome_);
    return outcome_.verdict();
  }

  // A scheduled round, whatever its number is after rounds were left out.
  void run_round(World<DiemBft>& world, std::uint32_t configuration) {
    schedule_.set_round({configuration, 1});
    network_.run_round(world, schedule_.round(world.network_round.next()));
  }

  bool reduce(World<DiemBft>& world) {
    if (!has_crashes_) forget(world, network_.contexts());
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
    writer_.write(is_settled(network_, world));
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
  EnumeratedSchedule schedule_;
  RoundNetwork<DiemBft> network_;
  Outcome outcome_{};
  World<DiemBft> world_{};
  World<DiemBft> folded_{};
  RoundGaps<DiemBft> gaps_;
  ByteWriter writer_;
  unsigned left_out_ = 0;
};

bool BothWays::commutes(std::span<const std::uint32_t> scenario) {
  const auto plain = std::make_unique<World<DiemBft>>();
  network_.start(*plain, schedule_);
  folded_ = *plain;
  for (const std::uint32_t configuration : scenario) {
    if (is_settled(network_, *plain)) break;
    run_round(*plain, configuration);
    run_round(folded_, configuration);
    if (is_settled(network_, *plain) && is_settled(network_, folded_)) break;
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
  const auto found = explored(setup);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(to_string(found->tally.violating), to_string(violating));
  EXPECT_EQ(to_string(found->tally.scenarios), to_string(*setup.space.size()));
  EXPECT_EQ(found->tally.unknown, Wide{0});
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
  const auto reduced = explored(setup);
  const auto unreduced = explored(setup, plain);
  ASSERT_TRUE(reduced.has_value() && unreduced.has_value());
  EXPECT_EQ(to_string(reduced->tally.violating), to_string(unreduced->tally.violating));
  EXPECT_EQ(to_string(reduced->tally.scenarios), to_string(unreduced->tally.scenarios));
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
    const auto found = explored(setup);
    return found->broken.empty() ? 0 : found->broken[0].configurations.size();
  };
  EXPECT_EQ(rounds_to_fork("quorum-2f", 4), 4U);
  EXPECT_EQ(rounds_to_fork("conflicting-votes", 4), 4U);
}

TEST(Explorer, ThreadsDoNotChangeTheResult) {
  const Case setup = case_of(settings_with("quorum-2f", 4));
  SearchOptions options;
  options.threads = 1;
  const auto one = explored(setup, options);
  for (const unsigned threads : {2U, 4U}) {
    options.threads = threads;
    const auto many = explored(setup, options);
    EXPECT_EQ(one->worlds_by_round, many->worlds_by_round);
    EXPECT_EQ(one->executions, many->executions);
    ASSERT_EQ(one->broken.size(), many->broken.size());
    for (std::size_t i = 0; i < one->broken.size(); ++i)
      EXPECT_EQ(one->broken[i].configurations, many->broken[i].configurations);
  }
}

TEST(Explorer, WithoutMemoryItSearchesOnAndSaysSo) {
  const Case setup = case_of(settings_with("quorum-2f", 3));
  SearchOptions options;
  const auto all = explored(setup, options);
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{20'000}, std::uint64_t{60'000}}) {
    options.memory_bytes = bytes;
    const auto little = explored(setup, options);
    EXPECT_TRUE(little->memory_was_full);
    EXPECT_EQ(to_string(little->tally.scenarios), to_string(all->tally.scenarios));
    EXPECT_EQ(to_string(little->tally.violating), to_string(all->tally.violating));
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
      RoundNetwork<DiemBft> network(setup.cluster, only(kAgreement));
      const auto schedule = twins::TwinsGenerator(setup.space).schedule();
      auto world = std::make_unique<World<DiemBft>>();
      Outcome outcome;
      Wide violating = 0;
      for (Wide index = 0; index < *setup.space.size(); ++index) {
        schedule->seek(index);
        run(network, *world, *schedule, outcome);
        violating += outcome.verdict() == Verdict::kViolated ? 1U : 0U;
      }
      const auto found = explored(setup);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(to_string(found->tally.violating), to_string(violating))
          << name_of(assignment) << " " << name_of(order);
      EXPECT_EQ(to_string(found->tally.scenarios), to_string(*setup.space.size()));
    }
  }
}

// The ground under merging by renaming: a renamed scenario runs to the renamed world, whatever the bug.
TEST(Explorer, RenamingHonestNodesRenamesTheRun) {
  Random random(7);
  for (const std::string& bug : no_bug_and_each_bug()) {
    const Case setup = case_of(settings_with(bug, 7));
    const Choices choices(setup.space, true);
    EnumeratedSchedule schedule(setup.space, choices);
    schedule.set_all_leaders(choices.leader_sets()[0]);
    RoundNetwork<DiemBft> network(setup.cluster, only(kAgreement));
    const auto run_round = [&](World<DiemBft>& in, std::uint32_t configuration) {
      schedule.set_round({configuration, 1});
      network.run_round(in, schedule.round(in.network_round.next()));
    };
    auto world = std::make_unique<World<DiemBft>>();
    auto renamed = std::make_unique<World<DiemBft>>();
    for (int i = 0; i < 500; ++i) {
      const std::size_t renaming = random.below(choices.renamings().count());
      network.start(*world, schedule);
      std::vector<std::uint32_t> scenario;
      for (unsigned r = 0; r < 7; ++r)
        scenario.push_back(static_cast<std::uint32_t>(random.below(setup.space.configurations().size())));
      for (const std::uint32_t c : scenario) run_round(*world, c);
      network.start(*renamed, schedule);
      for (const std::uint32_t c : scenario) run_round(*renamed, choices.renamings().renamed(renaming, c));
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
  EXPECT_FALSE(explored(sampled).has_value());
  const Case two_leaders = case_of({.protocol = "diembft", .twins = 2, .rounds = 3});
  SearchOptions unbounded;
  unbounded.unbounded = true;
  EXPECT_FALSE(explored(two_leaders, unbounded).has_value());
}

}  // namespace
}  // namespace nika
