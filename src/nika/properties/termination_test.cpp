#include "nika/properties/termination.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/properties/violation_kind.hpp"

namespace nika {
namespace {

// Four nodes, A with a twin; rounds 3 and 4 heal and are led by `leader`.
struct Case {
  Cluster cluster = *make_cluster(4, std::array<std::uint8_t, 1>{2});
  std::array<IdentitySet, 6> leaders{};
  std::vector<Crash> crashes;
  Healing healing{Round(3), Round(4), {Height(1), {Seat{1}}}, {Height(1), {Seat{1}}}, false};

  explicit Case(unsigned leader) { leaders.fill(IdentitySet{static_cast<Identity>(leader)}); }
  Standstill judged() const { return standstill_of(healing, {cluster, leaders, crashes}); }
};

TEST(Termination, APlantedStandstillIsFound) {
  const Standstill found = Case(1).judged();
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.since, Round(3));
  EXPECT_EQ(found.undecided, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

TEST(Termination, ALogThatGrowsGoesOn) {
  Case log(1);
  log.healing.after.top = Height(2);
  EXPECT_FALSE(log.judged().found);
}

TEST(Termination, CatchingUpDoesNotMakeALogGrow) {
  Case log(1);
  log.healing.after.committed = {Seat{1}, Seat{2}};
  EXPECT_TRUE(log.judged().found);
}

TEST(Termination, ASingleDecisionMayBeMadeBeforeOrAfterHealing) {
  Case single(1);
  single.healing.is_single_shot = true;
  EXPECT_TRUE(single.judged().found);  // B decided before, and nobody since
  EXPECT_EQ(single.judged().undecided, (SeatSet{Seat{2}, Seat{3}}));
  single.healing.after.committed = {Seat{1}, Seat{2}};
  EXPECT_FALSE(single.judged().found);
  single.healing.before.committed = single.healing.after.committed = {Seat{1}, Seat{2}, Seat{3}};
  EXPECT_FALSE(single.judged().found);
}

TEST(Termination, NothingIsPromisedWithoutAnHonestLeader) {
  EXPECT_FALSE(Case(0).judged().found);
  Case never_healed(1);
  never_healed.healing.last = Round(2);
  EXPECT_FALSE(never_healed.judged().found);
}

TEST(Termination, NothingIsPromisedBeyondTheThreshold) {
  Case crashed(1);
  crashed.crashes = {{Seat{3}, Round(1), Round(3), true}};  // up again when the network heals
  EXPECT_TRUE(crashed.judged().found);
  crashed.crashes = {{Seat{3}, Round(1), Round(4), true}};
  EXPECT_FALSE(crashed.judged().found);
  crashed.cluster = *make_cluster(4, {});
  EXPECT_TRUE(crashed.judged().found);  // without a twin D is the only faulty node
  EXPECT_EQ(crashed.judged().undecided, (SeatSet{Seat{0}, Seat{1}, Seat{2}}));
}

TEST(ViolationKind, ABlockedLeaderIsTheStrongerFact) {
  Outcome outcome;
  outcome.property = Property::kTermination;
  EXPECT_EQ(kind_of(outcome), ViolationKind::kNoDecision);
  outcome.standstill.blocked = "v1 has a certificate, v2 has f+1 votes";
  EXPECT_EQ(name_of(kind_of(outcome)), "no valid proposal exists");
}

}  // namespace
}  // namespace nika
