#include "nika/protocols/zyzzyva/zyzzyva.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nika/protocols/zyzzyva/view_change.hpp"

namespace nika::zyzzyva {
namespace {

constexpr ValueId kOne{Round(1), Seat{0}, 0};
constexpr ValueId kTwo{Round(1), Seat{4}, 0};
constexpr Round kSecond{2};

// Replica D of four, fed by hand. A leads view 1, B leads view 2, D itself view 3.
class Replica {
 public:
  Replica() {
    for (unsigned view = 1; view <= 3; ++view)
      leaders_[view] = IdentitySet{static_cast<Identity>(view == 3 ? 3 : view - 1)};
    context_.self = Identity{3};
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.fresh = ValueId(Round(0), Seat{3}, 0);
    context_.leaders = leaders_.data();
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::start(state, context_, out); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void receive(unsigned from, const Zyzzyva::Message& message) {
    const auto identity = static_cast<Identity>(from);
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::receive(state, context_, identity, message, out); });
  }
  void expire(unsigned timer) {
    const auto id = static_cast<TimerId>(timer);
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::expire(state, context_, id, out); });
  }
  template <class Message>
  std::vector<Message> sent() const {
    std::vector<Message> matches;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Message>(&message)) matches.push_back(*match);
    }
    return matches;
  }
  int commits = 0;
  State state{};

 private:
  template <class Input>
  void step(Input&& input) {
    OutboxReader<Zyzzyva::Message>::open(out_, timers_.data(), false);
    input(out_);
    for (const auto& sent : OutboxReader<Zyzzyva::Message>::sent(out_)) sent_.push_back(sent.message);
    commits += static_cast<int>(OutboxReader<Zyzzyva::Message>::commits(out_).size());
    EXPECT_FALSE(OutboxReader<Zyzzyva::Message>::overflowed(out_));
  }

  Context context_;
  std::array<IdentitySet, 8> leaders_{};
  std::array<Timer, Zyzzyva::kTimerCount> timers_{};
  Outbox<Zyzzyva::Message> out_;
  std::vector<Zyzzyva::Message> sent_;
};

History history(Round view, std::initializer_list<ValueId> requests) {
  History result;
  for (const ValueId request : requests) result = result.with(request);
  return result.in_view(view);
}

// A NEW-VIEW of view 2 whose reports say that `voters` of A, B, C voted for kOne in view 1.
NewView new_view(const History& start, unsigned reporters, unsigned voters) {
  NewView message{start, {}};
  for (unsigned i = 0; i < reporters; ++i) {
    const History accepted = i < voters ? history(Round(1), {kOne}) : History{};
    EXPECT_TRUE(add_report(message.reports, static_cast<Identity>(i), {}, accepted));
  }
  return message;
}

TEST(ZyzzyvaReplica, OrdersAreAcceptedFromThePrimaryInSequence) {
  Replica replica;
  const History first = history(Round(1), {kOne});
  const History second = history(Round(1), {kOne, kOne});
  replica.receive(0, OrderReq{second});  // a hole
  replica.receive(1, OrderReq{first});   // not the primary
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 0U);
  replica.receive(0, OrderReq{first});
  replica.receive(0, OrderReq{history(Round(1), {kTwo})});        // the slot is taken
  replica.receive(0, OrderReq{history(Round(1), {kTwo, kOne})});  // another history
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 1U);
  replica.receive(0, OrderReq{second});
  EXPECT_EQ(replica.sent<SpecResponse>().size(), 2U);
  EXPECT_EQ(replica.state.accepted, second);
}

TEST(ZyzzyvaReplica, ANewViewIsAcceptedOnlyIfItsReportsProveIt) {
  const History kept = history(kSecond, {kOne});
  const History fresh = history(kSecond, {ValueId(kSecond, Seat{1}, 0)});
  const auto is_accepted = [](const NewView& message, unsigned from = 1) {
    Replica replica;
    replica.receive(from, message);
    return replica.sent<SpecResponse>().size() == 1;
  };
  EXPECT_TRUE(is_accepted(new_view(kept, 3, 2)));
  EXPECT_FALSE(is_accepted(new_view(kept, 3, 2), 2));                         // not the primary
  EXPECT_FALSE(is_accepted(new_view(kept, 2, 2)));                            // too few reports
  EXPECT_FALSE(is_accepted(new_view(kept, 3, 1)));                            // too few votes
  EXPECT_FALSE(is_accepted(new_view(fresh, 3, 2)));                           // a request that is open is left out
  EXPECT_FALSE(is_accepted(new_view(history(kSecond, {kTwo}), 3, 2)));        // another one is put in its place
  EXPECT_TRUE(is_accepted(new_view(fresh, 3, 0)));                            // nothing is open
  EXPECT_FALSE(is_accepted(new_view(history(kSecond, {kOne, kOne}), 3, 2)));  // more than is proved
}

TEST(ZyzzyvaReplica, ANewViewUndoesSpeculation) {
  Replica replica;
  replica.receive(0, OrderReq{history(Round(1), {kTwo})});
  replica.receive(1, new_view(history(kSecond, {kOne}), 3, 2));
  EXPECT_EQ(replica.state.accepted, history(kSecond, {kOne}));
  EXPECT_EQ(replica.state.view, kSecond);
  replica.receive(1, new_view(history(kSecond, {ValueId(kSecond, Seat{1}, 0)}), 3, 0));  // one in each view
  EXPECT_EQ(replica.state.accepted, history(kSecond, {kOne}));
}

TEST(ZyzzyvaReplica, WhoHasLeftAViewAcknowledgesNothingOfIt) {
  const History certified = history(Round(1), {kOne});
  Replica in_time;
  in_time.receive(0, CommitCertificate{certified});
  EXPECT_EQ(in_time.sent<LocalCommit>().size(), 1U);
  Replica late;
  late.expire(0);
  EXPECT_EQ(late.sent<ViewChange>().size(), 1U);
  late.receive(0, CommitCertificate{certified});
  EXPECT_EQ(late.sent<LocalCommit>().size(), 0U);
  EXPECT_EQ(late.state.certificate, certified);  // but it tells the next primary but one
}

TEST(ZyzzyvaReplica, ACertifiedRequestIsCommittedAfter2FPlus1Acknowledgements) {
  Replica replica;
  const History certified = history(Round(1), {kOne});
  replica.receive(0, LocalCommit{certified});  // of what is not known to be certified
  replica.receive(0, CommitCertificate{certified});
  for (const unsigned from : {0U, 1U, 1U}) replica.receive(from, LocalCommit{certified});
  EXPECT_EQ(replica.commits, 0);
  replica.receive(2, LocalCommit{certified});
  EXPECT_EQ(replica.commits, 1);
}

TEST(ZyzzyvaReplica, ThePrimaryWaitsForMoreThan2FPlus1ReportsAndThenUsesThemAll) {
  Replica replica;
  replica.expire(0);
  replica.expire(0);
  ASSERT_EQ(replica.state.view, Round(3));
  for (const unsigned from : {0U, 1U, 2U}) {
    replica.receive(from, ViewChange{{}, history(Round(1), {kOne}), Round(3)});
    EXPECT_EQ(replica.sent<NewView>().size(), 0U);
  }
  replica.expire(1);
  ASSERT_EQ(replica.sent<NewView>().size(), 1U);
  EXPECT_EQ(identities_in(replica.sent<NewView>()[0].reports), 4);
  EXPECT_EQ(replica.sent<NewView>()[0].history, history(Round(3), {kOne}));
}

}  // namespace
}  // namespace nika::zyzzyva
