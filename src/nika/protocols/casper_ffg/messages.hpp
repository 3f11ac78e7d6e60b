// What Casper FFG validators send: blocks, votes <ν, s, t, h(s), h(t)>, and what the overlay leaves to the blockchain's
// client. The height of a checkpoint is the round in its name. Signatures are symbolic: who sent a vote is told.
#pragma once

#include <string_view>
#include <variant>

#include "nika/protocols/chain/retrieval.hpp"

namespace nika::casper_ffg {

using chain::Block;
using chain::BlockRequest;
using chain::BlockResponse;

// A justified checkpoint: two thirds of the validators voted for the link to it from its parent, which is justified
// too, back to genesis. In the paper these votes are in the blocks of the chain; here only who counted them says so,
// and nobody can change what is said.
struct Justification {
  static constexpr bool kIsAtomic = true;
  ValueId checkpoint{};

  bool operator==(const Justification&) const = default;
  Round height() const { return checkpoint.round(); }
  static constexpr auto fields() { return std::tuple{field("checkpoint", &Justification::checkpoint)}; }
};

// A block of the proposal mechanism. All of them are checkpoints.
struct Proposal {
  static constexpr std::string_view kName = "proposal";
  ValueId block{};
  Justification parent{};

  bool operator==(const Proposal&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("block", &Proposal::block), field("parent", &Proposal::parent)};
  }
};

// <ν, s, t, h(s), h(t)>: ν is the sender, and the heights are in the names.
struct Vote {
  static constexpr std::string_view kName = "vote";
  Justification source{};
  ValueId target{};

  bool operator==(const Vote&) const = default;
  static constexpr auto fields() { return std::tuple{field("source", &Vote::source), field("target", &Vote::target)}; }
};

// "I have entered this epoch, and this is the highest justified checkpoint that I know", of who proposes nothing in it.
struct Status {
  static constexpr std::string_view kName = "status";
  static constexpr bool kHasNoRound = true;
  Justification justified{};
  Round epoch{};
  std::uint8_t unused = 0;  // no padding: messages are compared as bytes

  bool operator==(const Status&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("justified", &Status::justified), field("epoch", &Status::epoch)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Status::unused)}; }
};

using Message = std::variant<Proposal, Vote, Status, BlockRequest, BlockResponse>;

}  // namespace nika::casper_ffg
