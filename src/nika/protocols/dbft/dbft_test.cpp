#include "nika/protocols/dbft/dbft.hpp"

#include "nika/base/random.hpp"
#include "nika/protocols/dbft/process_test.hpp"

namespace nika::dbft {
namespace {

using Values = std::vector<bool>;
using binary::value_of;

constexpr Round kFirst{1};
const ValueId kZero = value_of(Bits::of(false));
const ValueId kOne = value_of(Bits::of(true));

TEST(Dbft, BeginsWithItsInputAsEstimate) {
  EXPECT_EQ(Process(kA).sent<Est>(1), Values{true});
  EXPECT_EQ(Process(kD).sent<Est>(1), Values{false});
}

TEST(Dbft, EchoesAfterTPlus1AlsoInARoundThatItHasLeft) {
  Process process(kD);
  process.receive(kA, Est{kFirst, true});
  EXPECT_EQ(process.sent<Est>(1), Values{false});
  process.agree(1, false);
  ASSERT_EQ(process.state.round, Round(2));
  process.receive(kB, Est{kFirst, true});
  EXPECT_EQ(process.sent<Est>(1), (Values{false, true}));
}

TEST(Dbft, AsPrintedItStopsEchoingWithItsAux) {
  Process process(kD, flag(Bug::kStopsEchoing));
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  process.expire(kCoordTimer);
  EXPECT_EQ(process.sent<Aux>(1), Values{false});
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  EXPECT_EQ(process.sent<Est>(1), Values{false});
  EXPECT_EQ(process.state.records[0].est.delivered, Bits::both());  // L14 goes on
}

TEST(Dbft, FollowsTheCoordinatorIfItHasDeliveredWhatThatSuggests) {
  Process process(kD);
  process.receive(kA, Coord{kFirst, true});
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  EXPECT_EQ(process.sent<Aux>(1), Values{});
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  EXPECT_EQ(process.sent<Aux>(1), Values{true});
  EXPECT_FALSE(process.runs(kCoordTimer));
  EXPECT_TRUE(process.runs(kAuxTimer));
}

TEST(Dbft, NobodyElseIsHeardAsCoordinatorAndNobodyIsWaitedForForEver) {
  Process process(kD);
  process.receive(kB, Coord{kFirst, true});
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  EXPECT_EQ(process.sent<Aux>(1), Values{});
  process.expire(kCoordTimer);
  EXPECT_EQ(process.sent<Aux>(1), Values{false});  // what it delivered first
}

TEST(Dbft, TheCoordinatorSuggestsWhatItDeliversFirst) {
  Process process(kA);
  process.receive_from({kB, kC}, Est{kFirst, false});
  EXPECT_EQ(process.sent<Coord>(1), Values{});
  process.receive(kD, Est{kFirst, false});
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  EXPECT_EQ(process.sent<Coord>(1), Values{false});
  EXPECT_EQ(Process(kD).sent<Coord>(1), Values{});
}

TEST(Dbft, DecidesTheParityOfTheRoundAfterNMinusTAuxAndHelpsForTwoRounds) {
  Process process(kD);
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  process.expire(kCoordTimer);
  process.receive_from({kA, kB}, Aux{kFirst, true});
  EXPECT_TRUE(process.commits.empty());
  process.receive(kC, Aux{kFirst, true});
  EXPECT_EQ(process.commits, std::vector{kOne});
  EXPECT_EQ(process.sent<Est>(2), Values{true});
  process.agree(2, true);
  EXPECT_EQ(process.sent<Est>(3), Values{true});
  EXPECT_FALSE(process.state.has_exited);
  process.agree(3, true);
  EXPECT_EQ(process.commits, std::vector{kOne});
  EXPECT_TRUE(process.state.has_exited);
  EXPECT_EQ(process.sent<Est>(4), Values{});
  for (const TimerId timer : {kCoordTimer, kAuxTimer, kResendTimer}) EXPECT_FALSE(process.runs(timer));
}

TEST(Dbft, TheOtherValueIsOnlyItsEstimateForTheNextRound) {
  Process process(kD);
  process.agree(1, false);
  EXPECT_TRUE(process.commits.empty());
  process.agree(2, false);
  EXPECT_EQ(process.commits, std::vector{kZero});
  Process hasty(kD, flag(Bug::kDecideAnyParity));
  hasty.agree(1, false);
  EXPECT_EQ(hasty.commits, std::vector{kZero});
}

TEST(Dbft, ASilentDeciderTakesNoPartInLaterRounds) {
  Process process(kD, flag(Bug::kSilentDeciders));
  process.agree(1, true);
  EXPECT_EQ(process.commits, std::vector{kOne});
  EXPECT_TRUE(process.state.has_exited);
  EXPECT_EQ(process.sent<Est>(2), Values{});
}

TEST(Dbft, DifferentAuxMakeTheParityItsEstimateWhenTheirTimeIsOver) {
  Process process(kD);
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  process.expire(kCoordTimer);
  process.receive_from({kB, kC}, Aux{kFirst, false});
  process.receive(kA, Aux{kFirst, true});
  EXPECT_EQ(process.state.round, kFirst);
  process.expire(kAuxTimer);
  EXPECT_EQ(process.state.round, Round(2));
  EXPECT_EQ(process.sent<Est>(2), Values{true});
  EXPECT_TRUE(process.commits.empty());
}

TEST(Dbft, AuxOfWhatItHasNotDeliveredWaits) {
  Process process(kD);
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  process.expire(kCoordTimer);
  process.receive_from({kA, kB, kC}, Aux{kFirst, true});
  process.expire(kAuxTimer);
  EXPECT_EQ(process.state.round, kFirst);
  process.receive_from({kA, kB, kC}, Est{kFirst, true});
  EXPECT_EQ(process.commits, std::vector{kOne});
}

TEST(Dbft, TheFlagsLowerTheirThresholds) {
  Process aux(kD, flag(Bug::kAuxT1));
  aux.receive_from({kA, kB, kC}, Est{kFirst, true});
  aux.expire(kCoordTimer);
  aux.receive(kA, Aux{kFirst, true});
  EXPECT_TRUE(aux.commits.empty());
  aux.receive(kB, Aux{kFirst, true});
  EXPECT_EQ(aux.commits, std::vector{kOne});
  Process echo(kD, flag(Bug::kEchoT));
  echo.receive(kA, Est{kFirst, true});
  EXPECT_EQ(echo.sent<Est>(1), (Values{false, true}));
}

TEST(Dbft, WhoIsBehindAsksAndWhoIsFurtherSaysItAgain) {
  Process behind(kD);
  behind.receive(kB, Est{Round(3), true});
  behind.receive(kB, Est{Round(3), false});
  ASSERT_EQ(behind.posts.size(), 2U);  // its own EST, and one Ask
  EXPECT_EQ(std::get<Ask>(behind.posts[1].message).round, kFirst);
  EXPECT_EQ(behind.posts[1].to, IdentitySet{kB});

  Process further(kA);
  further.receive(kB, Ask{kFirst});
  EXPECT_EQ(further.posts.size(), 1U);  // both are in round 1
  further.agree(1, false);
  further.posts.clear();
  further.receive(kB, Ask{kFirst});
  EXPECT_EQ(further.sent<Est>(1), (Values{false, true}));
  EXPECT_EQ(further.sent<Coord>(1), Values{false});
  EXPECT_EQ(further.sent<Aux>(1), Values{false});
  // A, B and C said 0, of which nobody said 1: only of 1 may others have missed what A said, and have yet to echo it.
  for (const auto& post : further.posts) {
    const auto* est = std::get_if<Est>(&post.message);
    if (est == nullptr) {
      EXPECT_EQ(post.to, IdentitySet{kB});
    } else {
      EXPECT_EQ(post.to, est->value ? (IdentitySet{kA, kB, kC, kD}) : IdentitySet{kB});
    }
  }
}

TEST(Dbft, WhoIsLateWaitsForNobodysTime) {
  Process process(kD);
  process.receive_from({kB, kC}, Est{Round(2), false});  // t + 1 are further
  process.receive_from({kB, kC, kD}, Est{kFirst, false});
  EXPECT_EQ(process.sent<Aux>(1), Values{false});
}

TEST(Dbft, TheTimerSaysEverythingAgainAndAsks) {
  Process process(kD);
  process.posts.clear();
  process.expire(kResendTimer);
  EXPECT_EQ(process.sent<Est>(1), Values{false});
  EXPECT_TRUE(std::holds_alternative<Ask>(process.posts.back().message));
  EXPECT_TRUE(process.runs(kResendTimer));
}

TEST(Dbft, ARoundTooManyIsAnOverflowAndARoundThatIsNoneIsIgnored) {
  Process process(kD);
  process.receive(kA, Est{Round(State::kMostRounds + 1), true});
  process.receive(kA, Est{Round(0), true});
  EXPECT_FALSE(process.overflowed);
  for (unsigned round = 1; round <= State::kMostRounds; ++round) process.agree(round, round % 2 == 0);
  EXPECT_TRUE(process.overflowed);
}

// Whatever arrives, forged messages and seeded bugs included: one AUX and one COORD a round, and one decision.
TEST(Dbft, NoInputMakesAProcessDecideTwice) {
  int deciding_runs = 0;
  Random random(1);
  for (int run = 0; run < 3000; ++run) {
    const auto self = static_cast<Identity>(random.below(4));  // one after the other, with any compiler
    Process process(self, static_cast<std::uint32_t>(random.below(32)));
    for (int input = 0; input < 200; ++input) {
      const auto from = static_cast<Identity>(random.below(4));
      const Round round(1U + static_cast<unsigned>(random.below(4)));
      const bool value = random.below(2) == 1;
      switch (random.below(5)) {
        case 0: process.receive(from, Est{round, value}); break;
        case 1: process.receive(from, Coord{round, value}); break;
        case 2: process.receive(from, Aux{round, value}); break;
        case 3: process.receive(from, Ask{round}); break;
        default: process.expire(static_cast<TimerId>(random.below(2)));
      }
    }
    ASSERT_LE(process.commits.size(), 1U);
    ASSERT_FALSE(process.overflowed);
    deciding_runs += static_cast<int>(process.commits.size());
    for (unsigned round = 1; round <= 5; ++round) {
      const auto& aux = process.sent<Aux>(round);
      for (const bool value : aux) ASSERT_EQ(value, aux.front());
    }
  }
  EXPECT_EQ(deciding_runs, 2143);  // the inputs do reach L18
}

}  // namespace
}  // namespace nika::dbft
