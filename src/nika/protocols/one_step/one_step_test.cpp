#include "nika/protocols/one_step/one_step.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nika/base/random.hpp"

namespace nika::one_step {
namespace {

using binary::value_of;

constexpr std::uint32_t kDecideNPlusT = 1;
constexpr std::uint32_t kKeepsOwnValue = 2;
constexpr TimerId kVoteTimer{3};

// One replica, fed by hand. Nobody leads, so that it begins with 0; with `leads` it does, and begins with 1.
class Replica {
 public:
  explicit Replica(unsigned nodes, unsigned faults, std::uint32_t bugs = 0, bool leads = false) {
    if (leads) leaders_->at(1) = IdentitySet{Identity{0}};
    context_.self = Identity{0};
    context_.replica_count = static_cast<std::uint8_t>(nodes);
    context_.fault_count = static_cast<std::uint8_t>(faults);
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), Seat{0}, 0);
    context_.leaders = leaders_->data();
    step([&](auto& out) { OneStep::start(state, context_, out); });
  }

  void receive(unsigned from, const Message& message) {
    step([&](auto& out) { OneStep::receive(state, context_, static_cast<Identity>(from), message, out); });
  }
  // So many votes for 0, then so many for 1, each of another process.
  void vote(unsigned zeros, unsigned ones) {
    for (unsigned i = 0; i < zeros + ones; ++i) receive(i, Vote{i >= zeros, false});
  }
  void expire(TimerId timer) {
    timers_[static_cast<unsigned>(timer)] = {};
    step([&](auto& out) { OneStep::expire(state, context_, timer, out); });
  }
  bool runs(TimerId timer) const { return timers_[static_cast<unsigned>(timer)].duration != 0; }
  template <class Kind>
  std::vector<Sent<Message>> sent() const {
    std::vector<Sent<Message>> found;
    for (const auto& post : posts) {
      if (std::holds_alternative<Kind>(post.message)) found.push_back(post);
    }
    return found;
  }

  State state{};
  std::vector<Sent<Message>> posts;
  std::vector<ValueId> commits;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(*out_, timers_, nullptr);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) posts.push_back(sent);
    for (const Commit& commit : Reader::commits(*out_)) commits.push_back(commit.value);
  }

  Context context_;
  std::shared_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_shared<std::array<IdentitySet, 256>>();
  std::array<Timer, OneStep::kTimerCount> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
};

struct Case {
  unsigned nodes, faults, zeros, ones;
  std::uint32_t bugs;
  Bits decided, handed_over;
};
constexpr Bits kNone{};
constexpr Bits k0 = Bits::of(false);
constexpr Bits k1 = Bits::of(true);

// L4 to L8, for a replica that began with 0: more than (n+3t)/2 decide, more than (n-t)/2 are followed.
TEST(OneStep, DecidesAndHandsOverByTheVotesThatItSees) {
  for (const Case& c : {Case{6, 1, 0, 5, 0, k1, k1}, Case{6, 1, 5, 0, 0, k0, k0}, Case{6, 1, 1, 4, 0, kNone, k1},
                        Case{6, 1, 2, 3, 0, kNone, k1}, Case{8, 1, 1, 6, 0, k1, k1}, Case{8, 1, 2, 5, 0, kNone, k1},
                        Case{4, 1, 3, 0, 0, kNone, k0}, Case{5, 1, 2, 2, 0, kNone, k0}, Case{7, 2, 0, 5, 0, kNone, k1},
                        Case{11, 2, 0, 9, 0, k1, k1}, Case{4, 1, 0, 3, kDecideNPlusT, k1, k1},
                        Case{4, 1, 1, 2, kDecideNPlusT, kNone, k1}, Case{6, 1, 1, 4, kDecideNPlusT, k1, k1},
                        Case{6, 1, 1, 4, kKeepsOwnValue, kNone, k0}}) {
    SCOPED_TRACE(testing::Message() << c.nodes << " nodes, " << c.zeros << " and " << c.ones << ", bugs " << c.bugs);
    Replica replica(c.nodes, c.faults, c.bugs);
    replica.vote(c.zeros, c.ones);
    EXPECT_EQ(replica.state.decided, c.decided);
    EXPECT_EQ(replica.state.handed_over, c.handed_over);
    ASSERT_EQ(replica.sent<dbft::Est>().size(), 1U);
    EXPECT_EQ(Bits::of(std::get<dbft::Est>(replica.sent<dbft::Est>()[0].message).value), c.handed_over);
    if (c.decided.empty()) {
      EXPECT_TRUE(replica.commits.empty());
    } else {
      EXPECT_EQ(replica.commits, std::vector{value_of(c.decided)});
    }
  }
}

TEST(OneStep, WaitsForNMinusTVotesOfDifferentProcessesAndLooksAtNoMore) {
  Replica replica(6, 1);
  replica.vote(0, 4);
  replica.receive(3, Vote{true, false});
  replica.receive(3, Vote{false, false});
  EXPECT_EQ(replica.state.handed_over, kNone);
  replica.receive(4, Vote{false, false});
  EXPECT_EQ(replica.state.handed_over, k1);
  EXPECT_EQ(replica.state.decided, kNone);
  replica.receive(5, Vote{true, false});  // now five of six are 1, but it has looked
  EXPECT_EQ(replica.state.decided, kNone);
}

// What came of the consensus underneath before this replica handed its value over counts there.
TEST(OneStep, TheConsensusUnderneathDecidesForWhoeverHasNot) {
  for (const bool is_fast : {false, true}) {
    Replica replica(6, 1);
    for (unsigned i = 1; i < 4; ++i) replica.receive(i, dbft::Est{Round(1), true});
    EXPECT_TRUE(replica.sent<dbft::Est>().empty());
    replica.vote(is_fast ? 0 : 1, is_fast ? 5 : 4);
    EXPECT_EQ(replica.state.under.records[0].est.delivered, k1);
    EXPECT_EQ(replica.commits.size(), is_fast ? 1U : 0U);
    replica.expire(TimerId{0});
    for (unsigned i = 1; i < 6; ++i) replica.receive(i, dbft::Aux{Round(1), true});
    EXPECT_EQ(replica.commits, std::vector{value_of(k1)}) << "once, whichever came first";
  }
}

TEST(OneStep, WhoLacksVotesAsksAndWhoHasHandedOverAnswers) {
  Replica replica(4, 1, 0, true);
  replica.posts.clear();
  replica.receive(1, Vote{true, true});
  EXPECT_TRUE(replica.posts.empty()) << "it has its own timer still";
  replica.expire(kVoteTimer);
  ASSERT_EQ(replica.posts.size(), 1U);
  EXPECT_TRUE(std::get<Vote>(replica.posts[0].message).asks);
  EXPECT_TRUE(replica.runs(kVoteTimer));
  replica.receive(2, Vote{true, false});
  replica.receive(3, Vote{true, false});
  EXPECT_FALSE(replica.runs(kVoteTimer));
  replica.posts.clear();
  replica.receive(3, Vote{true, true});
  ASSERT_EQ(replica.posts.size(), 1U);
  EXPECT_EQ(replica.posts[0].to, IdentitySet{Identity{3}});
  EXPECT_TRUE(std::get<Vote>(replica.posts[0].message).value);
  EXPECT_FALSE(std::get<Vote>(replica.posts[0].message).asks);
}

// Whatever arrives, forged messages and seeded bugs included: one hand-over, and one decision.
TEST(OneStep, NoInputMakesAReplicaDecideTwice) {
  Random random(1);
  int deciding_runs = 0;
  for (int run = 0; run < 1000; ++run) {
    Replica replica(6, 1, static_cast<std::uint32_t>(random.below(4)), random.below(2) == 1);
    for (int input = 0; input < 120; ++input) {
      const auto from = static_cast<unsigned>(random.below(6));
      const Round round(1U + static_cast<unsigned>(random.below(3)));
      const bool value = random.below(2) == 1;
      switch (random.below(6)) {
        case 0: replica.receive(from, Vote{value, random.below(2) == 1}); break;
        case 1: replica.receive(from, dbft::Est{round, value}); break;
        case 2: replica.receive(from, dbft::Coord{round, value}); break;
        case 3: replica.receive(from, dbft::Aux{round, value}); break;
        case 4: replica.receive(from, dbft::Ask{round}); break;
        default: replica.expire(static_cast<TimerId>(random.below(4)));
      }
    }
    ASSERT_LE(replica.commits.size(), 1U);
    deciding_runs += static_cast<int>(replica.commits.size());
  }
  EXPECT_GT(deciding_runs, 100);
}

}  // namespace
}  // namespace nika::one_step
