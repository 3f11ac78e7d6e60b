// The agreement on a common subset under twins and under drawn orders of delivery, with each of its bugs and without.
#include <gtest/gtest.h>

#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

constexpr const char* kAll = "agreement,termination,totality,validity,integrity,common-subset";

TwinsRequest drawn(const char* bug, const char* properties, Wide count) {
  static const Registry registry = built_in_protocols();
  TwinsRequest request;
  request.runner = &built_in_protocol("honeybadger-acs");
  request.settings.protocol = "honeybadger-acs";
  if (*bug != '\0') request.settings.bugs = {bug};
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  request.settings.step3 = {twins::Selection::Kind::kRandom, count};
  request.properties = parse_properties(properties, registry.properties()).value();
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
  const char* bug;
  const char* properties;
  Wide violating;
};

TEST(AcsUnderTwins, DrawnSchedulesBreakTheBugsAndNothingElse) {
  for (const Swept& c : {Swept{"", kAll, 0}, Swept{"zeros-too-early", "common-subset", 10},
                         Swept{"output-without-waiting", "agreement", 22},
                         Swept{"one-before-delivery", "termination", 19}, Swept{"no-zeros", "termination", 19}}) {
    SCOPED_TRACE(c.bug);
    TwinsRequest request = drawn(c.bug, c.properties, 1'000);
    request.settings.rounds = 4;
    request.settings.granularity = twins::Granularity::kPhase;
    request.settings.one_way = request.settings.at_most = true;
    request.settings.order = twins::OrderChoice::kSampled;
    request.settings.heal_leaders = twins::HealLeaders::kHonest;
    request.settings.heal_rounds = request.runner->heal_rounds();
    const Tally tally = tally_of(request);
    EXPECT_EQ(to_string(tally.violating), to_string(c.violating));
    if (c.properties == kAll) {
      EXPECT_EQ(tally.unknown, 0U);
    }
  }
}

// Of orders by priorities many are unknown: more messages wait for who is last than a world has room for.
TEST(AcsUnderAnyOrder, NoneOfTheDrawnOrdersBreaksAnything) {
  TwinsRequest request = drawn("", kAll, 300);
  request.settings.steps = steps::parse_schedule("uniform").value();
  const Tally tally = tally_of(request);
  EXPECT_EQ(tally.violating, 0U);
  EXPECT_EQ(tally.executed, 300U);
  EXPECT_EQ(tally.unknown, 0U);
  request.settings.steps = steps::parse_schedule("priorities:3").value();
  EXPECT_EQ(tally_of(request).violating, 0U);
}

// Four nodes that all hear each other: who leads makes no difference, and all of them output all of their values.
TEST(AcsUnderTwins, AWholeNetworkTakesEverybody) {
  Scenario scenario;
  scenario.rounds.resize(2);
  for (RoundPlan& round : scenario.rounds) round.leaders = {Identity{1}};
  Trace trace;
  const auto outcome = run_scenario(built_in_protocol("honeybadger-acs"), scenario, only(kAgreement), &trace);
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  ASSERT_EQ(trace.size(), 16U);
  for (const Event& event : trace) {
    EXPECT_EQ(event.value, ValueId(Round(1), static_cast<Seat>(event.height.number - 1U), 0));
  }
}

}  // namespace
}  // namespace nika
