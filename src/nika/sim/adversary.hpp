// The adversary: one pure function decides the fate of an envelope, in every network model. A timed run has many rules
// and asks for whole sets of receivers at once, by the same two steps: which rule is about a message, and what it does.
#pragma once

#include <span>

#include "nika/model/links.hpp"
#include "nika/model/protocol.hpp"

namespace nika {

struct Envelope {
  Round round{};  // the network round in which the message is sent; of a timed run, the message's own
  Kind kind = 0;
  Seat from{};
  Seat to{};
};

struct Fate {
  Action action = Action::kDeliver;
  std::uint8_t delay = 0;  // in ticks of kDelay, in rounds of kLate and kTwice
};

// What decides whether a rule is about what a seat sends, close together: there may be hundreds of rules.
struct RuleKey {
  std::uint32_t kinds;
  SeatSet from;
  Round first_round;
  Round last_round;

  explicit RuleKey(const Rule& rule)
      : kinds(rule.kinds), from(rule.from), first_round(rule.first_round), last_round(rule.last_round) {}
  bool is_about(Round round, Kind kind, Seat sender) const {
    return first_round <= round && round <= last_round && (kinds >> kind & 1U) != 0 && from.contains(sender);
  }
};

inline bool matches(const Rule& rule, const Envelope& envelope) {
  return RuleKey(rule).is_about(envelope.round, envelope.kind, envelope.from) && rule.to.contains(envelope.to);
}

// What a rule does to a message that it is about.
Fate fate_by(const Rule& rule, Seat from, Seat to);

// The first rule that matches decides; nothing if there is none. A seat always hears itself.
const Rule* rule_about(std::span<const Rule> rules, const Envelope& envelope);

// The same, and without a rule the links of the round, or of the kind of message in it.
Fate fate_of(std::span<const Rule> rules, const Reach& reach, const Envelope& envelope);

}  // namespace nika
