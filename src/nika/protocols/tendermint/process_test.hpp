// One of four Tendermint processes, fed by hand, for tests of its rules. A leads rounds 1, 5 and so on, B rounds 2 and
// 6, C rounds 3 and 7, D rounds 4 and 8.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "nika/protocols/tendermint/tendermint.hpp"

namespace nika::tendermint {

inline constexpr TimerId kProposeTimer{0};
inline constexpr TimerId kPrevoteTimer{1};
inline constexpr TimerId kPrecommitTimer{2};
inline constexpr TimerId kGossipTimer{3};
inline constexpr Identity kA{0};
inline constexpr Identity kB{1};
inline constexpr Identity kC{2};
inline constexpr Identity kD{3};
inline constexpr ValueId kOne(Round(1), Seat{0}, 0);
inline constexpr ValueId kTwo(Round(1), Seat{4}, 0);

inline Proposal proposal(ValueId value, unsigned round, unsigned valid_round = 0, unsigned height = 1) {
  return {value, Height(height), Round(round), Round(valid_round), 0};
}
inline Prevote prevote(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round)}};
}
inline Precommit precommit(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round)}};
}
inline Prevotes polka(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round), Round(0), 0}};
}
inline std::uint32_t flag(unsigned bug) { return 1U << bug; }

class Process {
 public:
  explicit Process(Identity self, std::uint32_t bugs = 0) {
    for (unsigned i = 1; i < leaders_->size(); ++i) (*leaders_)[i] = {static_cast<Identity>((i - 1) % 4)};
    context_.self = self;
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.bugs = bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_->data();
    step([&](auto& out) { Tendermint::start(state, context_, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { Tendermint::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  void expire(TimerId timer) {
    timers_[static_cast<unsigned>(timer)] = {};
    step([&](auto& out) { Tendermint::expire(state, context_, timer, out); });
  }
  // By L55: two others are there.
  void come_to(unsigned round, unsigned height = 1) {
    for (const Identity other : {kA, kC}) receive(other, Status{Height(height), Round(round), Step::kPropose, false});
    ASSERT_EQ(state.round, Round(round));
  }

  bool runs(TimerId timer) const { return duration(timer) != 0; }
  Ticks duration(TimerId timer) const { return timers_[static_cast<unsigned>(timer)].duration; }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> found;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) found.push_back(*match);
    }
    return found;
  }
  void forget_sent() { sent_.clear(); }
  std::size_t sent_count() const { return sent_.size(); }

  State state{};
  std::vector<Commit> commits;
  bool overflowed = false;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(*out_, timers_, nullptr);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) sent_.push_back(sent.message);
    for (const Commit& commit : Reader::commits(*out_)) commits.push_back(commit);
    overflowed = overflowed || Reader::overflowed(*out_);
  }

  Context context_;
  std::shared_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_shared<std::array<IdentitySet, 256>>();
  std::array<Timer, Tendermint::kTimerCount> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
  std::vector<Message> sent_;
};

// It has seen a polka for the value that A proposed, and is locked on it.
inline Process locked_in_round_one(Identity self = kD, std::uint32_t bugs = 0) {
  Process process(self, bugs);
  process.receive(kA, proposal(kOne, 1));
  process.receive_from({kA, kB, kC}, prevote(kOne, 1));
  return process;
}

}  // namespace nika::tendermint
