// What nodes of the XRP Ledger send: ⟨TRANSACTION⟩, ⟨PROPOSAL⟩ and ⟨VALIDATION⟩, as in section 3.2 of "Randomized
// Testing of Byzantine Fault Tolerant Algorithms". A ledger in a message stands for its hash.
#pragma once

#include <string_view>
#include <variant>

#include "nika/protocols/xrp_lcp/ledger.hpp"

namespace nika::xrp_lcp {

struct Transaction {
  static constexpr std::string_view kName = "transaction";
  static constexpr std::array<std::string_view, 1> kBoundFields{"origin"};
  ValueId origin{};         // where the client handed it in, for the order of arrival and for readers
  std::uint8_t number = 0;  // of the payment
  std::uint8_t amount = 0;

  bool operator==(const Transaction&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("amount", &Transaction::amount), field("number", &Transaction::number),
                      field("origin", &Transaction::origin)};
  }
};

// ⟨PROPOSAL, txs, i, pre⟩
struct Proposal {
  static constexpr std::string_view kName = "proposal";
  TxSet transactions{};
  std::uint8_t number = 0;  // i: of the sender's proposals on this ledger
  std::uint8_t unused = 0;  // no padding: messages are compared as bytes
  Ledger previous{};        // pre

  bool operator==(const Proposal&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("transactions", &Proposal::transactions), field("number", &Proposal::number),
                      field("previous", &Proposal::previous)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Proposal::unused)}; }
};

// ⟨VALIDATION, id, txs, i, pre, t⟩: the name of a ledger binds its transactions and its parent.
struct Validation {
  static constexpr std::string_view kName = "validation";
  Ledger ledger{};   // id
  Round sequence{};  // i, beside the one that the name binds
  std::uint8_t unused = 0;

  bool operator==(const Validation&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("ledger", &Validation::ledger), field("sequence", &Validation::sequence)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Validation::unused)}; }
};

using Message = std::variant<Transaction, Proposal, Validation>;

}  // namespace nika::xrp_lcp
