#include "nika/protocols/honeybadger/acs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "nika/base/random.hpp"
#include "nika/protocols/honeybadger/parts.hpp"
#include "nika/protocols/honeybadger/rules.hpp"

namespace nika::honeybadger {
namespace {

using bracha::Echo;
using bracha::Initial;
using bracha::Ready;
using mmr::Ask;
using mmr::BVal;
using mmr::Decided;

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};
constexpr TimerId kResendTimer{0};
const ValueId kNothing = ValueId::nameless(Round(0), 0);

std::uint32_t flag(Bug bug) { return 1U << static_cast<unsigned>(bug); }
ValueId value_of(Identity node) { return {Round(1), static_cast<Seat>(node), 0}; }

// One of four nodes, fed by hand. Coins show the parity of their numbers.
class Node {
 public:
  explicit Node(Identity self, std::uint32_t bugs = 0, unsigned nodes = 4) {
    context.self = self;
    context.replica_count = static_cast<std::uint8_t>(nodes);
    context.fault_count = 1;
    context.bugs = bugs;
    context.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context.leaders = leaders_->data();
    context.coin.coins = coins.get();
    step([&](auto& out) { Acs::start(*state, context, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { Acs::receive(*state, context, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  void expire() {
    timers_[0] = {};
    step([&](auto& out) { Acs::expire(*state, context, kResendTimer, out); });
  }
  // Enough to deliver the broadcast of a node, and to decide its agreement.
  void deliver(Identity node) { receive_from({kA, kB, kC}, Of<Ready>{node, {value_of(node)}}); }
  void decide(Identity node, bool value) { receive_from({kA, kB, kC}, Of<Decided>{node, {Round(1), value}}); }

  bool is_waiting() const { return timers_[0].duration != 0; }
  template <class Part>
  std::vector<Part> sent(Identity instance) const {
    std::vector<Part> found;
    for (const auto& post : posts) {
      const auto* match = std::get_if<Of<Part>>(&post.message);
      if (match != nullptr && match->instance == instance) found.push_back(match->message);
    }
    return found;
  }
  bool has_input(Identity instance) const { return state->given.contains(instance); }
  bool has_input(Identity instance, bool value) const {
    const auto sent_bval = sent<BVal>(instance);
    return has_input(instance) && !sent_bval.empty() && sent_bval[0].value == value;
  }

  Context context{};
  std::unique_ptr<Coins> coins = std::make_unique<Coins>();
  std::unique_ptr<State> state = std::make_unique<State>();
  std::vector<Sent<Message>> posts;
  std::vector<ValueId> commits;
  bool overflowed = false;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(*out_, timers_, nullptr, *slots_);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) posts.push_back(sent);
    for (const Commit& commit : Reader::commits(*out_)) {
      EXPECT_EQ(commit.height.number, commits.size() + 1);
      commits.push_back(commit.value);
    }
    overflowed = overflowed || Reader::overflowed(*out_);
  }

  std::unique_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_unique<std::array<IdentitySet, 256>>();
  std::array<Timer, Acs::kTimerCount> timers_{};
  std::unique_ptr<Outbox<Message>> out_ = std::make_unique<Outbox<Message>>();
  std::unique_ptr<std::array<Sent<Message>, 256>> slots_ = std::make_unique<std::array<Sent<Message>, 256>>();
};

using Values = std::vector<ValueId>;

TEST(Acs, ANodeBroadcastsItsInputInItsOwnInstance) {
  const Node node(kC);
  ASSERT_EQ(node.sent<Initial>(kC).size(), 1U);
  EXPECT_EQ(node.sent<Initial>(kC)[0].value, value_of(kC));
  EXPECT_EQ(node.posts.size(), 1U);
}

TEST(Acs, OnlyTheNodeOfAnInstanceIsItsSender) {
  Node node(kD);
  node.receive(kB, Of<Initial>{kA, {value_of(kB)}});
  EXPECT_TRUE(node.sent<Echo>(kA).empty());
  node.receive(kA, Of<Initial>{kA, {value_of(kA)}});
  EXPECT_EQ(node.sent<Echo>(kA).size(), 1U);
  EXPECT_TRUE(node.sent<Echo>(kB).empty());
}

TEST(Acs, ADeliveredBroadcastIsTheInputOneOfItsAgreementAndOfNoOther) {
  Node node(kD);
  node.receive_from({kA, kB}, Of<Ready>{kA, {value_of(kA)}});
  EXPECT_FALSE(node.has_input(kA));
  node.receive(kC, Of<Ready>{kA, {value_of(kA)}});
  EXPECT_TRUE(node.has_input(kA, true));
  EXPECT_FALSE(node.has_input(kB) || node.has_input(kC) || node.has_input(kD));
}

TEST(Acs, NMinusFOnesAreTheInputZeroOfTheOthers) {
  Node node(kD);
  for (const Identity j : {kA, kB}) node.decide(j, true);
  EXPECT_FALSE(node.has_input(kC) || node.has_input(kD));
  node.decide(kC, true);
  EXPECT_TRUE(node.has_input(kD, false));
  EXPECT_TRUE(node.commits.empty());
  node.deliver(kD);  // too late for another input
  EXPECT_EQ(node.sent<BVal>(kD).size(), 1U);
}

TEST(Acs, OutputsTheValuesOfTheOnesWhenAllOfThemAreThere) {
  Node node(kD);
  for (const Identity j : {kA, kB, kC}) node.decide(j, true);
  node.decide(kD, false);
  EXPECT_TRUE(node.commits.empty());
  node.deliver(kA);
  node.deliver(kB);
  node.deliver(kD);  // it was refused
  EXPECT_TRUE(node.commits.empty());
  EXPECT_TRUE(node.is_waiting());
  node.deliver(kC);
  EXPECT_EQ(node.commits, (Values{value_of(kA), value_of(kB), value_of(kC), kNothing}));
  EXPECT_FALSE(node.is_waiting());
}

TEST(Acs, AnAgreementHearsOthersBeforeItHasAnInput) {
  Node node(kD);
  node.receive_from({kA, kB, kC}, Of<BVal>{kA, {Round(1), true}});
  EXPECT_TRUE(node.sent<BVal>(kA).empty());
  EXPECT_TRUE(node.sent<mmr::Aux>(kA).empty());
  node.expire();
  ASSERT_EQ(node.sent<Ask>(kA).size(), 1U);
  EXPECT_EQ(node.sent<Ask>(kA)[0].round, Round(0));
  EXPECT_TRUE(node.sent<BVal>(kA).empty());
  node.deliver(kA);
  EXPECT_TRUE(node.has_input(kA, true));
  EXPECT_EQ(node.sent<mmr::Aux>(kA).size(), 1U);
}

TEST(Acs, WhoWaitsForABroadcastOnlyAsksForIt) {
  Node node(kD);
  for (const Identity j : {kA, kB, kC}) node.decide(j, true);
  node.decide(kD, false);
  node.posts.clear();
  node.expire();
  EXPECT_EQ(node.sent<Ask>(kA).size(), 1U);
  EXPECT_TRUE(node.sent<Ask>(kD).empty());
  EXPECT_TRUE(node.is_waiting());
}

TEST(Acs, WhoIsDoneAnswersTheAskerAlone) {
  Node node(kD);
  for (const Identity j : {kA, kB, kC, kD}) node.deliver(j);
  for (const Identity j : {kA, kB, kC, kD}) node.decide(j, true);
  ASSERT_FALSE(node.is_waiting());
  node.posts.clear();
  node.receive(kB, Of<Ask>{kA, {Round(0)}});
  EXPECT_EQ(node.sent<Ready>(kA).size(), 1U);
  EXPECT_EQ(node.sent<Decided>(kA).size(), 1U);
  for (const auto& post : node.posts) EXPECT_EQ(post.to, IdentitySet::single(kB));
}

TEST(Acs, EachInstanceAndRoundHasACoinOfItsOwn) {
  Node node(kD);
  EXPECT_EQ(Acs::coin_number(node.context, kA, Round(1)), 1U);
  EXPECT_EQ(Acs::coin_number(node.context, kD, Round(1)), 4U);
  EXPECT_EQ(Acs::coin_number(node.context, kA, Round(2)), 6U);
  // What an instance sees is what the schedule has at that number, and the asked number is the replica's.
  node.coins->show(Round(7), true);
  node.coins->show(Round(12), true);
  mmr::PartState state;
  state.round = Round(2);
  {
    const Agreement part(node.context, kB, state, Round(3));
    EXPECT_TRUE(part.context().coin(Round(2)));
    EXPECT_TRUE(part.context().coin(Round(3)));
  }
  EXPECT_EQ(node.context.coin.latest_asked, 12U);
}

TEST(Acs, MoreNodesThanThereIsRoomForAreAnOverflow) {
  EXPECT_FALSE(Node(kA, 0, 4).overflowed);
  EXPECT_TRUE(Node(kA, 0, 5).overflowed);
}

TEST(AcsBugs, AreReadWhereTheyAreNamed) {
  Node hasty(kD, flag(Bug::kZerosTooEarly));
  for (const Identity j : {kA, kB}) hasty.decide(j, true);
  EXPECT_TRUE(hasty.has_input(kC, false));

  Node impatient(kD, flag(Bug::kOutputWithoutWaiting));
  for (const Identity j : {kA, kB, kC}) impatient.decide(j, true);
  impatient.deliver(kB);
  impatient.decide(kD, false);
  EXPECT_EQ(impatient.commits, (Values{kNothing, value_of(kB), kNothing, kNothing}));

  Node gullible(kD, flag(Bug::kOneBeforeDelivery));
  gullible.receive(kA, Of<Initial>{kA, {value_of(kA)}});
  EXPECT_TRUE(gullible.has_input(kA, true));

  Node silent(kD, flag(Bug::kNoZeros));
  for (const Identity j : {kA, kB, kC}) silent.decide(j, true);
  EXPECT_FALSE(silent.has_input(kD));

  for (const bool confirms : {true, false}) {
    Node node(kD, confirms ? 0 : flag(Bug::kWithoutConf));
    node.deliver(kA);
    node.receive_from({kA, kB, kC}, Of<BVal>{kA, {Round(1), true}});
    node.receive_from({kA, kB, kC}, Of<mmr::Aux>{kA, {Round(1), true}});
    EXPECT_EQ(node.sent<mmr::Conf>(kA).size(), confirms ? 1U : 0U);
    EXPECT_EQ(node.context.coin.latest_asked, confirms ? 0U : 1U);
  }
}

// Four nodes whose messages arrive in a drawn order.
class Cluster {
 public:
  explicit Cluster(std::uint64_t seed, IdentitySet up) : random_(seed), up_(up) {
    for (unsigned i = 0; i < 4; ++i) nodes_.push_back(std::make_unique<Node>(static_cast<Identity>(i)));
    for (std::size_t i = 0; i < 4; ++i) collect(static_cast<Identity>(i));
  }
  void run() {
    while (!flying_.empty()) {
      const auto at = static_cast<std::size_t>(random_.below(flying_.size()));
      const Flying next = flying_[at];
      flying_[at] = flying_.back();
      flying_.pop_back();
      nodes_[index_of(next.to)]->receive(next.from, next.message);
      collect(next.to);
    }
  }
  const Node& node(Identity id) const { return *nodes_[index_of(id)]; }

 private:
  struct Flying {
    Identity from{}, to{};
    Message message{};
  };
  void collect(Identity from) {
    Node& node = *nodes_[index_of(from)];
    for (const auto& post : node.posts) {
      if (!up_.contains(from)) continue;
      for (const Identity to : post.to& up_) flying_.push_back({from, to, post.message});
    }
    node.posts.clear();
  }

  Random random_;
  IdentitySet up_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Flying> flying_;
};

TEST(Acs, AllOutputTheSameThreeValuesOrMoreInAnyOrder) {
  std::array<int, 5> runs{};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const IdentitySet up = seed % 2 == 0 ? IdentitySet::first(4) : IdentitySet::first(3);
    Cluster cluster(seed, up);
    cluster.run();
    const Values& output = cluster.node(kA).commits;
    ASSERT_EQ(output.size(), 4U);
    std::size_t values = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      if (output[j] == kNothing) continue;
      EXPECT_EQ(output[j], value_of(static_cast<Identity>(j)));
      ++values;
    }
    ++runs[values];
    for (const Identity id : up) {
      EXPECT_EQ(cluster.node(id).commits, output);
      EXPECT_FALSE(cluster.node(id).is_waiting());
    }
  }
  EXPECT_EQ(runs, (std::array{0, 0, 0, 50, 50}));
}

// Whatever comes, nothing breaks: a node outputs once, and one slot for each node.
TEST(Acs, AnyMessagesAreSurvived) {
  Random random(7);
  for (unsigned run = 0; run < 60; ++run) {
    Node node(kD);
    for (unsigned i = 0; i < 400; ++i) {
      const auto j = static_cast<Identity>(random.below(run % 2 == 0 ? 4 : 6));
      const auto from = static_cast<Identity>(random.below(4));
      const Round round(static_cast<unsigned>(random.below(run % 3 == 0 ? 256 : 4)));
      const bool value = random.below(2) == 1;
      const ValueId subject = value_of(static_cast<Identity>(random.below(4)));
      switch (random.below(9)) {
        case 0: node.receive(from, Of<Initial>{j, {subject}}); break;
        case 1: node.receive(from, Of<Echo>{j, {subject}}); break;
        case 2: node.receive(from, Of<Ready>{j, {subject}}); break;
        case 3: node.receive(from, Of<BVal>{j, {round, value}}); break;
        case 4: node.receive(from, Of<mmr::Aux>{j, {round, value}}); break;
        case 5: node.receive(from, Of<mmr::Conf>{j, {round, value, random.below(2) == 1}}); break;
        case 6: node.receive(from, Of<Ask>{j, {round}}); break;
        case 7:
          node.receive(from, random.below(8) == 0 ? Message(Of<Decided>{j, {round, value}}) : Of<Ask>{j, {round}});
          break;
        default:
          if (node.is_waiting()) node.expire();
      }
    }
    EXPECT_TRUE(node.commits.empty() || node.commits.size() == 4);
  }
}

}  // namespace
}  // namespace nika::honeybadger
