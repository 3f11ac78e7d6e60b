// Casper FFG and its repair under twins: whole networks, drawn schedules, whole spaces, and more liars than f.
#include <gtest/gtest.h>

#include "nika/campaign/twins_campaign.hpp"
#include "nika/campaign/twins_checks_test.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

Properties properties_named(std::string_view names) {
  static const Registry registry = built_in_protocols();
  return parse_properties(names, registry.properties()).value();
}

Scenario whole_network(unsigned rounds, const char* protocol, bool own_first) {
  Scenario scenario;
  scenario.protocol = protocol;
  scenario.rounds.resize(rounds);
  for (unsigned r = 0; r < rounds; ++r) {
    scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
    scenario.rounds[r].order.own_first = own_first;
  }
  return scenario;
}

std::vector<Event> commits_of(const Scenario& scenario) {
  Trace trace;
  const auto outcome = run_scenario(built_in_protocol(scenario.protocol), scenario, only(kAgreement), &trace);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict(), Verdict::kHolds);
  std::erase_if(trace, [](const Event& event) { return event.kind != EventKind::kCommitted; });
  return trace;
}

TEST(CasperUnderTwins, AWholeNetworkFinalisesAHeightInEachRoundButTheFirst) {
  for (const char* protocol : {"casper-ffg", "casper-ffg-led"}) {
    const std::vector<Event> commits = commits_of(whole_network(6, protocol, false));
    ASSERT_EQ(commits.size(), 4U * 5U) << protocol;
    for (std::size_t i = 0; i < commits.size(); ++i) {
      EXPECT_EQ(commits[i].time, i / 4 + 2);
      EXPECT_EQ(commits[i].height, Height(static_cast<unsigned>(i) / 4 + 1));
    }
  }
}

TEST(CasperUnderTwins, WhereEachHearsItsOwnBlockFirstNothingIsFinalisedUnlessOneLeads) {
  EXPECT_TRUE(commits_of(whole_network(6, "casper-ffg", true)).empty());
  EXPECT_EQ(commits_of(whole_network(6, "casper-ffg-led", true)).size(), 4U * 5U);
}

// Schedules by kinds of messages, as `nika twins --granularity kind --one-way --at-most --leaders all --order sampled`
// draws them, with late and repeated messages, early timeouts and a crash.
Tally drawn(const char* protocol, std::vector<std::string> bugs, std::string_view properties, unsigned count,
            unsigned twins = 1) {
  TwinsRequest request;
  request.runner = &built_in_protocol(protocol);
  request.settings = {.protocol = protocol, .bugs = std::move(bugs), .twins = twins, .at_most = true, .rounds = 7};
  request.settings.heal_rounds = request.runner->heal_rounds();
  request.settings.heal_leaders = twins::HealLeaders::kHonest;
  request.settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  request.settings.granularity = twins::Granularity::kPhase;
  request.settings.order = twins::OrderChoice::kSampled;
  request.settings.one_way = true;
  if (request.settings.bugs.empty() && twins == 1) {
    request.settings.disturbances = {
        .late_rounds = 2, .repeats = true, .early_timeouts = true, .receiver_orders = true, .crashes = 1};
  }
  request.settings.step3 = {twins::Selection::Kind::kRandom, count};
  request.properties = properties_named(properties);
  request.memory_bytes = std::uint64_t{1} << 30U;
  request.max_findings = 0;
  const auto outcome = run_twins(request, {});
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome ? outcome->tally : Tally{};
}

TEST(CasperUnderTwins, DrawnSchedulesBreakNothingThatIsPromised) {
  const std::string_view safety = "agreement,validity,integrity,deadlock,accountable-safety";
  EXPECT_EQ(drawn("casper-ffg", {}, safety, 2'000).violating, 0U);
  EXPECT_EQ(drawn("casper-ffg-led", {}, std::string(safety) + ",termination,totality", 2'000).violating, 0U);
}

struct Swept {
  const char* protocol;
  const char* bug;
  Wide forks;
  Wide unaccounted;
};

// Whoever votes twice or around a vote is guilty of what it breaks. With half a quorum, or a link over heights, nobody
// is.
TEST(CasperUnderTwins, DrawnSchedulesBreakTheBugsAndTellWhoseFaultItIs) {
  for (const Swept& c :
       {Swept{"casper-ffg", "half-quorum", 951, 951}, Swept{"casper-ffg", "double-vote", 258, 0},
        Swept{"casper-ffg-led", "half-quorum", 321, 321}, Swept{"casper-ffg-led", "double-vote", 161, 0},
        Swept{"casper-ffg-led", "surround-vote", 60, 0}, Swept{"casper-ffg-led", "indirect-finality", 4, 4}}) {
    const Tally tally = drawn(c.protocol, {c.bug}, "agreement,accountable-safety", 5'000);
    EXPECT_EQ(tally.properties[0].violating, c.forks) << c.protocol << ' ' << c.bug;
    EXPECT_EQ(tally.properties[1].violating, c.unaccounted) << c.protocol << ' ' << c.bug;
  }
}

// Two liars of four fork it, and can always be proved guilty.
TEST(CasperUnderTwins, WithMoreLiarsThanFAThirdIsGuiltyOfEveryFork) {
  for (const auto& [protocol, forks, full] :
       {std::tuple{"casper-ffg", 20U, 0U}, std::tuple{"casper-ffg-led", 28U, 0U}}) {
    const Tally tally = drawn(protocol, {}, "agreement,accountable-safety", 5'000, 2);
    EXPECT_EQ(tally.properties[0].violating, forks) << protocol;
    EXPECT_EQ(tally.properties[1].violating, 0U) << protocol;
    EXPECT_EQ(tally.properties[1].unknown_because[static_cast<std::size_t>(Unjudged::kOverflow)], full) << protocol;
  }
}

TEST(CasperUnderTwins, WholeSpacesAreCountedAlikeBothWays) {
  for (const char* protocol : {"casper-ffg", "casper-ffg-led"}) {
    checks::expect_violating(built_in_protocol(protocol), {.rounds = 3}, 0);
  }
  checks::expect_violating(built_in_protocol("casper-ffg-led"), {.bugs = {"half-quorum"}, .rounds = 3}, 1'140);
}

}  // namespace
}  // namespace nika
