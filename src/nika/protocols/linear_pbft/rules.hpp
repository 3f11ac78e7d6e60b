// The seeded bug of PBFT with linear leader replacement, and the two repairs. The flag is read here and nowhere else;
// the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::linear_pbft {

enum class Repair : std::uint8_t { kWaiting, kThirdPhase };
enum class Bug : std::uint8_t { kResponsiveTwoPhase };

// What goes wrong without a repair (Gemini paper, section 3.3). The new leader tells nobody why its certificate is the
// highest, so a replica that knows a higher one must refuse. With two phases a single honest replica may know it: of
// the 2f+1 new-view messages that the leader acts on, f may be of liars and the rest of replicas that know less. Either
//  - the leader waits Δ, so that it has heard every honest replica: live, but as slow as Δ (Tendermint, Casper); or
//  - a third phase: a replica refuses only because of a lock, and it locks only when 2f+1 replicas know the
//  certificate.
//    Every 2f+1 new-view messages then contain it, and the leader may act on the first ones (HotStuff).
struct Rules {
  int quorum = 0;
  bool waits_for_new_views = true;  // Δ, before a new leader proposes
  bool has_third_phase = false;     // a replica locks before it commits, and refuses because of a lock only
};

inline Rules rules_of(const Context& context, Repair repair) {
  Rules rules;
  rules.quorum = context.quorum();
  rules.has_third_phase = repair == Repair::kThirdPhase;
  rules.waits_for_new_views = repair == Repair::kWaiting;
  if ((context.bugs >> static_cast<unsigned>(Bug::kResponsiveTwoPhase) & 1U) != 0) rules.waits_for_new_views = false;
  return rules;
}

}  // namespace nika::linear_pbft
