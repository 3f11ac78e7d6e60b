// Transactions and ledgers of the XRP Ledger, as far as consensus looks at them. A client makes payments 1 to 7, and
// two payments of one number are two versions of it that exclude each other, as two transactions with one account
// sequence do. A ledger says of its whole history what was applied when, so that its name binds its parent and its
// transactions: it is f(parent, transactions) without collisions, and whoever has the name of a ledger has its
// ancestors.
#pragma once

#include <compare>

#include "nika/model/protocol.hpp"

namespace nika::xrp_lcp {

inline constexpr unsigned kPayments = 7;
inline constexpr unsigned kMostAmount = 3;

// ⟨TRANSACTION, s, r, amt⟩: the n-th payment of the client. Who is paid makes no difference here. Three versions of it
// are told apart, so that amounts that differ by three are one.
struct Payment {
  std::uint8_t number = 0;  // from 1 on
  std::uint8_t amount = 0;  // from 1 on

  bool is_sound() const { return number >= 1 && number <= kPayments && amount >= 1; }
  unsigned version() const { return 1U + (amount - 1U) % kMostAmount; }
};

// At most one version of each payment.
struct TxSet {
  static constexpr bool kIsAtomic = true;  // messages hold its hash
  std::uint16_t amounts = 0;               // two bits for each payment

  static constexpr unsigned shift_of(unsigned number) { return 2 * (number - 1); }
  constexpr unsigned amount_of(unsigned number) const { return amounts >> shift_of(number) & 3U; }
  constexpr void set(unsigned number, unsigned amount) {
    amounts = static_cast<std::uint16_t>((amounts & ~(3U << shift_of(number))) | amount << shift_of(number));
  }
  constexpr bool empty() const { return amounts == 0; }
  constexpr bool is_sound() const { return amounts >> shift_of(kPayments + 1) == 0; }
  auto operator<=>(const TxSet&) const = default;
  static constexpr auto fields() { return std::tuple{field("amounts", &TxSet::amounts)}; }
};

struct Ledger {
  static constexpr bool kIsAtomic = true;  // nobody can make a hash of nothing
  Round sequence{};
  std::uint8_t unused = 0;                 // no padding: states are compared as bytes
  TxSet applied{};                         // in this ledger or in an ancestor
  BoundedVector<Round, kPayments> when{};  // by payment: in which ledger; as many as the last that was applied has

  bool is_genesis() const { return sequence == Round(0); }
  Round applied_in(unsigned number) const { return number <= when.size() ? when[number - 1] : Round(0); }

  // f(parent, transactions): the next ledger. What its parent has applied is not applied again, in no version.
  Ledger child(TxSet transactions) const {
    Ledger ledger = *this;
    ledger.sequence = sequence.next();
    for (unsigned number = 1; number <= kPayments; ++number) {
      const unsigned amount = transactions.amount_of(number);
      if (amount != 0 && applied.amount_of(number) == 0) ledger.apply(number, amount, ledger.sequence);
    }
    return ledger;
  }
  // Itself, if it is not longer than that.
  Ledger ancestor(Round at) const {
    if (at >= sequence) return *this;
    Ledger ledger;
    ledger.sequence = at;
    for (unsigned number = 1; number <= when.size(); ++number) {
      if (applied_in(number) != Round(0) && applied_in(number) <= at)
        ledger.apply(number, applied.amount_of(number), applied_in(number));
    }
    return ledger;
  }
  bool descends_from(const Ledger& other) const {
    return sequence >= other.sequence && ancestor(other.sequence) == other;
  }
  // The sequence of the last ledger that both have in their history.
  Round common_with(const Ledger& other) const {
    unsigned common = std::min(sequence.number, other.sequence.number);
    if (applied == other.applied && when == other.when) return Round(common);  // as usual
    for (unsigned number = 1; number <= kPayments; ++number) {
      const unsigned mine = applied_in(number).number;
      const unsigned its = other.applied_in(number).number;
      if (mine == its && applied.amount_of(number) == other.applied.amount_of(number)) continue;
      const unsigned first = mine == 0 ? its : its == 0 ? mine : std::min(mine, its);
      common = std::min(common, first - 1);
    }
    return Round(common);
  }
  // What this ledger applied, and none of its ancestors.
  TxSet transactions() const {
    TxSet own;
    for (unsigned number = 1; number <= when.size(); ++number) {
      if (when[number - 1] == sequence) own.set(number, applied.amount_of(number));
    }
    return own;
  }
  // Whether a mutated one could be a ledger at all.
  bool is_sound() const { return sequence <= Round(kMaxRound) && applied.is_sound(); }

  bool operator==(const Ledger&) const = default;
  // φ, which breaks ties: any order of hashes does.
  bool outranks(const Ledger& other) const {
    if (applied != other.applied) return applied > other.applied;
    return std::lexicographical_compare(when.begin(), when.end(), other.when.begin(), other.when.end());
  }
  static constexpr auto fields() {
    return std::tuple{field("applied", &Ledger::applied), field("sequence", &Ledger::sequence),
                      field("when", &Ledger::when)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Ledger::unused)}; }

 private:
  void apply(unsigned number, unsigned amount, Round at) {
    while (when.size() < number) (void)when.push_back(Round(0));
    when[number - 1] = at;
    applied.set(number, amount);
  }
};

// What properties compare at one height. Two chains are the same if they have the same transactions at each height, so
// the transactions of a ledger are its value: nobody's, since every node makes the ledger for itself.
constexpr ValueId value_of(TxSet transactions) {
  ValueId value;
  const unsigned code = transactions.amounts;
  value.packed = static_cast<std::uint16_t>(code >> 7U << 8U | 1U << 7U | (code & 127U));
  return value;
}

}  // namespace nika::xrp_lcp
