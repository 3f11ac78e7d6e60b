#include "nika/scenarios/byzzfuzz/known_runs.hpp"

#include <algorithm>

namespace nika::byzzfuzz {

KnownRuns::KnownRuns(unsigned last_round, std::size_t kinds)
    : last_round_(last_round), is_of_use_(last_round <= kMostRounds && kinds <= kMostKinds) {}

void KnownRuns::begin(const Fingerprint& name, std::span<const Lie> lies) {
  name_ = name;
  lies_ = lies;
  is_touched_ = !is_of_use_;
  if (!is_of_use_) return;
  if (known_.empty()) known_.resize(kPlaces);
  std::fill_n(sent_.begin(), last_round_, Sent::value_type{});
}

// One of its two places, if it is there.
const KnownRuns::Known* KnownRuns::find() const {
  for (const std::uint64_t bits : {name_.low, name_.high}) {
    const Known& known = known_[bits % kPlaces];
    if (known.name == name_) return &known;
  }
  return nullptr;
}

const Outcome* KnownRuns::outcome() const {
  const Known* known = is_of_use_ ? find() : nullptr;
  if (known == nullptr) return nullptr;
  const auto acts = [&](const Lie& lie) { return !(known->sent[lie.protocol_round - 1U][lie.kind] & lie.to).empty(); };
  return std::ranges::any_of(lies_, acts) ? nullptr : &known->outcome;
}

void KnownRuns::learn(const Outcome& outcome) {
  if (is_touched_ || find() != nullptr) return;
  Known& first = known_[name_.low % kPlaces];
  Known& place = first.name == Fingerprint{} ? first : known_[name_.high % kPlaces];
  place.name = name_;
  place.sent = sent_;
  place.outcome = outcome;
}

void KnownRuns::sends(unsigned protocol_round, Seat from, unsigned kind, SeatSet to) {
  if (is_touched_ || protocol_round == 0 || protocol_round > last_round_) return;
  sent_[protocol_round - 1U][kind] |= to;
  is_touched_ = std::ranges::any_of(lies_, [&](const Lie& lie) {
    return lie.protocol_round == protocol_round && lie.from == from && lie.kind == kind && !(lie.to & to).empty();
  });
}

}  // namespace nika::byzzfuzz
