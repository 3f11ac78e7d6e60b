// What "nika verify" prints: a table with counterexamples below it, or one JSON object.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/cli/verify_rounds.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {

// The table, line by line, so that each can be printed when it is known; then the counterexamples.
std::string table_head(const automata::Automaton& automaton);
std::string table_line(const automata::Automaton& automaton, const FinishedProperty& property);
std::string counterexamples_text(const automata::Automaton& automaton, const WorkResult& result,
                                 bool with_configurations);
// The lines above a drawing: what was asked of the only property, and the answer.
std::vector<std::string> caption_of(const automata::Automaton& automaton, const automata::Outcome& outcome);
// `rounds` may be null.
std::string json_report(const automata::Automaton& automaton, const WorkResult& result, bool with_configurations,
                        const RoundsReport* rounds = nullptr);

}  // namespace nika::cli
