// Nodes of XRP LCP on a network that is driven by hand: first in, first out, with a filter that may drop or change what
// is sent. A client hands payment n in to the n-th node. For tests only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "nika/model/cluster.hpp"
#include "nika/protocols/xrp_lcp/rules.hpp"
#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"

namespace nika::xrp_lcp {

inline TxSet payments(std::initializer_list<unsigned> numbers, unsigned amount = 1) {
  TxSet set;
  for (const unsigned number : numbers) set.set(number, amount);
  return set;
}

class NodesForTests {
 public:
  // False drops the message.
  using Filter = std::function<bool(unsigned from, unsigned to, Message& message)>;

  explicit NodesForTests(unsigned count, std::string_view unls = {}, const std::vector<Bug>& bugs = {})
      : states(count), timers(count), commits(count), contexts_(count) {
    for (unsigned round = 1; round < leaders_.size(); ++round)
      leaders_[round] = IdentitySet{static_cast<Identity>((round - 1) % count)};
    Cluster cluster = make_cluster(count, {}).value();
    if (!unls.empty()) {
      EXPECT_TRUE(set_unls(cluster, parse_unls(unls).value()).has_value());
    }
    for (unsigned seat = 0; seat < count; ++seat) {
      Context& context = contexts_[seat];
      context.self = static_cast<Identity>(seat);
      context.replica_count = static_cast<std::uint8_t>(count);
      context.fault_count = 1;
      context.fresh = ValueId(Round(0), static_cast<Seat>(seat), 0);
      context.leaders = leaders_.data();
      context.count_only(cluster.unl_of[seat], XrpLcp::kQuorumPercent);
      for (const Bug bug : bugs) context.bugs |= 1U << static_cast<unsigned>(bug);
    }
  }
  NodesForTests(const NodesForTests&) = delete;
  NodesForTests& operator=(const NodesForTests&) = delete;

  void start() {
    for (unsigned seat = 0; seat < states.size(); ++seat)
      step(seat, [&](Outbox<Message>& out) { XrpLcp::start(states[seat], contexts_[seat], out); });
    deliver();
  }
  void give(unsigned from, unsigned to, const Message& message) {
    step(to, [&](Outbox<Message>& out) {
      XrpLcp::receive(states[to], contexts_[to], static_cast<Identity>(from), message, out);
    });
  }
  void deliver() {
    while (!mail_.empty()) {
      Letter letter = mail_.front();
      mail_.pop_front();
      if (!filter || filter(letter.from, letter.to, letter.message)) give(letter.from, letter.to, letter.message);
    }
  }
  // Lets a timer of everybody run out where it runs, and delivers all that comes of it.
  void expire(TimerId timer) {
    for (unsigned seat = 0; seat < states.size(); ++seat) {
      Timer& running = timers[seat][static_cast<unsigned>(timer)];
      if (running.duration == 0) continue;
      running = {};
      step(seat, [&](Outbox<Message>& out) { XrpLcp::expire(states[seat], contexts_[seat], timer, out); });
    }
    deliver();
  }
  // From one open phase to the next.
  void run_round() {
    for (unsigned timer = XrpLcp::kTimerCount; timer > 0; --timer) expire(static_cast<TimerId>(timer - 1));
  }
  const Context& context(unsigned seat) const { return contexts_[seat]; }

  std::vector<State> states;
  std::vector<std::array<Timer, XrpLcp::kTimerCount>> timers;
  std::vector<std::string> commits;  // "1:0 2:1", heights with the transactions of the ledger
  std::vector<Message> sent;
  Filter filter;

 private:
  struct Letter {
    unsigned from;
    unsigned to;
    Message message;
  };
  template <class Action>
  void step(unsigned seat, const Action& action) {
    using Reader = OutboxReader<Message>;
    Outbox<Message> out;
    Reader::open(out, timers[seat], nullptr);
    action(out);
    EXPECT_FALSE(Reader::overflowed(out));
    for (const Sent<Message>& one : Reader::sent(out)) {
      sent.push_back(one.message);
      for (Identity to : one.to) mail_.push_back({seat, index_of(to), one.message});
    }
    for (const Commit& commit : Reader::commits(out)) {
      const unsigned code = (commit.value.packed >> 8U) << 7U | (commit.value.packed & 127U);
      commits[seat] += fmt::format("{}{}:{}", commits[seat].empty() ? "" : " ", commit.height.number, code);
    }
  }

  std::vector<Context> contexts_;
  std::array<IdentitySet, 256> leaders_{};
  std::deque<Letter> mail_;
};

}  // namespace nika::xrp_lcp
