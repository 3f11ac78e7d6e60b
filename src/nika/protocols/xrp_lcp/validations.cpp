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

// The last current validations, and from which sequence on a node is committed to a branch. Up to which sequence two of
// them have the same history is found out once, so that no ledger is taken apart on the way along a branch.
struct Validations::Tips {
  IdentitySet nodes{};  // whose last validation is current
  std::array<const Ledger*, kMaxSeats> ledger_of{};
  std::array<std::array<Round, kMaxSeats>, kMaxSeats> common{};
  unsigned unheard = 0;  // who has not validated anything, as far as this node knows
  Round largest_issued{};

  Round& common_of(Identity a, Identity b) { return common[index_of(a)][index_of(b)]; }
  const Ledger& ledger(Identity node) const { return *ledger_of[index_of(node)]; }

  void add(Identity node, const Ledger& tip) {
    ledger_of[index_of(node)] = &tip;
    common_of(node, node) = tip.sequence;
    for (Identity other : nodes) common_of(node, other) = common_of(other, node) = tip.common_with(ledger(other));
    nodes.insert(node);
  }
  // uncommitted(s): who has not validated so far, and could validate any ledger of that sequence yet. A node that has
  // itself validated a later one cannot know what those did since.
  unsigned uncommitted(Round sequence) const {
    const Round least = std::max(sequence, largest_issued);
    unsigned number = unheard;
    for (Identity node : nodes) number += ledger(node).sequence < least ? 1 : 0;
    return number;
  }
  // Of those `among` them, whose history has the same ledger of that sequence as this node's.
  IdentitySet alike(Identity node, Round sequence, IdentitySet among) const {
    IdentitySet result;
    for (Identity other : among) {
      if (common[index_of(node)][index_of(other)] >= sequence) result.insert(other);
    }
    return result;
  }
  // φ, which breaks ties between the ledgers of that sequence that these and those support.
  bool outrank(IdentitySet these, IdentitySet those, Round sequence) const {
    return ledger(*these.begin()).ancestor(sequence).outranks(ledger(*those.begin()).ancestor(sequence));
  }
  bool are_before(IdentitySet these, IdentitySet those, Round sequence) const {
    return these.size() != those.size() ? these.size() > those.size() : outrank(these, those, sequence);
  }
};

// How far the preferred branch has come: to a ledger of that sequence, which these nodes have in their history.
struct Validations::Branch {
  IdentitySet supporters{};
  Round sequence{};
};

// One step along the preferred branch: to the child whose support exceeds that of any other by more than those who are
// uncommitted could give to it. φ breaks ties.
bool Validations::goes_on(const Tips& tips, Branch& at) {
  const Round next = at.sequence.next();
  IdentitySet rest;
  for (Identity node : at.supporters) {
    if (tips.ledger(node).sequence >= next) rest.insert(node);
  }
  IdentitySet first;
  IdentitySet second;
  while (!rest.empty()) {
    const IdentitySet child = tips.alike(*rest.begin(), next, rest);
    rest = rest - child;
    if (first.empty() || tips.are_before(child, first, next)) {
      second = first;
      first = child;
    } else if (second.empty() || tips.are_before(child, second, next)) {
      second = child;
    }
  }
  if (first.empty()) return false;
  auto margin = static_cast<unsigned>(first.size() - second.size());
  if (!second.empty() && tips.outrank(first, second, next)) ++margin;
  const unsigned uncommitted = tips.uncommitted(next);
  if (uncommitted != 0 && margin <= uncommitted) return false;
  at = {first, next};
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
    tips.add(last.from, last.ledger);
    common = std::min(common, place.current.common_with(last.ledger));
  }
  if (tips.nodes.empty()) return place.current;
  if (place.now <= Round(kCurrentRounds)) tips.unheard = static_cast<unsigned>(unheard.size());
  // All validations have the ledgers up to `common` in their history, so the branch goes there if it does one step.
  Branch branch{tips.nodes, {}};
  if (common > Round(0)) {
    Branch before{tips.nodes, common.previous()};
    if (goes_on(tips, before)) branch = before;
  }
  while (goes_on(tips, branch)) {
  }
  const Ledger at = tips.ledger(*branch.supporters.begin()).ancestor(branch.sequence);
  if (at.sequence < place.valid.sequence) return place.current;
  // A node whose ledger is the parent of the preferred one is about to make that one itself.
  if (at.sequence == place.current.sequence.next() && at.descends_from(place.current)) return place.current;
  if (at.sequence > place.current.sequence) return at;
  // An earlier ledger only if it is on another branch.
  return place.current.descends_from(at) ? place.current : at;
}

}  // namespace nika::xrp_lcp
