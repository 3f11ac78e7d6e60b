#include "nika/explore/after_faults.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/termination.hpp"

namespace nika {
namespace {

constexpr ValueId kOne{Round(1), Seat{4}, 0};
constexpr ValueId kTwo{Round(1), Seat{5}, 0};
const ValueId kNobodys = ValueId::nameless(Round(0), 0);

struct Fact {
  Seat seat{};
  unsigned height = 0;
  ValueId value{};
};

CommitLog log_of(std::initializer_list<Fact> facts) {
  CommitLog log;
  for (const Fact& fact : facts) log.record(fact.seat, {Height(fact.height), fact.value});
  return log;
}

TEST(AfterFaults, OneValueAtEachHeightAndEachAtOneHeightIsPlain) {
  EXPECT_TRUE(is_plain(log_of({}), false));
  EXPECT_TRUE(is_plain(log_of({{Seat{0}, 1, kOne}, {Seat{1}, 1, kOne}, {Seat{1}, 3, kTwo}}), false));
  EXPECT_FALSE(is_plain(log_of({{Seat{0}, 1, kOne}, {Seat{1}, 1, kTwo}}), false));
  EXPECT_FALSE(is_plain(log_of({{Seat{0}, 1, kOne}, {Seat{1}, 1, kTwo}}), true));
  EXPECT_FALSE(is_plain(log_of({{Seat{0}, 1, kOne}, {Seat{1}, 2, kOne}}), false));
}

TEST(AfterFaults, WhatLeadersRepeatAndWhatNobodyMadeMayStandAtTwoHeights) {
  EXPECT_TRUE(is_plain(log_of({{Seat{0}, 1, kOne}, {Seat{1}, 2, kOne}}), true));
  EXPECT_TRUE(is_plain(log_of({{Seat{0}, 1, kNobodys}, {Seat{1}, 2, kNobodys}}), false));
}

// What is judged of a run, as a name.
class Judged {
 public:
  Judged() {
    for (const Property* property : {&kAgreement, &kIntegrity, &kTermination})
      EXPECT_TRUE(properties_.push_back(property));
    new (states_.data()) IntegrityMonitor();
    new (states_.data() + kIntegrityWords) TerminationMonitor();
  }
  IntegrityMonitor& integrity() { return *static_cast<IntegrityMonitor*>(static_cast<void*>(states_.data())); }
  TerminationMonitor& termination() {
    return *static_cast<TerminationMonitor*>(static_cast<void*>(states_.data() + kIntegrityWords));
  }
  Fingerprint name(std::initializer_list<Fact> facts) const {
    ByteWriter writer;
    write_judged(writer, log_of(facts), states_, properties_);
    return writer.fingerprint();
  }

 private:
  static constexpr std::size_t kIntegrityWords = (sizeof(IntegrityMonitor) + 7) / 8;
  Properties properties_{};
  MonitorStates states_{};
};

TEST(AfterFaults, WhoCommittedFirstIsNotPartOfTheNameAndWhatWasCommittedIs) {
  const Judged judged;
  const Fingerprint name = judged.name({{Seat{0}, 1, kOne}, {Seat{1}, 1, kOne}});
  EXPECT_EQ(name, judged.name({{Seat{1}, 1, kOne}, {Seat{0}, 1, kOne}}));
  EXPECT_NE(name, judged.name({{Seat{0}, 1, kTwo}, {Seat{1}, 1, kTwo}}));
  EXPECT_NE(name, judged.name({{Seat{0}, 1, kOne}, {Seat{2}, 1, kOne}}));
  EXPECT_NE(name, judged.name({{Seat{0}, 1, kOne}, {Seat{1}, 1, kTwo}}));
}

TEST(AfterFaults, WhatEachSeatCommittedIsPartOfTheNameOnlyWhereALogHasGaps) {
  Judged judged;
  const Fingerprint whole = judged.name({{Seat{0}, 1, kOne}});
  const Fingerprint with_gap = judged.name({{Seat{0}, 2, kOne}});
  judged.integrity().seats[0] = {1, 1, 0};
  EXPECT_EQ(whole, judged.name({{Seat{0}, 1, kOne}}));
  EXPECT_NE(with_gap, judged.name({{Seat{0}, 2, kOne}}));
  judged.integrity().broken.is_found = 1;
  EXPECT_NE(whole, judged.name({{Seat{0}, 1, kOne}}));
}

TEST(AfterFaults, WhoLedTheHealingIsPartOfTheNameUntilAllHaveDecided) {
  Judged judged;
  const Fingerprint waiting = judged.name({});
  judged.termination().owed = TerminationMonitor::Owed::kNothing;
  const Fingerprint decided = judged.name({});
  judged.termination().healing.honest_turns = 2;
  EXPECT_EQ(decided, judged.name({}));
  judged.termination().healing.down = SeatSet::single(Seat{1});
  EXPECT_NE(decided, judged.name({}));
  judged.termination().healing.down = {};
  judged.termination().owed = TerminationMonitor::Owed::kSomething;
  EXPECT_NE(waiting, judged.name({}));
}

Outcome ending(Verdict verdict) {
  Outcome outcome;
  Judgement judgement = verdict == Verdict::kViolated ? Judgement::violated({}) : Judgement::holds();
  EXPECT_TRUE(outcome.judgements.push_back(judgement));
  outcome.rounds = 27;
  outcome.has_committed = true;
  return outcome;
}

TEST(AfterFaults, WhatARunCameToIsKnownOfAllItsWorldsAlsoIfItsEndWasKnown) {
  Properties properties;
  ASSERT_TRUE(properties.push_back(&kAgreement));
  KnownFutures futures;
  Outcome outcome;
  EXPECT_FALSE(futures.comes_to({1, 1}, outcome, properties));
  futures.learn(ending(Verdict::kHolds));
  futures.forget_path();
  EXPECT_FALSE(futures.comes_to({2, 2}, outcome, properties));
  EXPECT_TRUE(futures.comes_to({1, 1}, outcome, properties));
  futures.forget_path();
  outcome = {};
  ASSERT_TRUE(futures.comes_to({2, 2}, outcome, properties));
  EXPECT_EQ(outcome.rounds, 27);
  EXPECT_TRUE(outcome.has_committed);
  EXPECT_EQ(outcome.judgements[0].verdict, Verdict::kHolds);
}

TEST(AfterFaults, ARunThatBreaksSomethingIsRunAgain) {
  Properties properties;
  ASSERT_TRUE(properties.push_back(&kAgreement));
  KnownFutures futures;
  Outcome outcome;
  EXPECT_FALSE(futures.comes_to({1, 1}, outcome, properties));
  futures.learn(ending(Verdict::kViolated));
  futures.forget_path();
  EXPECT_FALSE(futures.comes_to({1, 1}, outcome, properties));
}

}  // namespace
}  // namespace nika
