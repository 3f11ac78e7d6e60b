// One seat of Zyzzyva that is fed by hand: A to D are replicas, 5 and 6 the clients, behind the twin of A on seat 4.
// A leads view 1, B leads view 2, D leads view 3. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::zyzzyva {

inline constexpr Identity kClientOne{5};
inline constexpr Identity kClientTwo{6};
inline constexpr RequestName kOne{Seat{5}, 1};  // the first request of each
inline constexpr RequestName kTwo{Seat{6}, 1};

// Each client's requests in their order.
inline History history(Round view, std::initializer_list<RequestName> requests) {
  History result{{}, view};
  for (const RequestName request : requests) EXPECT_TRUE(result.slots.append(request, kOne.client));
  return result;
}

class SeatForTests {
 public:
  SeatForTests(unsigned identity, unsigned input_seat) {
    for (unsigned view = 1; view <= 3; ++view)
      leaders_[view] = IdentitySet{static_cast<Identity>(view == 3 ? 3 : view - 1)};
    context_.self = static_cast<Identity>(identity);
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(input_seat), 0);
    context_.leaders = leaders_.data();
    context_.clients = {kClientOne, kClientTwo};
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::start(state, context_, out); });
  }
  SeatForTests(const SeatForTests&) = delete;
  SeatForTests& operator=(const SeatForTests&) = delete;

  void receive(unsigned from, const Zyzzyva::Message& message) {
    const auto identity = static_cast<Identity>(from);
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::receive(state, context_, identity, message, out); });
  }
  void expire(TimerId timer) {
    step([&](Outbox<Zyzzyva::Message>& out) { Zyzzyva::expire(state, context_, timer, out); });
  }
  template <class Message>
  std::vector<Message> sent() const {
    std::vector<Message> matches;
    for (const auto& sent : sent_) {
      if (const auto* match = std::get_if<Message>(&sent.message)) matches.push_back(*match);
    }
    return matches;
  }
  template <class Message>
  std::vector<IdentitySet> receivers() const {
    std::vector<IdentitySet> matches;
    for (const auto& sent : sent_) {
      if (std::holds_alternative<Message>(sent.message)) matches.push_back(sent.to);
    }
    return matches;
  }
  std::vector<Commit> commits;
  State state{};

 private:
  template <class Input>
  void step(Input&& input) {
    OutboxReader<Zyzzyva::Message>::open(out_, timers_, nullptr);
    input(out_);
    for (const auto& sent : OutboxReader<Zyzzyva::Message>::sent(out_)) sent_.push_back(sent);
    for (const Commit& commit : OutboxReader<Zyzzyva::Message>::commits(out_)) commits.push_back(commit);
    EXPECT_FALSE(OutboxReader<Zyzzyva::Message>::overflowed(out_));
  }

  Context context_;
  std::array<IdentitySet, 8> leaders_{};
  std::array<Timer, Zyzzyva::kTimerCount> timers_{};
  Outbox<Zyzzyva::Message> out_;
  std::vector<Sent<Zyzzyva::Message>> sent_;
};

}  // namespace nika::zyzzyva
