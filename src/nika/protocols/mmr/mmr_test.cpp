#include "nika/protocols/mmr/mmr.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nika/base/random.hpp"
#include "nika/protocols/mmr/rules.hpp"

namespace nika::mmr {
namespace {

using Values = std::vector<bool>;
using binary::value_of;

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};
constexpr TimerId kResendTimer{0};
const ValueId kZero = value_of(Bits::of(false));
const ValueId kOne = value_of(Bits::of(true));

std::uint32_t flag(Bug bug) { return 1U << static_cast<unsigned>(bug); }

// One of four processes, fed by hand. A begins with 1, the others with 0; coins show the parity of their rounds.
template <class P>
class Process {
 public:
  explicit Process(Identity self, std::uint32_t bugs = 0) {
    (*leaders_)[1] = {kA};
    context_.self = self;
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_->data();
    context_.coin.coins = coins_.get();
    step([&](auto& out) { P::start(state, context_, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { P::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  void expire() {
    timers_[0] = {};
    step([&](auto& out) { P::expire(state, context_, kResendTimer, out); });
  }
  void deliver(unsigned round, bool value) { receive_from({kA, kB, kC}, BVal{Round(round), value}); }

  bool is_waiting() const { return timers_[0].duration != 0; }
  unsigned asked_until() const { return context_.coin.latest_asked; }
  template <class Kind>
  Values sent(unsigned round) const {
    Values found;
    for (const auto& post : posts) {
      const auto* match = std::get_if<Kind>(&post.message);
      if (match != nullptr && match->round == Round(round)) found.push_back(match->value);
    }
    return found;
  }
  template <class Kind>
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(posts, [](const auto& post) { return std::holds_alternative<Kind>(post.message); }));
  }

  State state{};
  std::vector<Sent<Message>> posts;
  std::vector<ValueId> commits;
  bool overflowed = false;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(*out_, timers_, nullptr);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) posts.push_back(sent);
    for (const Commit& commit : Reader::commits(*out_)) commits.push_back(commit.value);
    overflowed = overflowed || Reader::overflowed(*out_);
  }

  Context context_;
  std::shared_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_shared<std::array<IdentitySet, 256>>();
  std::shared_ptr<Coins> coins_ = std::make_shared<Coins>();
  std::array<Timer, Common::kTimerCount> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
};

TEST(Mmr14, BeginsWithItsInputAndEchoesAfterTPlus1) {
  EXPECT_EQ(Process<Mmr14>(kA).sent<BVal>(1), Values{true});
  Process<Mmr14> process(kD);
  EXPECT_EQ(process.sent<BVal>(1), Values{false});
  process.receive(kA, BVal{Round(1), true});
  EXPECT_EQ(process.sent<BVal>(1), Values{false});
  process.receive(kB, BVal{Round(1), true});
  EXPECT_EQ(process.sent<BVal>(1), (Values{false, true}));
}

TEST(Mmr14, AuxIsWhatWasDeliveredFirst) {
  Process<Mmr14> process(kD);
  process.deliver(1, true);
  process.deliver(1, false);
  EXPECT_EQ(process.sent<Aux>(1), Values{true});
  EXPECT_EQ(process.state.records[0].bv.delivered, Bits::both());
}

TEST(Mmr14, OneValueIsDecidedIfTheCoinShowsIt) {
  Process<Mmr14> process(kD);
  process.deliver(1, true);
  process.receive_from({kA, kB}, Aux{Round(1), true});
  EXPECT_EQ(process.asked_until(), 0U);
  process.receive(kC, Aux{Round(1), true});
  EXPECT_EQ(process.asked_until(), 1U);
  EXPECT_EQ(process.commits, std::vector<ValueId>{kOne});
  EXPECT_EQ(process.state.round, Round(2));
  EXPECT_EQ(process.sent<BVal>(2), Values{true});
}

TEST(Mmr14, OneValueThatTheCoinDoesNotShowIsKept) {
  Process<Mmr14> process(kD);
  process.deliver(1, false);
  process.receive_from({kA, kB, kC}, Aux{Round(1), false});
  EXPECT_TRUE(process.commits.empty());
  EXPECT_EQ(process.sent<BVal>(2), Values{false});
}

TEST(Mmr14, OfBothValuesTheCoinsIsTaken) {
  Process<Mmr14> process(kD);
  process.deliver(1, false);
  process.receive_from({kA, kB}, Aux{Round(1), false});
  process.receive(kC, Aux{Round(1), true});
  EXPECT_EQ(process.state.round, Round(1));  // 1 is not delivered
  process.deliver(1, true);
  EXPECT_TRUE(process.commits.empty());
  EXPECT_EQ(process.sent<BVal>(2), Values{true});
}

TEST(Mmr14, WhatCameTooEarlyCountsWhenItsRoundBegins) {
  Process<Mmr14> process(kD);
  process.deliver(2, false);
  process.receive_from({kA, kB, kC}, Aux{Round(2), false});
  EXPECT_TRUE(process.sent<BVal>(2).empty());
  process.deliver(1, false);
  process.receive_from({kA, kB, kC}, Aux{Round(1), false});
  EXPECT_EQ(process.commits, std::vector<ValueId>{kZero});
  EXPECT_EQ(process.state.round, Round(3));
}

TEST(Mmr14, TPlus1DecidersAreFollowedAnd2TPlus1EndIt) {
  Process<Mmr14> process(kD);
  process.receive(kA, Decided{Round(1), true});
  EXPECT_TRUE(process.commits.empty());
  process.receive(kB, Decided{Round(4), true});
  EXPECT_EQ(process.commits, std::vector<ValueId>{kOne});
  EXPECT_TRUE(process.state.has_halted);  // A, B and itself
  EXPECT_FALSE(process.is_waiting());
  process.receive(kC, Ask{Round(9)});  // who asks may be further than who followed
  EXPECT_EQ(process.sent<Decided>(1), (Values{true, true}));
}

TEST(Mmr14, WhoHadDecidedSaysItAgainWheneverItEndsARound) {
  Process<Mmr14> process(kD);
  for (const unsigned round : {1U, 2U, 3U}) {
    process.deliver(round, true);
    process.receive_from({kA, kB, kC}, Aux{Round(round), true});
    EXPECT_EQ(process.count<Decided>(), round);
    EXPECT_EQ(process.sent<Decided>(round == 1 ? 1 : round + 1), Values{true});
  }
  EXPECT_EQ(process.commits, std::vector<ValueId>{kOne});
  process.receive_from({kA, kB}, Decided{Round(4), true});
  EXPECT_TRUE(process.state.has_halted);
}

TEST(Mmr14, SaysAgainWhatItSaidAndAsks) {
  Process<Mmr14> process(kD);
  process.expire();
  EXPECT_EQ(process.sent<BVal>(1), (Values{false, false}));
  EXPECT_EQ(process.count<Ask>(), 1U);
  EXPECT_TRUE(process.is_waiting());
}

TEST(Mmr14Conf, TheCoinIsAskedForAfterNMinusTConfirmations) {
  Process<Mmr14Conf> process(kD);
  process.deliver(1, true);
  process.receive_from({kA, kB, kC}, Aux{Round(1), true});
  EXPECT_EQ(process.count<Conf>(), 1U);
  EXPECT_EQ(process.asked_until(), 0U);
  process.receive_from({kA, kB}, Conf{Round(1), false, true});
  process.receive(kC, Conf{Round(1), true, true});
  EXPECT_EQ(process.asked_until(), 0U);  // 0 is not delivered
  process.receive(kD, Conf{Round(1), false, true});
  EXPECT_EQ(process.commits, std::vector<ValueId>{kOne});
}

TEST(Mmr14Conf, BothValuesAreThoseOfAllConfirmations) {
  Process<Mmr14Conf> process(kD);
  process.deliver(1, false);
  process.deliver(1, true);
  process.receive_from({kA, kB, kC}, Aux{Round(1), false});
  process.receive_from({kA, kB}, Conf{Round(1), true, false});
  process.receive(kC, Conf{Round(1), true, true});
  EXPECT_TRUE(process.commits.empty());
  EXPECT_EQ(process.sent<BVal>(2), Values{true});  // the coin's
}

TEST(MmrBugs, AreReadWhereTheyAreNamed) {
  Process<Mmr14> echoes(kD, flag(Bug::kEchoT));
  echoes.receive(kA, BVal{Round(1), true});
  EXPECT_EQ(echoes.sent<BVal>(1), (Values{false, true}));
  Process<Mmr14> hasty(kD, flag(Bug::kAuxT1));
  hasty.deliver(1, true);
  hasty.receive_from({kA, kB}, Aux{Round(1), true});
  EXPECT_EQ(hasty.commits, std::vector<ValueId>{kOne});
  Process<Mmr14> stubborn(kD, flag(Bug::kDecideAnyCoin));
  stubborn.deliver(1, false);
  stubborn.receive_from({kA, kB, kC}, Aux{Round(1), false});
  EXPECT_EQ(stubborn.commits, std::vector<ValueId>{kZero});
  Process<Mmr14> gullible(kD, flag(Bug::kDecidedT));
  gullible.receive(kA, Decided{Round(1), true});
  EXPECT_EQ(gullible.commits, std::vector<ValueId>{kOne});
  Process<Mmr14> silent(kD, flag(Bug::kSilentDeciders));
  silent.deliver(1, true);
  silent.receive_from({kA, kB, kC}, Aux{Round(1), true});
  EXPECT_TRUE(silent.state.has_halted);
}

TEST(Mmr14, ForgetsRoundsThatAllHaveLeft) {
  Process<Mmr14> ahead(kD);
  ahead.deliver(1, false);
  ahead.receive_from({kA, kB, kC}, Aux{Round(1), false});
  ahead.receive(kB, BVal{Round(3), true});
  std::array<State, 2> states{ahead.state, ahead.state};
  std::vector<Message> old{Aux{Round(1), false}};
  ASSERT_TRUE(Common::fold(states, old, {}));
  EXPECT_EQ(states[0].first, Round(1));
  std::vector<Message> young{Aux{Round(2), false}};
  ASSERT_TRUE(Common::fold(states, young, {}));
  EXPECT_EQ(states[0].first, Round(2));
  ASSERT_EQ(states[0].records.size(), 2U);
  EXPECT_EQ(states[0].records[0], ahead.state.records[1]);
  EXPECT_EQ(states[0].records[1], ahead.state.records[2]);
  EXPECT_FALSE(Common::fold(states, young, {nullptr, true}));
}

// Whatever comes, nothing breaks: a process never decides twice and never says two things in AUX.
TEST(Mmr14, AnyMessagesAreSurvived) {
  Random random(7);
  for (unsigned run = 0; run < 200; ++run) {
    Process<Mmr14Conf> process(kD);
    for (unsigned i = 0; i < 200; ++i) {
      const Round round(static_cast<unsigned>(random.below(run % 2 == 0 ? 4 : 256)));
      const auto from = static_cast<Identity>(random.below(4));
      const bool value = random.below(2) == 1;
      switch (random.below(6)) {
        case 0: process.receive(from, BVal{round, value}); break;
        case 1: process.receive(from, Aux{round, value}); break;
        case 2: process.receive(from, Conf{round, value, random.below(2) == 1}); break;
        case 3: process.receive(from, Ask{round}); break;
        case 4: process.receive(from, random.below(8) == 0 ? Message(Decided{round, value}) : Ask{round}); break;
        default: process.expire();
      }
    }
    EXPECT_LE(process.commits.size(), 1U);
  }
}

}  // namespace
}  // namespace nika::mmr
