// Bounded exhaustive liveness: from every world that the faults of a space can bring about, under each rotation of
// leaders and each order of arrival, the search counts what the sweep counts that runs each of them.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/deadlock.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/twins/settings_json.hpp"

namespace nika {
namespace {

constexpr unsigned kCases = 2'000;

using twins::HealLeaders;
using twins::HealOrders;
using twins::HealRotations;

Properties asked(std::initializer_list<const Property*> list) {
  Properties properties;
  for (const Property* property : list) EXPECT_TRUE(properties.push_back(property));
  return properties;
}
const Properties& liveness() {
  static const Properties kBoth = asked({&kTermination, &kResponsiveness});
  return kBoth;
}

// All that is counted, but for how many runs it took.
std::string counts_of(const Tally& tally) {
  std::string text = to_string(tally.scenarios) + " scenarios, " + to_string(tally.violating) + " violating, " +
                     to_string(tally.unknown) + " unknown, " + to_string(tally.committed) + " committed";
  for (const PropertyTally& property : tally.properties) {
    text += "; " + to_string(property.violating) + " violating, unknown because";
    for (const Wide count : property.unknown_because) text += " " + to_string(count);
  }
  return text;
}

Tally expect_same_counts(const twins::Settings& settings, const Properties& properties,
                         const SearchOptions& options = {}) {
  const Runner& runner = built_in_protocol(settings.protocol);
  const twins::Space space = checks::space_of(settings);
  const SearchResult found = checks::searched(runner, space, properties, options);
  EXPECT_EQ(counts_of(found.tally), counts_of(checks::swept(runner, space, properties)));
  // What it shows for a violation is one.
  for (const BrokenPrefix& broken : found.broken) {
    auto sequence = broken.configurations;
    while (sequence.size() < space.rounds()) sequence.push_back(0);
    Scenario scenario = space.scenario(0, sequence, broken.healing);
    EXPECT_EQ(space.rank(scenario).value(), space.rank(sequence, broken.healing).value());
    const auto outcome = run_scenario(runner, scenario, properties);
    EXPECT_EQ(outcome.value().judgements[broken.property].verdict, Verdict::kViolated);
  }
  return found.tally;
}

twins::Settings settings_of(std::string_view protocol, unsigned rounds) {
  twins::Settings settings{.protocol = std::string(protocol), .rounds = rounds, .heal_rounds = 24};
  settings.clients = built_in_protocol(protocol).clients();
  const bool alternates = built_in_protocol(protocol).leaders_in_a_row() == 1;
  settings.heal_leaders = alternates ? HealLeaders::kBoth : HealLeaders::kHonest;
  settings.heal_rotations = HealRotations::kAll;
  settings.heal_orders = HealOrders::kAll;
  return settings;
}

constexpr std::array<std::string_view, 9> kProtocols{
    "diembft", "fast-hotstuff", "hotstuff", "two-phase-hotstuff", "linear-pbft", "linear-pbft-third-phase",
    "fab",     "bracha",        "zyzzyva"};

class BoundedLiveness : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Protocols, BoundedLiveness, testing::ValuesIn(kProtocols), [](const auto& protocol) {
  std::string name(protocol.param);
  std::erase(name, '-');
  return name;
});

// Every rotation with every order after one round: 15 partitions, up to 12 rotations, 240 orders.
TEST_P(BoundedLiveness, EveryHealingIsCountedLikeTheSweep) {
  expect_same_counts(settings_of(GetParam(), 1), liveness());
}

TEST_P(BoundedLiveness, EveryRotationAfterMoreRoundsIsCountedLikeTheSweep) {
  twins::Settings settings = settings_of(GetParam(), 3);
  settings.heal_orders = HealOrders::kFifo;
  if (settings.protocol == "zyzzyva") settings.rounds = 2;
  expect_same_counts(settings, liveness());
}

// Whoever leads before has a name; crashes and other properties take reductions away.
TEST_P(BoundedLiveness, OtherSpacesAndPropertiesAreCountedLikeTheSweep) {
  twins::Settings settings = settings_of(GetParam(), 2);
  settings.heal_orders = HealOrders::kBoth;
  settings.leaders = twins::parse_leaders("A,B").value();
  expect_same_counts(settings, liveness());
  settings.leaders = {};
  expect_same_counts(settings, asked({&kAgreement, &kTermination, &kTotality}));
  settings.crashes = {{Seat{2}, Round(1), Round(3), true}};
  expect_same_counts(settings, liveness());
  settings.crashes = {{Seat{2}, Round(2), Round(4), false}};
  expect_same_counts(settings, liveness());
}

// FaB with its bug is stuck in exactly as many scenarios as the sweep says, under some healings only.
TEST(BoundedLiveness, AStandstillIsCountedExactlyAndShown) {
  twins::Settings settings = settings_of("fab", 3);
  settings.bugs = {"proofs-and-votes-bind-alike"};
  settings.heal_rounds = 20;
  settings.heal_orders = HealOrders::kFifo;
  EXPECT_EQ(to_string(expect_same_counts(settings, liveness()).properties[1].violating), "138");
  settings.heal_orders = HealOrders::kAll;
  const twins::Space space = checks::space_of(settings);
  const Tally all = checks::searched(built_in_protocol("fab"), space, liveness()).tally;
  EXPECT_EQ(to_string(all.scenarios), "9720000");
  EXPECT_EQ(to_string(all.properties[0].violating), "0");
  EXPECT_EQ(to_string(all.properties[1].violating), "33120");
}

// A fork that appears while the network heals is not forgotten with the history that is folded then.
TEST(BoundedLiveness, ForksWhileTheNetworkHealsAreCountedLikeTheSweep) {
  twins::Settings settings{.protocol = "hotstuff", .nodes = 3, .partitions = 3, .at_most = true, .rounds = 2};
  settings.leaders = twins::parse_leaders("A,B").value();
  settings.heal_rotations = HealRotations::kAll;
  settings.heal_orders = HealOrders::kBoth;
  EXPECT_GT(expect_same_counts(settings, asked({&kAgreement})).violating, Wide{0});
}

// The reductions, threads and memory change nothing.
TEST(BoundedLiveness, HowItIsSearchedDoesNotMatter) {
  for (const std::string_view protocol : {"diembft", "hotstuff"}) {
    twins::Settings settings = settings_of(protocol, 2);
    settings.heal_orders = HealOrders::kBoth;
    for (const bool folds : {false, true}) {
      SearchOptions options;
      options.folds = folds;
      options.renames = !folds;
      options.threads = folds ? 1 : 2;
      expect_same_counts(settings, asked({&kResponsiveness, &kAgreement, &kTermination}), options);
      options.memory_bytes = 1;
      expect_same_counts(settings, liveness(), options);
    }
  }
}

class AnySettings {
 public:
  explicit AnySettings(std::uint64_t seed) : random_(seed) {}

  twins::Settings draw() {
    twins::Settings settings = settings_of(kProtocols[random_.below(kProtocols.size())], one_of({1U, 1U, 2U, 2U, 3U}));
    const auto bugs = built_in_protocol(settings.protocol).bugs();
    if (!bugs.empty() && random_.below(2) == 0) settings.bugs = {std::string(bugs[random_.below(bugs.size())])};
    settings.nodes = one_of({2U, 3U, 4U, 4U});
    settings.twins = one_of({0U, 1U, 1U});
    settings.partitions = one_of({1U, 2U, 2U, 3U});
    settings.at_most = random_.below(2) == 0;
    settings.heal_rounds = one_of({0U, 1U, 3U, 6U, 24U});
    settings.leaders =
        twins::parse_leaders(settings.twins == 0 ? one_of({"all", "A"}) : one_of({"A", "A,B", "B"})).value();
    settings.heal_leaders = static_cast<HealLeaders>(random_.below(4));
    settings.heal_rotations = one_of({HealRotations::kOne, HealRotations::kAll, HealRotations::kAll});
    settings.heal_orders = static_cast<HealOrders>(random_.below(4));
    settings.order = one_of({twins::OrderChoice::kFifo, twins::OrderChoice::kReversed});
    settings.assignment = static_cast<twins::Assignment>(random_.below(8) == 0 ? 1 + random_.below(2) : 0);
    return settings;
  }
  const Properties& draw_properties() {
    static const std::array<Properties, 5> kAsked{liveness(), asked({&kTermination}), asked({&kResponsiveness}),
                                                  asked({&kAgreement, &kTermination, &kResponsiveness}),
                                                  asked({&kTermination, &kDeadlock})};
    return kAsked[random_.below(kAsked.size())];
  }

 private:
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return *(values.begin() + random_.below(values.size()));
  }
  Random random_;
};

TEST(BoundedLiveness, RandomSettingsAreCountedLikeTheSweep) {
  constexpr Wide kMost = 3'000;  // scenarios
  AnySettings any(11);
  unsigned compared = 0;
  while (compared < kCases) {
    const twins::Settings settings = any.draw();
    const Properties& properties = any.draw_properties();
    const auto space = twins::Space::make(settings);
    if (!space || !space->size() || *space->size() > kMost) continue;
    SCOPED_TRACE(twins::to_json(settings));
    expect_same_counts(settings, properties);
    ++compared;
  }
}

}  // namespace
}  // namespace nika
