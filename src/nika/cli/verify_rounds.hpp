// nika verify --rounds: what holds of one round, said of all rounds under round-rigid schedules, where the tool has
// checked that this follows. See automata/rounds.hpp.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/rounds.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {

struct RoundsVerdict {
  Verdict verdict = Verdict::kUnknown;
  std::string text;  // what holds of all rounds, or why nothing is said of them
};

struct RoundsReport {
  std::string round_switch;               // as it was read
  std::vector<RoundsVerdict> properties;  // as in Automaton::specifications
  bool abandoned = false;                 // see WorkResult
};

// The switch, if the reduction can be applied; otherwise the condition that fails, in one line.
Result<automata::RoundSwitch> checked_switch(const automata::Automaton& automaton, const std::string& text);

struct RoundsOrder {
  WorkOrder work;
  double spent_seconds = 0;  // of the time limit, so far
};

// `one_round` is the answer for the automaton as it is: for the first round.
RoundsReport verify_rounds(const automata::Automaton& automaton, const automata::RoundSwitch& round_switch,
                           const RoundsOrder& order, const WorkResult& one_round);

std::string rounds_text(const automata::Automaton& automaton, const RoundsReport& report);
void add_rounds(const RoundsReport& report, Json& json);
int exit_code_of(const RoundsReport& report);

}  // namespace nika::cli
