// What one run of a strategy against the coin cannot judge by itself: with its coins it was cut short, and whether it
// goes on for ever whatever they show is for a proof over both values of each coin to say (explore/coin_loop.hpp).
#pragma once

#include "nika/campaign/runner.hpp"

namespace nika {

// In which way termination is broken then.
inline constexpr std::string_view kCoinLoopKind = "no decision whatever the coin shows";

// Whether the scenario's turns are proved to go on for ever. An error if it does not fit the protocol, or has none.
Result<CoinProof> prove_turns(const Runner& runner, const Scenario& scenario);

// Judges termination anew, after a run of this scenario that was cut short: violated if its turns are proved.
void judge_turns(Session& session, const Scenario& scenario, Outcome& outcome);

// Looks for turns with the scenario's cluster and leaders; its own turns and coins do not count.
Result<CoinHunt> hunt_turns(const Runner& runner, const Scenario& scenario, const CoinHuntSettings& settings);

}  // namespace nika
