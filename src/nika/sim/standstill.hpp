// Whether an asynchronous run has come to a standstill: nothing is on its way, and whatever timer runs out, and
// whatever is sent and arrives because of it, changes no replica. Then none ever changes again, in whatever order all
// that happens. Never says so without having tried every input; liars that run no code are silent from here on.
#pragma once

#include <cstring>
#include <vector>

#include "nika/model/leaves.hpp"
#include "nika/sim/world.hpp"

namespace nika {

template <Protocol P>
class Standstill {
  using Message = typename P::Message;
  using State = typename P::State;

 public:
  Standstill(const World<P>& world, const Cluster& cluster, std::span<const Context> contexts)
      : world_(world), cluster_(cluster), contexts_(contexts), silent_(cluster.puppets()) {}

  // Inputs change nothing, so that each has the same effect whenever it comes: to try each of them once is enough.
  bool is_one() {
    if (world_.pending_count > 0) return false;
    for (Seat seat : cluster_.seats()) {
      const auto& timers = world_.timers[index_of(seat)];
      for (std::uint8_t t = 0; t < timers.size(); ++t) {
        if (timers[t].duration != 0) add({.to = seat, .timer = t});
      }
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_.size() > kMostInputs || !changes_nothing(Input(inputs_[i]))) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostInputs = 1024;
  struct Input {
    Seat to{};
    std::uint8_t timer = 0;
    Identity from{};
    std::optional<Message> message{};  // none: the timer
  };

  static bool is_same(const Input& one, const Input& other) {
    if (one.to != other.to || one.message.has_value() != other.message.has_value()) return false;
    if (!one.message) return one.timer == other.timer;
    if (one.from != other.from || one.message->index() != other.message->index()) return false;
    return std::visit(
        [&](const auto& alternative) {
          using Alternative = std::remove_cvref_t<decltype(alternative)>;
          return leaves::say_the_same(alternative, std::get<Alternative>(*other.message));
        },
        *one.message);
  }
  void add(const Input& input) {
    if (std::ranges::none_of(inputs_, [&](const Input& known) { return is_same(known, input); }))
      inputs_.push_back(input);
  }

  bool changes_nothing(const Input& input) {
    using Reader = OutboxReader<Message>;
    const unsigned s = index_of(input.to);
    const State& before = world_.states[s];
    State after = before;
    auto timers = world_.timers[s];
    Reader::open(outbox_, timers, nullptr);
    if (input.message) {
      P::receive(after, contexts_[s], input.from, *input.message, outbox_);
    } else {
      timers[input.timer] = {};
      P::expire(after, contexts_[s], static_cast<TimerId>(input.timer), outbox_);
    }
    // Padding that differs is taken for a change, which is on the safe side.
    if (std::memcmp(&before, &after, sizeof(State)) != 0) return false;
    if (Reader::overflowed(outbox_) || !Reader::commits(outbox_).empty()) return false;
    for (std::uint8_t t = 0; t < timers.size(); ++t) {
      if (timers[t].duration != 0) add({.to = input.to, .timer = t});
    }
    for (const Sent<Message>& sent : Reader::sent(outbox_)) {
      for (Seat to : cluster_.seats_of_identities(sent.to) - silent_)
        add({.to = to, .from = cluster_.identity(input.to), .message = sent.message});
    }
    return true;
  }

  const World<P>& world_;
  const Cluster& cluster_;
  const std::span<const Context> contexts_;
  const SeatSet silent_;
  std::vector<Input> inputs_;
  Outbox<Message> outbox_{};
};

}  // namespace nika
