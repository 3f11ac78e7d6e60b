// The attacks that need a clock or a healed network: the flawed protocol falls to the file's scenario, the repaired one
// does not.
#include <gtest/gtest.h>

#include "nika/base/located_json.hpp"
#include "nika/cli/finding_files.hpp"
#include "nika/cli/registry.hpp"

namespace nika {
namespace {

Scenario scenario_of_attack(const std::string& name, const Registry& registry) {
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  const std::string text = read_text_file(path).value();
  JsonReading reading(path, text);
  const LocatedJson root = reading.parse();
  Scenario scenario;
  for (const LocatedJson& item : root.items) {
    if (item.name == "scenario") scenario = store::scenario_in(reading, item, cli::words_in(registry));
  }
  EXPECT_FALSE(reading.error().has_value()) << reading.error()->message;
  return scenario;
}

Outcome run(const Registry& registry, const Scenario& scenario, Properties properties) {
  const auto outcome = (*registry.find(scenario.protocol))->run(scenario, nullptr, properties);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

TEST(Attacks, ForceLockingSplitsTheEarlySyncHotStuffAndNotThePublishedOne) {
  const Registry registry = cli::built_in_protocols();
  Scenario scenario = scenario_of_attack("sync-hotstuff-force-lock", registry);
  const Outcome flawed = run(registry, scenario, {});
  ASSERT_EQ(flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(flawed.conflict.height, Height(1));
  EXPECT_EQ(flawed.conflict.first_seat, Seat{3});                          // D
  EXPECT_EQ(flawed.conflict.first_value, ValueId(Round(2), Seat{6}, 0));   // of B'
  EXPECT_EQ(flawed.conflict.second_value, ValueId(Round(1), Seat{0}, 0));  // of A
  scenario.bugs.clear();
  scenario.timing->ticks = 60;
  EXPECT_EQ(run(registry, scenario, {}).verdict, Verdict::kHolds);
}

// Who of the honest nodes is which does not matter.
TEST(Attacks, ForceLockingDoesNotDependOnTheNamesOfHonestNodes) {
  const Registry registry = cli::built_in_protocols();
  const Scenario scenario = scenario_of_attack("sync-hotstuff-force-lock", registry);
  std::array<unsigned, 3> names{2, 3, 4};
  do {
    const auto renamed = [&](SeatSet seats) {
      SeatSet result;
      for (Seat seat : seats) {
        const unsigned s = index_of(seat);
        result.insert(static_cast<Seat>(s >= 2 && s <= 4 ? names[s - 2] : s));
      }
      return result;
    };
    Scenario other = scenario;
    for (Rule& rule : other.rules) {
      rule.from = renamed(rule.from);
      rule.to = renamed(rule.to);
    }
    other.rounds[2].leaders = {static_cast<Identity>(names[0])};
    other.heal_leaders = {static_cast<Identity>(names[1])};
    const Outcome outcome = run(registry, other, {});
    EXPECT_EQ(outcome.verdict, Verdict::kViolated);
    EXPECT_EQ(index_of(outcome.conflict.first_seat), names[1]);
    EXPECT_EQ(index_of(outcome.conflict.second_seat), names[0]);
    EXPECT_EQ(outcome.delivered, run(registry, scenario, {}).delivered);
  } while (std::ranges::next_permutation(names).found);
}

TEST(Attacks, AnUnresponsiveLeaderStopsTwoPhasesAndNeitherOfTheRepairs) {
  const Registry registry = cli::built_in_protocols();
  Scenario scenario = scenario_of_attack("linear-pbft-unresponsive", registry);
  const Outcome flawed = run(registry, scenario, only(Property::kTermination));
  ASSERT_EQ(flawed.verdict, Verdict::kViolated);
  EXPECT_EQ(flawed.standstill.since, Round(4));
  EXPECT_EQ(flawed.standstill.undecided, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
  scenario.bugs.clear();
  EXPECT_EQ(run(registry, scenario, {true, true}).verdict, Verdict::kHolds);
  scenario.protocol = "linear-pbft-third-phase";
  EXPECT_EQ(run(registry, scenario, {true, true}).verdict, Verdict::kHolds);
}

}  // namespace
}  // namespace nika
