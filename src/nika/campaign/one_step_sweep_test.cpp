// One-step consensus under twins: whole small spaces, one by one and by search.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

Properties properties_named(std::string_view names) {
  static const Registry registry = built_in_protocols();
  return parse_properties(names, registry.properties()).value();
}

// Six nodes that begin alike need no second step; four never decide in one.
TEST(OneStepUnderTwins, WhoBeginsAlikeDecidesInTheFirstRound) {
  for (const unsigned nodes : {6U, 4U}) {
    Scenario scenario;
    scenario.node_count = static_cast<std::uint8_t>(nodes);
    scenario.rounds.resize(1);
    scenario.rounds[0].leaders = IdentitySet::first(nodes);
    Trace trace;
    ASSERT_TRUE(run_scenario(built_in_protocol("one-step"), scenario, only(kAgreement), &trace));
    std::vector<Event> votes;
    std::vector<Event> commits;
    for (const Event& event : trace) {
      if (event.kind == EventKind::kDelivered && event.message_kind != 0 && commits.empty()) votes.push_back(event);
      if (event.kind == EventKind::kCommitted) commits.push_back(event);
    }
    EXPECT_EQ(commits.size(), nodes);
    EXPECT_EQ(votes.empty(), nodes == 6) << "whether anything but votes had to come before the first decision";
  }
}

struct Swept {
  const char* bug;
  unsigned nodes;
  const char* properties;
  Wide violating;
};

TEST(OneStepUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  for (const Swept& c :
       {Swept{"", 4, "agreement,termination,totality,justification,handover", 0},
        Swept{"decide-n+t", 4, "agreement,handover", 18}, Swept{"keeps-own-value", 6, "agreement,handover", 92}}) {
    SCOPED_TRACE(c.bug);
    const Runner& runner = built_in_protocol("one-step");
    twins::Settings settings;
    settings.nodes = c.nodes;
    if (*c.bug != '\0') settings.bugs = {c.bug};
    settings.rounds = 1;
    settings.leaders.kind = twins::LeaderChoice::Kind::kList;
    settings.leaders.list = {{Identity{1}}, {Identity{0}, Identity{1}}, {Identity{1}, Identity{2}, Identity{3}}};
    settings.heal_leaders = twins::HealLeaders::kHonest;
    settings.heal_rounds = runner.heal_rounds();
    const twins::Space space = checks::space_of(settings);
    const Properties properties = properties_named(c.properties);
    const Tally one_by_one = checks::swept(runner, space, properties);
    EXPECT_EQ(to_string(one_by_one.violating), to_string(c.violating));
    const Tally searched = checks::searched(runner, space, properties).tally;
    EXPECT_EQ(to_string(searched.violating), to_string(c.violating));
    EXPECT_EQ(to_string(searched.unknown), to_string(one_by_one.unknown));
  }
}

}  // namespace
}  // namespace nika
