// Accountable safety (Buterin and Griffith, theorem 1): two conflicting checkpoints cannot both be finalised unless at
// least a third of the validators violated a commandment. It is promised however many of them lie.
#pragma once

#include <span>

#include "nika/model/property.hpp"
#include "nika/protocols/casper_ffg/casper_ffg.hpp"

namespace nika::casper_ffg {

// Whose votes break a commandment, by the supermajority links that any of these states knows: those are what the
// paper's proof accuses by. States of liars tell too, for what they count they have heard.
IdentitySet guilty_in(std::span<const State> states, int supermajority);

struct AccountableSafetyMonitor {
  static constexpr bool kOnlyByName = true;

  bool is_settled(const Sight& sight) const;  // what accuses more of them may still come
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kAccountableSafety = property_of<AccountableSafetyMonitor>(
    "accountable-safety", "of conflicting finalised checkpoints a third of the validators can be proved guilty");

}  // namespace nika::casper_ffg
