// Fetching blocks that a replica lacks: the request, the answer, and what both sides do with them. Chained protocols
// add the two messages to their own; who is asked, and what happens once the block is there, stays with them.
#pragma once

#include <string_view>

#include "nika/protocols/chain/block_tree.hpp"

namespace nika::chain {

struct BlockRequest {
  static constexpr std::string_view kName = "block-request";
  static constexpr bool kHasNoRound = true;
  Round round{};
  ValueId wanted{};
  ValueId have{};  // the sender's last committed block: no need to go below

  static constexpr auto fields() {
    return std::tuple{field("round", &BlockRequest::round), field("wanted", &BlockRequest::wanted),
                      field("have", &BlockRequest::have)};
  }
};

struct BlockResponse {
  static constexpr std::string_view kName = "block-response";
  static constexpr bool kHasNoRound = true;
  // Names are hashes of blocks with their parents: a branch is what it is, and nobody can make another of it.
  static constexpr std::array<std::string_view, 4> kBoundFields{"wanted", "below", "branch", "is_from_root"};
  Round round{};
  ValueId wanted{};
  ValueId below{};                                        // the parent of the first
  BoundedVector<ValueId, BlockTree::kCapacity> branch{};  // oldest first, up to `wanted`
  bool is_from_root = false;                              // the sender does not know what the other one has

  static constexpr auto fields() {
    return std::tuple{field("round", &BlockResponse::round), field("wanted", &BlockResponse::wanted),
                      field("below", &BlockResponse::below), field("branch", &BlockResponse::branch),
                      field("is_from_root", &BlockResponse::is_from_root)};
  }
};

// The tree must contain the block that is wanted. All that the requester lacks comes at once, however much it is: how
// far a replica is behind must not change in which order things happen, or folded histories would not be exact.
inline BlockResponse answer(const BlockTree& tree, const BlockRequest& request) {
  const BlockTree::Branch branch = tree.branch(request.wanted, request.have);
  BlockResponse response{request.round, request.wanted, branch.below, {}, branch.below != request.have};
  for (std::size_t i = branch.length; i > 0; --i) NIKA_REQUIRE(response.branch.push_back(branch.blocks[i - 1]->id));
  return response;
}

}  // namespace nika::chain
