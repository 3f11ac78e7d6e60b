// What a replica can do next with the messages that wait for it. A turn is some deliveries to one seat, all silent but
// the last: a delivery is silent if the replica sends and commits nothing. A turn is left out if one of its silent
// deliveries could as well come after it: if without it the turn does the same, and it is silent afterwards and leads
// to the same state. Whether that is so is tried, not assumed, so nothing is asked of the protocol.
#pragma once

#include <map>
#include <vector>

#include "nika/explore/step_search.hpp"
#include "nika/model/byte_writer.hpp"

namespace nika {

// A message that waits for a seat. Who sent it counts only by its identity: a receiver knows no more.
template <Protocol P>
struct Waiting {
  Identity from{};
  typename P::Message message{};
  Fingerprint name{};
};

template <Protocol P>
Fingerprint name_of_waiting(ByteWriter& writer, Identity from, const typename P::Message& message) {
  writer.clear();
  writer.write(from);
  writer.write(message);
  return writer.fingerprint();
}

// A replica and all that waits for it, sorted by name.
template <Protocol P>
struct Situation {
  Seat seat{};
  typename P::State state{};
  std::vector<Waiting<P>> mailbox;
};

template <Protocol P>
struct Turn {
  std::vector<std::uint8_t> deliveries;  // positions in the mailbox, in their order
  typename P::State state{};             // after them
  std::vector<Sent<typename P::Message>> sent;
  std::vector<Commit> commits;
  bool overflowed = false;
};

template <Protocol P>
struct Turns {
  std::vector<Turn<P>> all;
  bool can_fall_silent = false;       // all that waits can be delivered silently,
  std::vector<std::uint8_t> silence;  // these first, and what the replica ignores then in any order
};

template <Protocol P>
class TurnFinder {
 public:
  using State = typename P::State;
  static constexpr std::size_t kMaxMailbox = 24;
  static constexpr std::size_t kMaxSilentBytes = std::size_t{64} << 20U;

  // An error, as a turn that overflows, if more messages wait than can be tried, or in more ways.
  Turns<P> find(const Situation<P>& situation, const Context& context) {
    situation_ = &situation;
    context_ = &context;
    Turns<P> turns;
    if (situation.mailbox.size() > kMaxMailbox) {
      turns.all.emplace_back().overflowed = true;
      return turns;
    }
    std::vector<Silent> silent{{0, situation.state, {}}};
    std::map<std::pair<std::uint32_t, Fingerprint>, bool> known;
    for (std::size_t i = 0; i < silent.size(); ++i) {
      if (silent.size() * sizeof(Silent) > kMaxSilentBytes) {
        turns.all.emplace_back().overflowed = true;
        return turns;
      }
      const Silent from = silent[i];
      bool is_last = true;
      for (std::uint8_t m = 0; m < situation.mailbox.size(); ++m) {
        if ((from.taken >> m & 1U) != 0 || is_ignored(from.state, m)) continue;
        is_last = false;
        if (is_twin_of_earlier(from.taken, m)) continue;
        State state = from.state;
        const Effect effect = deliver(state, m);
        std::vector<std::uint8_t> deliveries = from.deliveries;
        deliveries.push_back(m);
        if (effect.is_silent()) {
          const std::uint32_t taken = from.taken | 1U << m;
          if (known.emplace(std::pair(taken, name_of(state)), true).second)
            silent.push_back({taken, state, deliveries});
        } else if (is_needed(deliveries, state, effect)) {
          turns.all.push_back({deliveries, state, effect.sent, effect.commits, effect.overflowed});
        }
      }
      if (!is_last || turns.can_fall_silent) continue;
      turns.can_fall_silent = true;
      turns.silence = from.deliveries;
    }
    return turns;
  }

  // Whether any replica has set a timer so far.
  bool has_set_timers() const { return has_set_timers_; }
  template <class AllTimers>
  void watch_timers(const AllTimers& all) {
    for (const auto& timers : all) note_timers(timers);
  }

 private:
  struct Silent {
    std::uint32_t taken = 0;
    State state{};
    std::vector<std::uint8_t> deliveries;
  };
  struct Effect {
    std::vector<Sent<typename P::Message>> sent;
    std::vector<Commit> commits;
    bool overflowed = false;
    bool is_silent() const { return sent.empty() && commits.empty() && !overflowed; }
  };

  bool is_ignored(const State& state, std::uint8_t m) const {
    if constexpr (Selective<P>) {
      const Waiting<P>& waiting = situation_->mailbox[m];
      return P::ignores(state, *context_, waiting.from, waiting.message);
    }
    return false;
  }
  bool is_twin_of_earlier(std::uint32_t taken, std::uint8_t m) const {
    const auto& mailbox = situation_->mailbox;
    return m > 0 && mailbox[m - 1U].name == mailbox[m].name && (taken >> (m - 1U) & 1U) == 0;
  }

  Effect deliver(State& state, std::uint8_t m) {
    using Reader = OutboxReader<typename P::Message>;
    const Waiting<P>& waiting = situation_->mailbox[m];
    Reader::open(outbox_, timers_, nullptr);
    P::receive(state, *context_, waiting.from, waiting.message, outbox_);
    Effect effect;
    note_timers(timers_);
    const auto sent = Reader::sent(outbox_);
    effect.sent.assign(sent.begin(), sent.end());
    const auto commits = Reader::commits(outbox_);
    effect.commits.assign(commits.begin(), commits.end());
    effect.overflowed = Reader::overflowed(outbox_);
    return effect;
  }

  void note_timers(const std::array<Timer, timer_count<P>()>& timers) {
    for (const Timer& timer : timers) has_set_timers_ = has_set_timers_ || timer.duration != 0;
  }

  bool is_needed(const std::vector<std::uint8_t>& deliveries, const State& state, const Effect& effect) {
    for (std::size_t left_out = 0; left_out + 1 < deliveries.size(); ++left_out) {
      if (can_come_later(deliveries, left_out, state, effect)) return false;
    }
    return true;
  }
  bool can_come_later(const std::vector<std::uint8_t>& deliveries, std::size_t left_out, const State& state,
                      const Effect& effect) {
    State other = situation_->state;
    for (std::size_t i = 0; i + 1 < deliveries.size(); ++i) {
      if (i != left_out && !deliver(other, deliveries[i]).is_silent()) return false;
    }
    if (name_of(deliver(other, deliveries.back())) != name_of(effect)) return false;
    return deliver(other, deliveries[left_out]).is_silent() && name_of(other) == name_of(state);
  }

  Fingerprint name_of(const State& state) {
    writer_.clear();
    if constexpr (Selective<P>) {
      State rest = state;
      P::forget_heard(rest);
      writer_.write(rest);
    } else {
      writer_.write(state);
    }
    return writer_.fingerprint();
  }
  Fingerprint name_of(const Effect& effect) {
    writer_.clear();
    for (const auto& sent : effect.sent) {
      writer_.write(sent.to);
      writer_.write(sent.message);
    }
    for (const Commit& commit : effect.commits) {
      writer_.write(commit.height);
      writer_.write(commit.value);
    }
    writer_.write(effect.overflowed);
    return writer_.fingerprint();
  }

  const Situation<P>* situation_ = nullptr;
  const Context* context_ = nullptr;
  Outbox<typename P::Message> outbox_{};
  std::array<Timer, timer_count<P>()> timers_{};
  bool has_set_timers_ = false;
  ByteWriter writer_;
};

}  // namespace nika
