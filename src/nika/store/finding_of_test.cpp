#include "nika/store/finding_of.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/model/property.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 1> kNotes{"undid"};
constexpr Property kAgreement{"agreement", "nobody disagrees"};
constexpr Property kTermination{"termination", "everybody decides"};

const ValueId kA1(Round(1), Seat{0}, 0);
const ValueId kTwin1(Round(1), Seat{4}, 0);
const ValueId kA2(Round(2), Seat{0}, 0);

Event committed(Seat seat, unsigned height, ValueId value) {
  return {.kind = EventKind::kCommitted, .seat = seat, .time = 1, .height = Height(height), .value = value};
}

// A with its twin A', and B, C, D.
struct ExampleRun {
  Scenario scenario;
  Cluster cluster;
  Judgement judgement;
  Trace trace;

  ExampleRun() {
    scenario.protocol = "p";
    scenario.copies = {2};
    scenario.rounds.resize(1);
    cluster = make_cluster(4, scenario.copies).value();
    judgement.property = &kAgreement;
    judgement.verdict = Verdict::kViolated;
  }
  Finding finding() const { return finding_of({scenario, cluster, judgement, trace, kKinds, kNotes}); }
  void conflict(Claim first, Claim second) {
    judgement.evidence.kind = "two values of one round";
    judgement.evidence.height = Height(1);
    judgement.evidence.seats = {first.seat, second.seat};
    EXPECT_TRUE(judgement.evidence.claims.push_back(first) && judgement.evidence.claims.push_back(second));
  }
};

TEST(FindingOf, AConflictTellsBothSeatsAndAllThatTheyCommitted) {
  ExampleRun run;
  run.trace = {committed(Seat{1}, 2, kA2), committed(Seat{1}, 1, kA1), committed(Seat{1}, 1, kA1),
               committed(Seat{3}, 1, kTwin1)};
  run.conflict({Seat{1}, kA1}, {Seat{3}, kTwin1});
  const Finding finding = run.finding();
  EXPECT_EQ(finding.property, "agreement");
  EXPECT_EQ(finding.kind, "two values of one round");
  EXPECT_EQ(finding.evidence.height, 1U);
  EXPECT_EQ(finding.evidence.seats, (std::vector<std::string>{"B", "D"}));
  EXPECT_EQ(finding.evidence.claims,
            (std::vector<ClaimRecord>{{"B", "A1", {{1, "A1"}, {2, "A2"}}}, {"D", "A'1", {{1, "A'1"}}}}));
  EXPECT_EQ(finding.scenario, run.scenario);
  EXPECT_EQ(finding.original, run.scenario);
  EXPECT_EQ(finding.trace.events, run.trace);
  EXPECT_EQ(finding.trace.kinds, (std::vector<std::string>{"proposal", "vote"}));
  EXPECT_EQ(finding.trace.notes, (std::vector<std::string>{"undid"}));
}

TEST(FindingOf, ASeatThatContradictsItselfIsToldWithAnotherThatAgreedFirst) {
  ExampleRun run;
  run.trace = {committed(Seat{0}, 1, kA1), committed(Seat{1}, 1, kA1), committed(Seat{2}, 2, kA1),
               committed(Seat{3}, 1, kA1), committed(Seat{1}, 1, kTwin1)};
  run.conflict({Seat{1}, kA1}, {Seat{1}, kTwin1});
  // A is compromised, and C committed the value at another height.
  EXPECT_EQ(run.finding().evidence.claims[0], (ClaimRecord{"D", "A1", {{1, "A1"}}}));
  EXPECT_EQ(run.finding().evidence.claims[1], (ClaimRecord{"B", "A'1", {{1, "A1"}, {1, "A'1"}}}));
  EXPECT_EQ(run.finding().evidence.seats, (std::vector<std::string>{"B", "D"}));
  run.trace.erase(run.trace.begin() + 3);
  EXPECT_EQ(run.finding().evidence.claims[0].seat, "B");
  EXPECT_EQ(run.finding().evidence.seats, std::vector<std::string>{"B"});
}

TEST(FindingOf, AStandstillTellsWhoAndSinceWhen) {
  ExampleRun run;
  run.judgement.property = &kTermination;
  run.judgement.evidence = {"no decision after healing", "", Round(3), {}, {Seat{1}, Seat{3}}, {}};
  const Finding finding = run.finding();
  EXPECT_EQ(finding.property, "termination");
  EXPECT_EQ(finding.kind, "no decision after healing");
  EXPECT_EQ(finding.evidence, (EvidenceRecord{"", 3, 0, {"B", "D"}, {}}));
  run.judgement.evidence.why = "blocked";
  ASSERT_TRUE(run.judgement.evidence.claims.push_back({Seat{3}, kGenesis}));
  EXPECT_EQ(run.finding().evidence, (EvidenceRecord{"blocked", 3, 0, {"B", "D"}, {{"D", "", {}}}}));
}

}  // namespace
}  // namespace nika::store
