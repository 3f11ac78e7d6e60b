// What IBFT validators send: the four messages of EIP-650 with the certificates of IBFT 2.0, and those of block
// synchronisation. No value (genesis) and round 0 stand for nothing.
#pragma once

#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"

namespace nika::ibft {

// What others have signed is symbolic: only who counted a quorum says so, and nobody can change what is said.

// The prepared certificate of IBFT 2.0: a PRE-PREPARE and the PREPAREs of a quorum for it. Round 0: none.
struct Prepared {
  static constexpr bool kIsAtomic = true;
  ValueId value{};
  Height height{};
  Round round{};

  bool is_none() const { return round == Round(0); }
  bool operator==(const Prepared&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Prepared::value), field("height", &Prepared::height),
                      field("round", &Prepared::round)};
  }
};

// The round-change certificate of IBFT 2.0: the ROUND-CHANGE messages of a quorum for one round, of which nothing
// counts but the latest prepared certificate among them. Round 0: none.
struct RoundChangeCertificate {
  static constexpr bool kIsAtomic = true;
  ValueId value{};  // what was prepared, or nothing
  Height height{};
  Round round{};
  Round prepared_round{};
  std::uint8_t unused = 0;  // no padding: messages are compared as bytes

  bool operator==(const RoundChangeCertificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &RoundChangeCertificate::value), field("height", &RoundChangeCertificate::height),
                      field("round", &RoundChangeCertificate::round),
                      field("prepared_round", &RoundChangeCertificate::prepared_round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &RoundChangeCertificate::unused)}; }
};

// A block with the commit seals of a quorum (EIP-650, "Consensus proof").
struct Finalized {
  static constexpr bool kIsAtomic = true;
  ValueId value{};
  Height height{};
  Round round{};

  bool operator==(const Finalized&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Finalized::value), field("height", &Finalized::height),
                      field("round", &Finalized::round)};
  }
};

struct RoundChange {
  static constexpr std::string_view kName = "round-change";
  Prepared prepared{};
  Height height{};
  Round round{};  // where the sender wants to be

  bool operator==(const RoundChange&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("prepared", &RoundChange::prepared), field("height", &RoundChange::height),
                      field("round", &RoundChange::round)};
  }
};

struct PrePrepare {
  static constexpr std::string_view kName = "pre-prepare";
  ValueId value{};
  RoundChangeCertificate certificate{};  // none in the first round of a height
  Height height{};
  Round round{};

  bool operator==(const PrePrepare&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &PrePrepare::value), field("certificate", &PrePrepare::certificate),
                      field("height", &PrePrepare::height), field("round", &PrePrepare::round)};
  }
};

struct Vote {
  ValueId value{};
  Height height{};
  Round round{};

  bool operator==(const Vote&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Vote::value), field("height", &Vote::height), field("round", &Vote::round)};
  }
};
struct Prepare : Vote {
  static constexpr std::string_view kName = "prepare";
};
struct Commit : Vote {
  static constexpr std::string_view kName = "commit";
};

// Peer synchronisation, which EIP-650 and IBFT 2.0 leave to the blockchain's client: which block the sender lacks, and
// a block for who lacks it.
struct Status {
  static constexpr std::string_view kName = "status";
  static constexpr bool kHasNoRound = true;
  Height height{};
  Round round{};

  bool operator==(const Status&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("height", &Status::height), field("round", &Status::round)};
  }
};
struct Block {
  static constexpr std::string_view kName = "block";
  static constexpr bool kHasNoRound = true;
  Finalized finalized{};

  bool operator==(const Block&) const = default;
  static constexpr auto fields() { return std::tuple{field("finalized", &Block::finalized)}; }
};

using Message = std::variant<RoundChange, PrePrepare, Prepare, Commit, Status, Block>;

}  // namespace nika::ibft
