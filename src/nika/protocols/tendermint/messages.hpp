// What Tendermint processes send: the three messages of Algorithm 1, and those of the gossip layer, which bring to
// others what they lack. No value (genesis) stands for nil, round 0 for -1.
#pragma once

#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"

namespace nika::tendermint {

enum class Step : std::uint8_t { kPropose, kPrevote, kPrecommit };

// ⟨PROPOSAL, h, round, v, validRound⟩
struct Proposal {
  static constexpr std::string_view kName = "proposal";
  ValueId value{};
  Height height{};
  Round round{};
  Round valid_round{};
  std::uint8_t unused = 0;  // no padding: messages are compared as bytes

  bool operator==(const Proposal&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Proposal::value), field("height", &Proposal::height),
                      field("round", &Proposal::round), field("valid_round", &Proposal::valid_round)};
  }
  // A value is proposed with the round of its polka. A liar may say what was proposed before, or a fresh value as if it
  // knew of no polka (L15 to L19).
  static constexpr std::string_view kTogether = "value+valid_round";
  static constexpr auto said_together() {
    return std::tuple{field("value", &Proposal::value), field("valid_round", &Proposal::valid_round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Proposal::unused)}; }
};

struct Vote {
  ValueId value{};  // or nil
  Height height{};
  Round round{};

  bool operator==(const Vote&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Vote::value), field("height", &Vote::height), field("round", &Vote::round)};
  }
};

// ⟨PREVOTE, h, round, id(v)⟩ and ⟨PRECOMMIT, h, round, id(v)⟩
struct Prevote : Vote {
  static constexpr std::string_view kName = "prevote";
};
struct Precommit : Vote {
  static constexpr std::string_view kName = "precommit";
};

// Where the sender is; who is further on helps it along (NewRoundStep of Tendermint's consensus reactor).
struct Status {
  static constexpr std::string_view kName = "status";
  static constexpr bool kHasNoRound = true;
  Height height{};
  Round round{};
  Step step{};
  bool asks = false;  // for what was said in this round before it came

  bool operator==(const Status&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("height", &Status::height), field("round", &Status::round), field("step", &Status::step),
                      field("asks", &Status::asks)};
  }
};

// Votes of others that are passed on. Signatures are symbolic: only who counted a quorum says so, and nobody can change
// what is said.

// A proposal, and the prevotes of a quorum for it.
struct Polka {
  static constexpr bool kIsAtomic = true;
  ValueId value{};
  Height height{};
  Round round{};
  Round valid_round{};  // of the proposal
  std::uint8_t unused = 0;

  bool operator==(const Polka&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Polka::value), field("height", &Polka::height), field("round", &Polka::round),
                      field("valid_round", &Polka::valid_round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Polka::unused)}; }
};

// The precommits of a quorum, for whatever values: the round may be left.
struct RoundEnd {
  static constexpr bool kIsAtomic = true;
  Height height{};
  Round round{};

  bool operator==(const RoundEnd&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("height", &RoundEnd::height), field("round", &RoundEnd::round)};
  }
};

// A proposal, and the precommits of a quorum for it: it is decided.
struct Certificate {
  static constexpr bool kIsAtomic = true;
  ValueId value{};
  Height height{};
  Round round{};

  bool operator==(const Certificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Certificate::value), field("height", &Certificate::height),
                      field("round", &Certificate::round)};
  }
};

struct Prevotes {
  static constexpr std::string_view kName = "prevotes";
  static constexpr bool kHasNoRound = true;
  Polka polka{};

  bool operator==(const Prevotes&) const = default;
  static constexpr auto fields() { return std::tuple{field("polka", &Prevotes::polka)}; }
};
struct Precommits {
  static constexpr std::string_view kName = "precommits";
  static constexpr bool kHasNoRound = true;
  RoundEnd end{};

  bool operator==(const Precommits&) const = default;
  static constexpr auto fields() { return std::tuple{field("end", &Precommits::end)}; }
};
struct Decision {
  static constexpr std::string_view kName = "decision";
  static constexpr bool kHasNoRound = true;
  Certificate certificate{};

  bool operator==(const Decision&) const = default;
  static constexpr auto fields() { return std::tuple{field("certificate", &Decision::certificate)}; }
};

using Message = std::variant<Proposal, Prevote, Precommit, Status, Prevotes, Precommits, Decision>;

}  // namespace nika::tendermint
