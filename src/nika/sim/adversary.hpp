// The adversary: one pure function decides the fate of an envelope. A timed run has many more rules and matches them by
// the message's own round; it has a table of them, with the same meaning.
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

inline bool matches(const Rule& rule, const Envelope& envelope) {
  return rule.first_round <= envelope.round && envelope.round <= rule.last_round &&
         (rule.kinds >> envelope.kind & 1U) != 0 && rule.from.contains(envelope.from) && rule.to.contains(envelope.to);
}

// The first rule that matches decides; nothing if there is none. A seat always hears itself.
const Rule* rule_about(std::span<const Rule> rules, const Envelope& envelope);

// The same, and without a rule the links of the round, or of the kind of message in it.
Fate fate_of(std::span<const Rule> rules, const Reach& reach, const Envelope& envelope);

}  // namespace nika
