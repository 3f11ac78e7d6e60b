// MMR14 and its repair under twins, drawn orders and strategies against the coin.
#include <gtest/gtest.h>

#include "nika/campaign/coin_judge.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

Properties properties_named(std::string_view names) {
  static const Registry registry = built_in_protocols();
  return parse_properties(names, registry.properties()).value();
}

Scenario led_by(IdentitySet leaders, unsigned rounds, std::vector<std::uint8_t> coins) {
  Scenario scenario;
  scenario.rounds.resize(rounds);
  for (RoundPlan& round : scenario.rounds) round.leaders = leaders;
  scenario.coins = std::move(coins);
  return scenario;
}

// When everybody has committed, in network rounds; 0 if not all did.
std::uint32_t last_commit(const char* protocol, const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(built_in_protocol(protocol), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace.size() == 4 ? trace.back().time : 0;
}

// B alone begins with 1, so that 0 is decided, in the first round whose coin shows it.
TEST(MmrUnderTwins, TheCoinSaysWhenAWholeNetworkDecides) {
  for (const char* protocol : {"mmr14", "mmr14-conf"}) {
    EXPECT_EQ(last_commit(protocol, led_by({Identity{1}}, 6, {0})), 1U);
    EXPECT_EQ(last_commit(protocol, led_by({Identity{1}}, 6, {})), 2U);  // parity
    EXPECT_EQ(last_commit(protocol, led_by({Identity{1}}, 6, {1, 1, 1, 0})), 4U);
  }
}

TEST(MmrUnderTwins, ProtocolsWithoutACoinRefuseOne) {
  const auto outcome = run_scenario(built_in_protocol("dbft"), led_by({Identity{1}}, 1, {1}), only(kAgreement));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().message, "dbft tosses no coins: it has neither \"coins\" nor \"turns\"");
  EXPECT_FALSE(hunt_turns(built_in_protocol("dbft"), led_by({Identity{1}}, 1, {}), {}).has_value());
}

TwinsRequest drawn(const char* protocol, const char* bug, const char* properties, Wide count) {
  TwinsRequest request;
  request.runner = &built_in_protocol(protocol);
  request.settings.protocol = protocol;
  if (*bug != '\0') request.settings.bugs = {bug};
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  request.settings.step3 = {twins::Selection::Kind::kRandom, count};
  request.properties = properties_named(properties);
  request.memory_bytes = std::uint64_t{1} << 30U;
  request.max_findings = 0;
  return request;
}

Tally tally_of(const TwinsRequest& request) {
  const auto outcome = run_twins(request, {});
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome ? outcome->tally : Tally{};
}

struct Swept {
  const char* protocol;
  const char* bug;
  const char* properties;
  Wide violating;
};

TEST(MmrUnderTwins, DrawnSchedulesBreakTheBugsAndNothingElse) {
  const char* const all = "agreement,termination,totality,validity,integrity,justification";
  for (const Swept& c :
       {Swept{"mmr14", "", all, 0}, Swept{"mmr14-conf", "", all, 0}, Swept{"mmr14", "echo-t", "justification", 19},
        Swept{"mmr14", "aux-t+1", "agreement", 16}, Swept{"mmr14", "decide-any-coin", "agreement", 15},
        Swept{"mmr14-conf", "echo-t", "justification", 25}, Swept{"mmr14-conf", "aux-t+1", "agreement", 2}}) {
    SCOPED_TRACE(std::string(c.protocol) + " " + c.bug);
    TwinsRequest request = drawn(c.protocol, c.bug, c.properties, 1'000);
    request.settings.rounds = 4;
    request.settings.granularity = twins::Granularity::kPhase;
    request.settings.one_way = request.settings.at_most = true;
    request.settings.order = twins::OrderChoice::kSampled;
    request.settings.heal_leaders = twins::HealLeaders::kHonest;
    request.settings.heal_rounds = request.runner->heal_rounds();
    EXPECT_EQ(to_string(tally_of(request).violating), to_string(c.violating));
  }
}

// Three that had decided once went on for ever, and the fourth heard of it by no timer. Sweeps with a twin missed that.
TEST(MmrUnderTwins, NobodyFaultyIsLeftBehindByDeciders) {
  for (const char* protocol : {"mmr14", "mmr14-conf"}) {
    TwinsRequest request = drawn(protocol, "", "termination,totality", 5'000);
    request.settings.twins = 0;
    request.settings.rounds = 2;
    request.settings.granularity = twins::Granularity::kPhase;
    request.settings.one_way = request.settings.at_most = true;
    request.settings.order = twins::OrderChoice::kSampled;
    request.settings.heal_rounds = request.runner->heal_rounds();
    const Tally tally = tally_of(request);
    EXPECT_EQ(tally.violating, 0U) << protocol;
    EXPECT_EQ(tally.executed, 5'000U);
  }
}

TEST(MmrUnderAnyOrder, NoneOfTheDrawnOrdersBreaksAnything) {
  for (const char* schedule : {"uniform", "priorities:3"}) {
    for (const char* protocol : {"mmr14", "mmr14-conf"}) {
      TwinsRequest request = drawn(protocol, "", "agreement,totality,termination,justification", 500);
      request.settings.steps = steps::parse_schedule(schedule).value();
      const Tally tally = tally_of(request);
      EXPECT_EQ(tally.violating, 0U);
      EXPECT_EQ(tally.executed, 500U);
    }
  }
}

}  // namespace
}  // namespace nika
