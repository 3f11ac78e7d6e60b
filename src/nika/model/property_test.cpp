#include "nika/model/property.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

// Nobody commits more than one value.
struct OneCommitEach {
  std::array<std::uint8_t, kMaxSeats> count{};

  void committed(const Sight&, Seat seat, Commit) { ++count[index_of(seat)]; }
  bool is_settled(const Sight& sight) const { return judge(sight).verdict == Verdict::kViolated; }
  Judgement judge(const Sight& sight) const {
    for (Seat seat : sight.cluster.seats()) {
      if (count[index_of(seat)] > 1) return Judgement::violated({.kind = "twice", .seats = {seat}});
    }
    return Judgement::holds();
  }
};

// At least three rounds pass.
struct Patience {
  std::uint64_t rounds = 0;

  void passed(const Sight&) { ++rounds; }
  Judgement judge(const Sight&) const {
    return rounds >= 3 ? Judgement::holds() : Judgement::unknown(Unjudged::kCutShort);
  }
};

struct NoOpinion {
  Judgement judge(const Sight&) const { return Judgement::holds(); }
};

constexpr Property kOnce = property_of<OneCommitEach>("once", "nobody commits twice");
constexpr Property kPatience = property_of<Patience>("patience", "three rounds pass");
constexpr Property kNoOpinion = property_of<NoOpinion>("no-opinion", "always holds");

Properties properties(std::initializer_list<const Property*> asked) {
  Properties result;
  for (const Property* property : asked) EXPECT_TRUE(result.push_back(property));
  return result;
}

struct Judged {
  explicit Judged(std::initializer_list<const Property*> asked) : monitors(properties(asked)) {
    monitors.begin(states, sight());
  }
  Sight sight() const { return {cluster, commits, leaders}; }
  void commit(Seat seat) { monitors.committed(states, sight(), seat, {Height(1), kGenesis}); }
  void pass() { monitors.passed(states, sight()); }
  Outcome outcome(bool overflowed = false) {
    Outcome result;
    Sight seen = sight();
    seen.overflowed = overflowed;
    monitors.judge(states, seen, result);
    return result;
  }

  Cluster cluster = make_cluster(4, {}).value();
  CommitLog commits;
  LeaderTable leaders{};
  Monitors monitors;
  MonitorStates states{};
};

TEST(Monitors, JudgeIndependentlyAndInTheOrderAsked) {
  Judged run({&kPatience, &kOnce, &kNoOpinion});
  run.commit(Seat{2});
  run.commit(Seat{2});
  run.pass();
  const Outcome outcome = run.outcome();
  ASSERT_EQ(outcome.judgements.size(), 3U);
  EXPECT_EQ(outcome.judgements[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kCutShort);
  EXPECT_EQ(outcome.judgements[1].verdict, Verdict::kViolated);
  EXPECT_EQ(outcome.judgements[1].evidence.seats, SeatSet{Seat{2}});
  EXPECT_EQ(outcome.judgements[2].verdict, Verdict::kHolds);
  EXPECT_EQ(outcome.violation()->property, &kOnce);
  EXPECT_EQ(outcome.judgement_of(kPatience), &outcome.judgements[0]);
}

TEST(Monitors, AFullBufferLeavesOnlyViolationsStanding) {
  Judged run({&kNoOpinion, &kOnce});
  run.commit(Seat{2});
  run.commit(Seat{2});
  const Outcome outcome = run.outcome(true);
  EXPECT_EQ(outcome.judgements[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(outcome.judgements[0].unjudged, Unjudged::kOverflow);
  EXPECT_EQ(outcome.judgements[1].verdict, Verdict::kViolated);
}

TEST(Monitors, ARunIsSettledWhenAllOfThemAre) {
  Judged one({&kOnce});
  EXPECT_FALSE(one.monitors.are_settled(one.states, one.sight()));
  one.commit(Seat{1});
  one.commit(Seat{1});
  EXPECT_TRUE(one.monitors.are_settled(one.states, one.sight()));
  Judged two({&kOnce, &kPatience});
  two.commit(Seat{1});
  two.commit(Seat{1});
  EXPECT_FALSE(two.monitors.are_settled(two.states, two.sight()));
  Sight full = two.sight();
  full.overflowed = true;
  EXPECT_TRUE(two.monitors.are_settled(two.states, full));
}

TEST(Monitors, TakeNoMoreRoomThanTheirStates) {
  EXPECT_EQ(Monitors(properties({&kOnce, &kNoOpinion, &kPatience})).words(), 3U);
  EXPECT_TRUE(Monitors(properties({&kOnce})).listens());
  EXPECT_FALSE(Monitors(properties({&kPatience, &kNoOpinion})).listens());
}

TEST(Sight, WhoLostItsMemoryCountsAsFaulty) {
  const Judged run({&kOnce});
  Sight sight = run.sight();
  sight.amnesiac = {Seat{1}};
  EXPECT_EQ(sight.faulty(), IdentitySet{Identity{1}});
  EXPECT_TRUE(sight.is_within_threshold(sight.faulty()));
  sight.amnesiac = {Seat{1}, Seat{2}};
  EXPECT_FALSE(sight.is_within_threshold(sight.faulty()));
}

TEST(Outcome, OneViolationCountsMostThenOneUnknown) {
  Outcome outcome;
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  ASSERT_TRUE(outcome.judgements.push_back(Judgement::holds()));
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  ASSERT_TRUE(outcome.judgements.push_back(Judgement::unknown(Unjudged::kNoHealing)));
  EXPECT_EQ(outcome.verdict(), Verdict::kUnknown);
  ASSERT_TRUE(outcome.judgements.push_back(Judgement::violated({})));
  EXPECT_EQ(outcome.verdict(), Verdict::kViolated);
  EXPECT_EQ(outcome.judgement_of(kOnce), nullptr);
}

TEST(Outcome, WhyNothingWasJudgedIsToldInWords) {
  EXPECT_EQ(text_of(Unjudged::kOverflow), "a buffer was full or the protocol never came to rest");
  EXPECT_EQ(text_of(Unjudged::kTooManyFaulty), "more than f nodes are compromised, down or without their memory");
  EXPECT_EQ(text_of(Unjudged::kNobodyCanDecide), "nothing was decided, and nothing had to be");
  EXPECT_EQ(text_of(Unjudged::kNotPromised), "the protocol does not promise it");
  EXPECT_EQ(text_of(Unjudged::kLiarsGoOn),
            "a liar goes on while the network is healed, and the protocol states no bound for that");
  EXPECT_EQ(text_of(Unjudged::kAsynchronous),
            "it loops only while the network's asynchrony goes on, in which nothing is promised");
}

}  // namespace
}  // namespace nika
