#include "nika/protocols/bracha/bracha.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "nika/base/random.hpp"

namespace nika::bracha {
namespace {

constexpr Identity kSender{0};
constexpr ValueId kValue{Round(1), Seat{0}, 0};
constexpr ValueId kOther{Round(1), Seat{4}, 0};  // of the sender's twin
constexpr std::uint32_t kEchoMajority = 1;
constexpr std::uint32_t kQuorum2f = 2;

using Reader = OutboxReader<Bracha::Message>;

// One replica, fed by hand. It remembers all that it put into its outbox.
class Replica {
 public:
  explicit Replica(unsigned nodes, unsigned faults, std::uint32_t bugs = 0, Identity self = Identity{1}) {
    leaders_[1] = IdentitySet{kSender};
    context_.self = self;
    context_.replica_count = static_cast<std::uint8_t>(nodes);
    context_.fault_count = static_cast<std::uint8_t>(faults);
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_.data();
    step([&](Outbox<Bracha::Message>& out) { Bracha::start(state, context_, out); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void receive(Identity from, const Bracha::Message& message) {
    step([&](Outbox<Bracha::Message>& out) { Bracha::receive(state, context_, from, message, out); });
  }
  void expire() {
    step([&](Outbox<Bracha::Message>& out) { Bracha::expire(state, context_, TimerId{0}, out); });
  }
  // The same message from the first `count` identities after the sender.
  void receive_from(int count, const Bracha::Message& message) {
    for (int i = 1; i <= count; ++i) receive(static_cast<Identity>(i), message);
  }
  template <class Kind>
  std::vector<ValueId> sent() const {
    std::vector<ValueId> values;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) values.push_back(match->value);
    }
    return values;
  }
  const std::vector<ValueId>& commits() const { return commits_; }
  bool overflowed() const { return overflowed_; }
  Ticks resend_ticks() const { return timers_[0].duration; }

  State state{};

 private:
  template <class Input>
  void step(Input&& input) {
    Reader::open(out_, timers_, nullptr);
    input(out_);
    for (const auto& sent : Reader::sent(out_)) {
      EXPECT_EQ(sent.to, context_.everyone());
      sent_.push_back(sent.message);
    }
    for (const Commit& commit : Reader::commits(out_)) {
      EXPECT_EQ(commit.height, Height(1));
      commits_.push_back(commit.value);
    }
    overflowed_ = overflowed_ || Reader::overflowed(out_);
  }

  Context context_;
  std::array<IdentitySet, 3> leaders_{};
  std::array<Timer, kMaxTimers> timers_{};
  Outbox<Bracha::Message> out_;
  std::vector<Bracha::Message> sent_;
  std::vector<ValueId> commits_;
  bool overflowed_ = false;
};

using Values = std::vector<ValueId>;

TEST(Bracha, OnlyTheSenderStartsABroadcast) {
  EXPECT_EQ(Replica(4, 1, 0, kSender).sent<Initial>(), Values{kValue});
  EXPECT_EQ(Replica(4, 1).sent<Initial>(), Values{});
}

TEST(Bracha, TheFirstInitialOfTheSenderIsEchoedAndNoOther) {
  Replica replica(4, 1);
  replica.receive(Identity{2}, Initial{kOther});
  EXPECT_EQ(replica.sent<Echo>(), Values{});
  replica.receive(kSender, Initial{kValue});
  replica.receive(kSender, Initial{kValue});
  replica.receive(kSender, Initial{kOther});
  EXPECT_EQ(replica.sent<Echo>(), Values{kValue});
}

struct EchoCase {
  unsigned nodes;
  unsigned faults;
  std::uint32_t bugs;
  int needed;
};

TEST(Bracha, ReadyNeedsMoreThanHalfOfNPlusFEchoes) {
  for (const EchoCase& c : {EchoCase{4, 1, 0, 3}, EchoCase{5, 1, 0, 4}, EchoCase{6, 1, 0, 4}, EchoCase{7, 2, 0, 5},
                            // A majority is the same number in a cluster of four: there the bug changes nothing.
                            EchoCase{4, 1, kEchoMajority, 3}, EchoCase{5, 1, kEchoMajority, 3},
                            EchoCase{7, 2, kEchoMajority, 4}, EchoCase{4, 1, kQuorum2f, 2}}) {
    Replica replica(c.nodes, c.faults, c.bugs);
    replica.receive_from(c.needed - 1, Echo{kValue});
    replica.receive_from(c.needed - 1, Echo{kValue});  // a repeated echo counts once
    EXPECT_EQ(replica.sent<Ready>(), Values{}) << c.nodes << " nodes, bugs " << c.bugs;
    replica.receive_from(c.needed, Echo{kValue});
    EXPECT_EQ(replica.sent<Ready>(), Values{kValue}) << c.nodes << " nodes, bugs " << c.bugs;
  }
}

TEST(Bracha, EchoesOfDifferentValuesAreNotAddedUp) {
  Replica replica(4, 1);
  replica.receive_from(2, Echo{kValue});
  replica.receive(Identity{3}, Echo{kOther});
  EXPECT_EQ(replica.sent<Ready>(), Values{});
}

TEST(Bracha, WhoNeverHeardTheSenderJoinsAfterFPlus1Readies) {
  Replica replica(7, 2);
  replica.receive_from(2, Ready{kValue});
  EXPECT_EQ(replica.sent<Echo>(), Values{});
  EXPECT_EQ(replica.sent<Ready>(), Values{});
  replica.receive_from(3, Ready{kValue});
  EXPECT_EQ(replica.sent<Echo>(), Values{kValue});
  EXPECT_EQ(replica.sent<Ready>(), Values{kValue});
  EXPECT_EQ(replica.commits(), Values{});
}

TEST(Bracha, AcceptsAfter2FPlus1Readies) {
  Replica replica(7, 2);
  replica.receive_from(4, Ready{kValue});
  EXPECT_EQ(replica.commits(), Values{});
  replica.receive_from(5, Ready{kValue});
  EXPECT_EQ(replica.commits(), Values{kValue});
  Replica faulty(7, 2, kQuorum2f);
  faulty.receive_from(4, Ready{kValue});
  EXPECT_EQ(faulty.commits(), Values{kValue});
}

TEST(Bracha, TheTimerSaysEverythingAgainAndRunsOn) {
  Replica sender(4, 1, 0, kSender);
  const Ticks ticks = sender.resend_ticks();
  EXPECT_GT(ticks, 0);
  sender.expire();
  EXPECT_EQ(sender.sent<Initial>(), (Values{kValue, kValue}));
  EXPECT_EQ(sender.resend_ticks(), ticks);

  Replica replica(4, 1);
  replica.expire();
  EXPECT_EQ(replica.sent<Echo>(), Values{});
  replica.receive_from(2, Ready{kValue});
  replica.expire();
  EXPECT_EQ(replica.sent<Initial>(), Values{});
  EXPECT_EQ(replica.sent<Echo>(), (Values{kValue, kValue}));
  EXPECT_EQ(replica.sent<Ready>(), (Values{kValue, kValue}));
}

TEST(Bracha, TheOrderOfArrivalLeavesNoTraceInTheTallies) {
  Replica one(4, 1);
  Replica other(4, 1);
  one.receive(Identity{2}, Echo{kValue});
  one.receive(Identity{3}, Echo{kOther});
  other.receive(Identity{3}, Echo{kOther});
  other.receive(Identity{2}, Echo{kValue});
  EXPECT_EQ(std::memcmp(&one.state, &other.state, sizeof one.state), 0);
}

TEST(Bracha, AValueTooManyIsAnOverflow) {
  Replica replica(4, 1);
  for (unsigned seat = 0; seat < State::kMaxValues; ++seat) {
    replica.receive(Identity{2}, Echo{ValueId(Round(1), static_cast<Seat>(seat), 0)});
  }
  EXPECT_FALSE(replica.overflowed());
  replica.receive(Identity{2}, Echo{ValueId(Round(1), Seat{15}, 0)});
  EXPECT_TRUE(replica.overflowed());
}

// Whatever arrives, forged messages and seeded bugs included: a replica echoes, readies and accepts one value at most.
TEST(Bracha, NoInputMakesAReplicaCommitTwoValues) {
  constexpr std::array kValues{kGenesis, kValue, kOther, ValueId(Round(1), Seat{2}, 1)};
  std::array<int, 4> accepting_runs{};
  Random random(1);
  for (int run = 0; run < 4000; ++run) {
    const auto bugs = static_cast<std::uint32_t>(run % 4);
    Replica replica(4, 1, bugs, static_cast<Identity>(random.below(4)));
    for (int input = 0; input < 60; ++input) {
      const ValueId value = kValues[random.below(kValues.size())];
      const auto from = static_cast<Identity>(random.below(4));
      switch (random.below(4)) {
        case 0: replica.receive(from, Initial{value}); break;
        case 1: replica.receive(from, Echo{value}); break;
        case 2: replica.receive(from, Ready{value}); break;
        default: replica.expire();
      }
    }
    ASSERT_LE(replica.commits().size(), 1U);
    accepting_runs[bugs] += static_cast<int>(replica.commits().size());
    for (const ValueId echoed : replica.sent<Echo>()) ASSERT_EQ(echoed, replica.state.echoed);
    for (const ValueId readied : replica.sent<Ready>()) ASSERT_EQ(readied, replica.state.readied);
    ASSERT_EQ(replica.state.accepted, replica.commits().empty() ? kGenesis : replica.commits()[0]);
  }
  EXPECT_EQ(accepting_runs, (std::array{880, 878, 995, 1000}));  // the inputs do reach Step 3
}

}  // namespace
}  // namespace nika::bracha
