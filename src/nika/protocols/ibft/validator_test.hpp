// One of four IBFT validators, fed by hand, for tests of its rules. A leads rounds 1, 5 and so on, B rounds 2 and 6, C
// rounds 3 and 7, D rounds 4 and 8.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nika/protocols/ibft/ibft.hpp"

namespace nika::ibft {

inline constexpr Identity kA{0};
inline constexpr Identity kB{1};
inline constexpr Identity kC{2};
inline constexpr Identity kD{3};
inline constexpr ValueId kOne(Round(1), Seat{0}, 0);
inline constexpr ValueId kTwo(Round(2), Seat{1}, 0);
inline constexpr std::uint32_t kNoBug = 0;
inline constexpr std::uint32_t kLocked = 1U << 0U;
inline constexpr std::uint32_t kSmallQuorum = 1U << 1U;

inline Prepared prepared(ValueId value, unsigned round, unsigned height = 1) {
  return {value, Height(height), Round(round)};
}
inline RoundChange round_change(unsigned round, const Prepared& what = {}, unsigned height = 1) {
  return {what, Height(height), Round(round)};
}
// In the first round of a height.
inline PrePrepare first_proposal(ValueId value, unsigned height = 1) {
  return {value, {}, Height(height), Round(height)};
}
// In a later one, with a quorum of ROUND-CHANGE messages of which the latest certificate is this.
inline PrePrepare later_proposal(ValueId value, unsigned round, const Prepared& latest = {}) {
  return {value, {latest.value, Height(1), Round(round), latest.round, 0}, Height(1), Round(round)};
}
inline Prepare prepare(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round)}};
}
inline Commit commit(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round)}};
}
inline Block block(ValueId value, unsigned round, unsigned height = 1) {
  return {{value, Height(height), Round(round)}};
}

struct Cast {
  std::uint32_t bugs = kNoBug;
  std::uint8_t validators = 4;
};

class OneValidator {
 public:
  explicit OneValidator(Identity self, const Cast& cast = {}) {
    for (unsigned i = 1; i < leaders_->size(); ++i) (*leaders_)[i] = {static_cast<Identity>((i - 1) % 4)};
    context_.self = self;
    context_.replica_count = cast.validators;
    context_.fault_count = 1;
    context_.bugs = cast.bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_->data();
    step([&](auto& out) { Ibft::start(state, context_, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { Ibft::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  // The timer that runs.
  void time_out() {
    const TimerId timer{state.timer};
    ASSERT_NE(duration(), 0);
    timers_[state.timer] = {};
    step([&](auto& out) { Ibft::expire(state, context_, timer, out); });
  }

  Ticks duration() const { return timers_[state.timer].duration; }
  unsigned running_timers() const {
    unsigned count = 0;
    for (const Timer& timer : timers_) count += timer.duration != 0 ? 1 : 0;
    return count;
  }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> found;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) found.push_back(*match);
    }
    return found;
  }
  const Context& context() const { return context_; }

  State state{};
  std::vector<nika::Commit> commits;
  bool overflowed = false;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Reader::open(*out_, timers_, nullptr);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) sent_.push_back(sent.message);
    for (const nika::Commit& each : Reader::commits(*out_)) commits.push_back(each);
    overflowed = overflowed || Reader::overflowed(*out_);
  }

  Context context_;
  std::shared_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_shared<std::array<IdentitySet, 256>>();
  std::array<Timer, Ibft::kTimerCount> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
  std::vector<Message> sent_;
};

// D has 2F+1 PREPAREs for the block that A proposed in round 1.
inline OneValidator prepared_in_round_one(std::uint32_t bugs = kNoBug, Identity self = kD) {
  OneValidator validator(self, {bugs});
  validator.receive(kA, first_proposal(kOne));
  validator.receive_from({kA, kB, kC}, prepare(kOne, 1));
  return validator;
}

}  // namespace nika::ibft
