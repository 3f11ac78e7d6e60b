#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nika/base/random.hpp"

namespace nika::bv_broadcast {
namespace {

using binary::Bits;
using binary::value_of;

constexpr std::uint32_t kEchoT = 1;
constexpr std::uint32_t kDeliver2T = 2;

// One replica, fed by hand. It remembers all that it put into its outbox. B leads, so that B begins with 1.
class Replica {
 public:
  explicit Replica(unsigned nodes, unsigned faults, std::uint32_t bugs = 0, Identity self = Identity{2},
                   Seat input = Seat{2}) {
    leaders_[1] = IdentitySet{Identity{1}};
    context_.self = self;
    context_.replica_count = static_cast<std::uint8_t>(nodes);
    context_.fault_count = static_cast<std::uint8_t>(faults);
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), input, 0);
    context_.leaders = leaders_.data();
    step([&](Outbox<BvBroadcast::Message>& out) { BvBroadcast::start(state, context_, out); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void receive(Identity from, bool value) {
    step(
        [&](Outbox<BvBroadcast::Message>& out) { BvBroadcast::receive(state, context_, from, BvMessage{value}, out); });
  }
  void receive_from(int count, bool value) {
    for (int i = 0; i < count; ++i) receive(static_cast<Identity>(i), value);
  }
  void expire() {
    step([&](Outbox<BvBroadcast::Message>& out) { BvBroadcast::expire(state, context_, TimerId{0}, out); });
  }
  bool ignores(Identity from, bool value) const {
    return BvBroadcast::ignores(state, context_, from, BvMessage{value});
  }

  State state{};
  std::vector<bool> sent;
  std::vector<Commit> commits;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<BvBroadcast::Message>;
    Reader::open(out_, timers_, nullptr);
    input(out_);
    for (const auto& post : Reader::sent(out_)) {
      EXPECT_EQ(post.to, context_.everyone());
      sent.push_back(std::get<BvMessage>(post.message).value);
    }
    for (const Commit& commit : Reader::commits(out_)) commits.push_back(commit);
  }

  Context context_;
  std::array<IdentitySet, 3> leaders_{};
  std::array<Timer, kMaxTimers> timers_{};
  Outbox<BvBroadcast::Message> out_;
};

using Values = std::vector<bool>;

TEST(BvBroadcast, LeadersOfRoundOneBeginWith1AndATwinWithTheOtherValue) {
  EXPECT_EQ(Replica(4, 1).sent, Values{false});
  EXPECT_EQ(Replica(4, 1, 0, Identity{1}, Seat{1}).sent, Values{true});
  EXPECT_EQ(Replica(4, 1, 0, Identity{1}, Seat{4}).sent, Values{false});  // B'
  EXPECT_EQ(Replica(4, 1, 0, Identity{0}, Seat{4}).sent, Values{true});   // A'
  EXPECT_EQ(Replica(4, 1, 0, Identity{2}, Seat{1}).sent, Values{true});   // the scenario gives C the input of B
}

struct Case {
  unsigned nodes;
  unsigned faults;
  std::uint32_t bugs;
  int echo;
  int deliver;
};

TEST(BvBroadcast, AValueIsEchoedAfterTPlus1AndDeliveredAfter2TPlus1) {
  for (const Case& c : {Case{4, 1, 0, 2, 3}, Case{7, 2, 0, 3, 5}, Case{9, 2, 0, 3, 5}, Case{4, 1, kEchoT, 1, 3},
                        Case{7, 2, kEchoT, 2, 5}, Case{4, 1, kDeliver2T, 2, 2}, Case{7, 2, kDeliver2T, 3, 4}}) {
    Replica replica(c.nodes, c.faults, c.bugs);
    replica.receive_from(c.echo - 1, true);
    replica.receive_from(c.echo - 1, true);  // a repeated message counts once
    EXPECT_EQ(replica.sent, Values{false}) << c.nodes << " nodes, bugs " << c.bugs;
    replica.receive_from(c.echo, true);
    EXPECT_EQ(replica.sent, (Values{false, true})) << c.nodes << " nodes, bugs " << c.bugs;
    replica.receive_from(c.deliver - 1, true);
    EXPECT_EQ(replica.commits.size(), c.echo == c.deliver ? 1U : 0U) << c.nodes << " nodes, bugs " << c.bugs;
    replica.receive_from(c.deliver, true);
    ASSERT_EQ(replica.commits.size(), 1U) << c.nodes << " nodes, bugs " << c.bugs;
    EXPECT_EQ(replica.commits[0].height, Height(2));
    EXPECT_EQ(replica.commits[0].value, value_of(Bits::of(true)));
  }
}

TEST(BvBroadcast, BothValuesAreDeliveredInEitherOrder) {
  for (const bool first : {false, true}) {
    Replica replica(4, 1);
    replica.receive_from(3, first);
    replica.receive_from(4, !first);
    ASSERT_EQ(replica.commits.size(), 2U);
    EXPECT_EQ(replica.commits[0].height, Height(first ? 2 : 1));
    EXPECT_EQ(replica.commits[1].height, Height(3));
    EXPECT_EQ(replica.commits[1].value, value_of(Bits::both()));
    EXPECT_EQ(replica.sent, (Values{false, true}));
  }
}

TEST(BvBroadcast, TheTimerSaysEverythingAgain) {
  Replica replica(4, 1);
  replica.expire();
  EXPECT_EQ(replica.sent, (Values{false, false}));
  replica.receive_from(2, true);
  replica.sent.clear();
  replica.expire();
  EXPECT_EQ(replica.sent, (Values{false, true}));
}

// What it says it ignores changes neither its state nor what it does, whatever comes in between.
TEST(BvBroadcast, WhatIsIgnoredMakesNoDifference) {
  Random random(1);
  int ignored = 0;
  for (int run = 0; run < 2000; ++run) {
    Replica one(4, 1, static_cast<std::uint32_t>(run % 4));
    Replica other(4, 1, static_cast<std::uint32_t>(run % 4));
    for (int input = 0; input < 12; ++input) {
      const auto from = static_cast<Identity>(random.below(4));
      const bool value = random.below(2) == 1;
      if (one.ignores(from, value)) {
        ++ignored;
      } else {
        one.receive(from, value);
      }
      other.receive(from, value);
      State one_rest = one.state;
      State other_rest = other.state;
      BvBroadcast::forget_heard(one_rest);
      BvBroadcast::forget_heard(other_rest);
      ASSERT_EQ(one_rest.bv, other_rest.bv);
    }
    ASSERT_EQ(one.sent, other.sent);
    ASSERT_EQ(one.commits.size(), other.commits.size());
  }
  EXPECT_EQ(ignored, 14381);
}

}  // namespace
}  // namespace nika::bv_broadcast
