// Fetching blocks that a replica lacks: the request, the answer, and what both sides do with them. Chained protocols
// add the two messages to their own; who is asked, and what happens once the block is there, stays with them.
#pragma once

#include <optional>
#include <string_view>

#include "nika/protocols/chain/block_tree.hpp"

namespace nika::chain {

struct BlockRequest {
  static constexpr std::string_view kName = "block-request";
  Round round{};
  ValueId wanted{};
  ValueId have{};  // the sender's last committed block, or what it got of the branch so far: no need to go below

  static constexpr auto fields() {
    return std::tuple{field("round", &BlockRequest::round), field("wanted", &BlockRequest::wanted),
                      field("have", &BlockRequest::have)};
  }
};

struct BlockResponse {
  static constexpr std::string_view kName = "block-response";
  static constexpr std::size_t kMaxBlocks = 6;
  Round round{};
  ValueId wanted{};
  BoundedVector<Block, kMaxBlocks> blocks{};  // ancestors of `wanted`, oldest first

  static constexpr auto fields() {
    return std::tuple{field("round", &BlockResponse::round), field("wanted", &BlockResponse::wanted),
                      field("blocks", &BlockResponse::blocks)};
  }
};

// A response may be the beginning of a branch only: the request for the rest of it. It goes on from blocks that were
// known already, too, because a requester names its last committed block and may know more.
inline std::optional<BlockRequest> request_rest(const BlockTree& tree, const BlockResponse& response) {
  if (tree.contains(response.wanted) || response.blocks.empty()) return std::nullopt;
  const ValueId last = response.blocks.back().id;
  if (!tree.contains(last)) return std::nullopt;
  return BlockRequest{response.round, response.wanted, last};
}

// The tree must contain the block that is wanted. The oldest ancestors that the requester lacks come first; it asks
// again while `wanted` is still missing.
inline BlockResponse answer(const BlockTree& tree, const BlockRequest& request) {
  BlockResponse response{request.round, request.wanted, {}};
  const BlockTree::Branch branch = tree.branch(request.wanted, request.have);
  for (std::size_t i = branch.length; i > 0 && response.blocks.push_back(*branch.blocks[i - 1]); --i) {
  }
  return response;
}

}  // namespace nika::chain
