// The validations that a node has heard from its list: the last one of each node, which decide the preferred ledger
// ("Analysis of the XRP Ledger Consensus Protocol"), and who has validated which ledger.
#pragma once

#include "nika/protocols/xrp_lcp/messages.hpp"

namespace nika::xrp_lcp {

// The last validation of one node.
struct LastValidation {
  Ledger ledger{};
  Round sequence{};  // as it said
  Round heard{};     // in which round of this node
  Identity from{};
  std::uint8_t unused = 0;

  bool operator==(const LastValidation&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("ledger", &LastValidation::ledger), field("sequence", &LastValidation::sequence),
                      field("heard", &LastValidation::heard), field("from", &LastValidation::from)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &LastValidation::unused)}; }
};

struct LedgerTally {
  Ledger ledger{};
  IdentitySet validators{};

  bool operator==(const LedgerTally&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("ledger", &LedgerTally::ledger), field("validators", &LedgerTally::validators)};
  }
};

class Validations {
 public:
  static constexpr std::size_t kMostTallies = 48;
  // After so many rounds without a validation a node is no longer reckoned with; the implementation waits for minutes.
  // Until then whoever was not heard of is uncommitted, so that the network must not be parted for longer.
  static constexpr unsigned kCurrentRounds = 20;
  // How many ledgers below the last one that is fully validated are still counted.
  static constexpr unsigned kKeptBelow = 3;

  // A validation counts only if its sequence is above all that the node has validated before: who validates two ledgers
  // of one sequence has validated the first one. (SeqEnforcer of the implementation.)
  bool add(Identity from, const Validation& validation, Round now);
  IdentitySet validators_of(const Ledger& ledger) const {
    const auto* found = std::ranges::find(tallies_, ledger, &LedgerTally::ledger);
    return found == tallies_.end() ? IdentitySet{} : found->validators;
  }
  // Whose last validation is current, and whether it is of an earlier sequence.
  struct Current {
    IdentitySet up{};
    IdentitySet behind{};
  };
  Current current(Round sequence, Round now) const {
    Current result;
    for (const LastValidation& last : last_) {
      if (is_current(last, now)) (last.ledger.sequence < sequence ? result.behind : result.up).insert(last.from);
    }
    return result;
  }
  // Nobody asks for ledgers this old any more.
  void forget_before(Round sequence);

  // The ledger that a node should work on whose own last closed ledger is `current`, whose largest issued validation is
  // of `largest_issued`, and which has fully validated `valid`.
  struct Place {
    Ledger current{};
    Ledger valid{};
    Round largest_issued{};
    Round now{};
    IdentitySet list{};  // whom it counts
  };
  Ledger preferred(const Place& place) const;

  bool operator==(const Validations&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("last", &Validations::last_), field("tallies", &Validations::tallies_)};
  }

 private:
  static bool is_current(const LastValidation& last, Round now) {
    return last.heard.number + kCurrentRounds >= now.number;
  }
  struct Tips;
  struct Branch;
  // Null if there is no room for a ledger this old: that it is fully validated shows in later ones.
  LedgerTally* tally_of(const Ledger& ledger);
  static bool goes_on(const Tips& tips, Branch& at);

  BoundedVector<LastValidation, kMaxSeats> last_{};     // by node
  BoundedVector<LedgerTally, kMostTallies> tallies_{};  // in the order of their first validation
};

}  // namespace nika::xrp_lcp
