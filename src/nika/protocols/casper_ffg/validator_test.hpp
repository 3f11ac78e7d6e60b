// One of four Casper FFG validators, fed by hand, for tests of its rules. A leads epochs 1, 5 and so on, B epochs 2 and
// 6, C epochs 3 and 7, D epochs 4 and 8.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nika/protocols/casper_ffg/casper_ffg.hpp"

namespace nika::casper_ffg {

inline constexpr Identity kA{0};
inline constexpr Identity kB{1};
inline constexpr Identity kC{2};
inline constexpr Identity kD{3};
inline constexpr std::uint32_t kNoBug = 0;
inline constexpr std::uint32_t kHalfQuorum = 1U << 0U;
inline constexpr std::uint32_t kDoubleVote = 1U << 1U;
inline constexpr std::uint32_t kSurroundVote = 1U << 2U;
inline constexpr std::uint32_t kIndirectFinality = 1U << 3U;

// The block that somebody proposes in an epoch.
inline ValueId block_of(Identity maker, unsigned epoch) { return {Round(epoch), static_cast<Seat>(maker), 0}; }
inline Proposal proposal(ValueId block, ValueId parent = kGenesis) { return {block, {parent}}; }
inline Vote vote(ValueId source, ValueId target) { return {{source}, target}; }
inline Status status(unsigned epoch, ValueId justified = kGenesis) { return {{justified}, Round(epoch), 0}; }

struct Cast {
  std::uint32_t bugs = kNoBug;
  std::uint8_t validators = 4;
};

template <class P>
class OneValidator {
 public:
  explicit OneValidator(Identity self, const Cast& cast = {}) {
    for (unsigned i = 1; i < leaders_->size(); ++i) (*leaders_)[i] = {static_cast<Identity>((i - 1) % 4)};
    context_.self = self;
    context_.replica_count = cast.validators;
    context_.fault_count = static_cast<std::uint8_t>((cast.validators - 1) / 3);
    context_.bugs = cast.bugs;
    context_.fresh = ValueId(Round(0), static_cast<Seat>(self), 0);
    context_.leaders = leaders_->data();
    step([&](auto& out) { P::start(state, context_, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { P::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  // A link with the votes of A, B and C, whose target was proposed by whoever made it.
  void justify(ValueId source, ValueId target) {
    receive(static_cast<Identity>(target.seat()), proposal(target, source));
    receive_from({kA, kB, kC}, vote(source, target));
  }
  void time_out() {
    ASSERT_NE(timers_[0].duration, 0);
    timers_[0] = {};
    step([&](auto& out) { P::expire(state, context_, TimerId{0}, out); });
  }
  // The others are in each epoch too.
  void pass() {
    receive_from({kA, kB, kC, kD}, Status{{}, state.epoch, 0});
    time_out();
  }
  void pass_to(unsigned epoch) {
    for (unsigned next = state.epoch.number; next < epoch; ++next) pass();
  }

  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> found;
    for (const auto& message : sent_) {
      if (const auto* match = std::get_if<Kind>(&message)) found.push_back(*match);
    }
    return found;
  }
  std::vector<ValueId> finalised() const {
    std::vector<ValueId> values;
    for (const Commit& commit : commits) values.push_back(commit.value);
    return values;
  }
  unsigned noted(EventKind kind) const { return static_cast<unsigned>(std::ranges::count(notes_, kind, &Event::kind)); }
  const Context& context() const { return context_; }

  State state{};
  std::vector<Commit> commits;
  bool overflowed = false;

 private:
  template <class Input>
  void step(Input&& input) {
    using Reader = OutboxReader<Message>;
    Trace notes;
    Reader::open(*out_, timers_, &notes);
    input(*out_);
    for (const auto& sent : Reader::sent(*out_)) sent_.push_back(sent.message);
    for (const Commit& each : Reader::commits(*out_)) commits.push_back(each);
    overflowed = overflowed || Reader::overflowed(*out_);
    notes_.insert(notes_.end(), notes.begin(), notes.end());
  }

  Context context_;
  std::shared_ptr<std::array<IdentitySet, 256>> leaders_ = std::make_shared<std::array<IdentitySet, 256>>();
  std::array<Timer, 1> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
  std::vector<Message> sent_;
  Trace notes_;
};

using Published = OneValidator<CasperFfg>;
using Led = OneValidator<CasperFfgLed>;

}  // namespace nika::casper_ffg
