#include "nika/protocols/xrp_lcp/validations.hpp"

#include <algorithm>

namespace nika::xrp_lcp {

bool Validations::add(Identity from, const Validation& validation, Round now) {
  LastValidation* last = std::ranges::lower_bound(last_, from, {}, &LastValidation::from);
  const bool is_known = last != last_.end() && last->from == from;
  if (is_known && last->sequence >= validation.sequence) return false;
  if (LedgerTally* tally = tally_of(validation.ledger)) tally->validators.insert(from);
  const LastValidation newest{validation.ledger, validation.sequence, now, from, 0};
  if (is_known) {
    *last = newest;
  } else {
    const auto position = last - last_.begin();
    (void)last_.push_back(newest);
    std::rotate(last_.begin() + position, last_.end() - 1, last_.end());
  }
  return true;
}

LedgerTally* Validations::tally_of(const Ledger& ledger) {
  LedgerTally* found = std::ranges::find(tallies_, ledger, &LedgerTally::ledger);
  if (found != tallies_.end()) return found;
  if (tallies_.size() == kMostTallies) {
    const auto sequence = [](const LedgerTally& tally) { return tally.ledger.sequence; };
    const LedgerTally* oldest = std::ranges::min_element(tallies_, {}, sequence);
    if (oldest->ledger.sequence >= ledger.sequence) return nullptr;
    tallies_.erase_at(static_cast<std::size_t>(oldest - tallies_.begin()));
  }
  (void)tallies_.push_back({ledger, {}});
  return &tallies_.back();
}

void Validations::forget_before(Round sequence) {
  for (std::size_t i = tallies_.size(); i > 0; --i) {
    if (tallies_[i - 1].ledger.sequence < sequence) tallies_.erase_at(i - 1);
  }
}

// The last current validations, and from which sequence on a node is committed to a branch.
struct Validations::Tips {
  std::array<const Ledger*, kMaxSeats> ledgers{};
  unsigned count = 0;
  unsigned unheard = 0;  // who has not validated anything, as far as this node knows
  Round largest_issued{};

  // uncommitted(s): who has not validated so far, and could validate any ledger of that sequence yet. A node that has
  // itself validated a later one cannot know what those did since.
  unsigned uncommitted(Round sequence) const {
    const Round least = std::max(sequence, largest_issued);
    unsigned number = unheard;
    for (unsigned i = 0; i < count; ++i) number += ledgers[i]->sequence < least ? 1 : 0;
    return number;
  }
};

// One step along the preferred branch: to the child whose support exceeds that of any other by more than those who are
// uncommitted could give to it. φ breaks ties.
bool Validations::goes_on(const Tips& tips, Ledger& at) {
  struct Child {
    Ledger ledger{};
    unsigned support = 0;
    bool is_before(const Child& other) const {
      return support != other.support ? support > other.support : ledger.outranks(other.ledger);
    }
  };
  std::array<Child, kMaxSeats> children{};
  unsigned count = 0;
  const Round next = at.sequence.next();
  for (unsigned i = 0; i < tips.count; ++i) {
    if (tips.ledgers[i]->sequence < next || !tips.ledgers[i]->descends_from(at)) continue;
    const Ledger child = tips.ledgers[i]->ancestor(next);
    unsigned c = 0;
    while (c < count && children[c].ledger != child) ++c;
    if (c == count) children[count++].ledger = child;
    ++children[c].support;
  }
  if (count == 0) return false;
  std::sort(children.begin(), children.begin() + count, [](const Child& a, const Child& b) { return a.is_before(b); });
  unsigned margin = children[0].support;
  if (count > 1) {
    margin -= children[1].support;
    if (children[0].ledger.outranks(children[1].ledger)) ++margin;
  }
  const unsigned uncommitted = tips.uncommitted(next);
  if (uncommitted != 0 && margin <= uncommitted) return false;
  at = children[0].ledger;
  return true;
}

Ledger Validations::preferred(const Place& place) const {
  Tips tips;
  tips.largest_issued = place.largest_issued;
  IdentitySet unheard = place.list;
  Round common = place.current.sequence;
  for (const LastValidation& last : last_) {
    unheard.erase(last.from);
    if (!is_current(last, place.now)) continue;
    tips.ledgers[tips.count++] = &last.ledger;
    common = std::min(common, place.current.common_with(last.ledger));
  }
  if (tips.count == 0) return place.current;
  if (place.now <= Round(kCurrentRounds)) tips.unheard = static_cast<unsigned>(unheard.size());
  // All validations have the ledgers up to `common` in their history, so the branch goes there if it does one step.
  Ledger at;
  if (common > Round(0)) {
    Ledger before = place.current.ancestor(common.previous());
    if (goes_on(tips, before)) at = before;
  }
  while (goes_on(tips, at)) {
  }
  if (at.sequence < place.valid.sequence) return place.current;
  // A node whose ledger is the parent of the preferred one is about to make that one itself.
  if (at.sequence == place.current.sequence.next() && at.descends_from(place.current)) return place.current;
  if (at.sequence > place.current.sequence) return at;
  // An earlier ledger only if it is on another branch.
  return place.current.descends_from(at) ? place.current : at;
}

}  // namespace nika::xrp_lcp
