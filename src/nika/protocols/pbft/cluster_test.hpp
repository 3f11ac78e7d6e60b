// Four replicas A to D and two clients of PBFT on a network that is driven by hand: first in, first out, with a filter
// that may drop or change what is sent. A leads view 1, B view 2, and so on. For tests only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "nika/protocols/pbft/pbft.hpp"

namespace nika::pbft {

enum : unsigned { kA, kB, kC, kD, kOne, kTwo };  // seats and identities
inline constexpr Request kC1{Seat{kOne}, 1};     // the first request of each client
inline constexpr Request kC2{Seat{kTwo}, 1};

class ClusterForTests {
 public:
  // False drops the message.
  using Filter = std::function<bool(unsigned from, unsigned to, Message& message)>;
  struct Letter {
    unsigned from;
    unsigned to;
    Message message;
  };

  explicit ClusterForTests(std::initializer_list<Bug> bugs = {}) {
    for (unsigned view = 1; view < leaders_.size(); ++view)
      leaders_[view] = IdentitySet{static_cast<Identity>((view - 1) % 4)};
    for (unsigned seat = 0; seat < kSeats; ++seat) {
      Context& context = contexts_[seat];
      context.self = static_cast<Identity>(seat);
      context.replica_count = 4;
      context.fault_count = 1;
      context.fresh = ValueId(Round(0), static_cast<Seat>(seat), 0);
      context.leaders = leaders_.data();
      context.clients = {Identity{kOne}, Identity{kTwo}};
      for (const Bug bug : bugs) context.bugs |= 1U << static_cast<unsigned>(bug);
    }
  }
  ClusterForTests(const ClusterForTests&) = delete;
  ClusterForTests& operator=(const ClusterForTests&) = delete;

  // Starts everybody and delivers all that comes of it.
  void start() {
    for (unsigned seat = 0; seat < kSeats; ++seat)
      step(seat, [&](Outbox<Message>& out) { Pbft::start(states[seat], contexts_[seat], out); });
    deliver();
  }
  void give(unsigned from, unsigned to, const Message& message) {
    step(to, [&](Outbox<Message>& out) {
      Pbft::receive(states[to], contexts_[to], static_cast<Identity>(from), message, out);
    });
  }
  void deliver() {
    while (!mail_.empty()) {
      Letter letter = mail_.front();
      mail_.pop_front();
      if (!filter || filter(letter.from, letter.to, letter.message)) give(letter.from, letter.to, letter.message);
    }
  }
  // Lets a timer run out, if it runs, and delivers all that comes of it.
  void expire(std::initializer_list<unsigned> seats, TimerId timer) {
    for (const unsigned seat : seats) {
      Timer& running = timers[seat][static_cast<unsigned>(timer)];
      if (running.duration == 0) continue;
      running = {};
      step(seat, [&](Outbox<Message>& out) { Pbft::expire(states[seat], contexts_[seat], timer, out); });
    }
    deliver();
  }
  // Everybody gives up on the view, and its successor starts and orders what waits.
  void change_view() {
    expire({kA, kB, kC, kD}, kViewTimer);
    expire({kA, kB, kC, kD}, kJoinTimer);
    expire({kA, kB, kC, kD}, kNewViewTimer);
    expire({kA, kB, kC, kD}, kOrderTimer);
  }
  // Both clients go on to their next requests, through a read each.
  void next_updates() {
    expire({kOne, kTwo}, kThinkTimer);
    expire({kOne, kTwo}, kThinkAfterReadTimer);
  }

  std::string commits_of(unsigned seat) const {
    std::string result;
    for (const nika::Commit& commit : commits_[seat]) {
      const bool is_null = commit.value == Request{}.value();
      const std::string name =
          is_null ? "null"
                  : fmt::format("c{}.{}{}", index_of(commit.value.seat()) - kOne + 1, commit.value.round().number,
                                commit.value.incarnation() == 0 ? "" : "!");
      result += fmt::format("{}{}@{}", result.empty() ? "" : " ", name, commit.height.number);
    }
    return result;
  }
  // Messages that were put down, each once for all receivers.
  template <class Kind>
  std::vector<Kind> sent(unsigned from) const {
    std::vector<Kind> matches;
    for (const auto& [sender, message] : sent_) {
      if (const auto* match = std::get_if<Kind>(&message); match != nullptr && sender == from)
        matches.push_back(*match);
    }
    return matches;
  }

  static constexpr unsigned kSeats = 6;
  std::array<State, kSeats> states{};
  std::array<std::array<Timer, Pbft::kTimerCount>, kSeats> timers{};
  Filter filter;

 private:
  template <class Input>
  void step(unsigned seat, Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(out_, timers[seat], nullptr);
    input(out_);
    for (const auto& sent : Reader::sent(out_)) {
      sent_.emplace_back(seat, sent.message);
      for (const Identity to : sent.to) mail_.push_back({seat, index_of(to), sent.message});
    }
    for (const nika::Commit& commit : Reader::commits(out_)) commits_[seat].push_back(commit);
    EXPECT_FALSE(Reader::overflowed(out_));
  }

  std::array<Context, kSeats> contexts_{};
  std::array<IdentitySet, 256> leaders_{};
  std::deque<Letter> mail_;
  std::vector<std::pair<unsigned, Message>> sent_;
  std::array<std::vector<nika::Commit>, kSeats> commits_;
  Outbox<Message> out_;
};

template <class Kind>
bool is(const Message& message) {
  return std::holds_alternative<Kind>(message);
}

}  // namespace nika::pbft
