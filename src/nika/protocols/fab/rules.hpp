// The seeded bug of FaB. The flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::fab {

enum class Bug : std::uint8_t {
  kProofsAndVotesBindAlike,  // as published: a proposal must conflict neither with f+1 votes nor with a commit proof
};

struct Rules {
  bool later_views_and_proofs_take_precedence = true;
};

inline Rules rules_of(const Context& context) {
  return {(context.bugs >> static_cast<unsigned>(Bug::kProofsAndVotesBindAlike) & 1U) == 0};
}

}  // namespace nika::fab
