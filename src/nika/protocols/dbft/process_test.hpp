// One of four DBFT processes, fed by hand, for tests of its rules. A leads rounds 1, 5 and so on, B rounds 2 and 6, C
// rounds 3 and 7, D rounds 4 and 8; so A begins with 1 and the others with 0.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nika/protocols/dbft/dbft.hpp"
#include "nika/protocols/dbft/rules.hpp"

namespace nika::dbft {

inline constexpr TimerId kCoordTimer{0};
inline constexpr TimerId kAuxTimer{1};
inline constexpr TimerId kResendTimer{2};
inline constexpr Identity kA{0};
inline constexpr Identity kB{1};
inline constexpr Identity kC{2};
inline constexpr Identity kD{3};

inline std::uint32_t flag(Bug bug) { return 1U << static_cast<unsigned>(bug); }

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
    step([&](auto& out) { Dbft::start(state, context_, out); });
  }

  void receive(Identity from, const Message& message) {
    step([&](auto& out) { Dbft::receive(state, context_, from, message, out); });
  }
  void receive_from(std::initializer_list<Identity> senders, const Message& message) {
    for (const Identity sender : senders) receive(sender, message);
  }
  void expire(TimerId timer) {
    timers_[static_cast<unsigned>(timer)] = {};
    step([&](auto& out) { Dbft::expire(state, context_, timer, out); });
  }
  // Three processes say EST and AUX alike in a round.
  void agree(unsigned round, bool value) {
    receive_from({kA, kB, kC}, Est{Round(round), value});
    expire(kCoordTimer);
    receive_from({kA, kB, kC}, Aux{Round(round), value});
  }

  bool runs(TimerId timer) const { return timers_[static_cast<unsigned>(timer)].duration != 0; }
  // The values of one kind of message that were sent in a round, in their order.
  template <class Kind>
  std::vector<bool> sent(unsigned round) const {
    std::vector<bool> found;
    for (const auto& post : posts) {
      const auto* match = std::get_if<Kind>(&post.message);
      if (match != nullptr && match->round == Round(round)) found.push_back(match->value);
    }
    return found;
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
  std::array<Timer, Dbft::kTimerCount> timers_{};
  std::shared_ptr<Outbox<Message>> out_ = std::make_shared<Outbox<Message>>();
};

}  // namespace nika::dbft
