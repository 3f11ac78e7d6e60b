// Proof that a quorum voted for a block, in the round of that block. Signatures are symbolic: only a replica that
// counted a quorum makes one, so the name of the block is all that is left of it.
#pragma once

#include "nika/model/fields.hpp"

namespace nika::chain {

struct QuorumCertificate {
  static constexpr bool kIsAtomic = true;
  ValueId block{};

  bool operator==(const QuorumCertificate&) const = default;
  Round round() const { return block.round(); }
  static constexpr auto fields() { return std::tuple{field("block", &QuorumCertificate::block)}; }
};

}  // namespace nika::chain
