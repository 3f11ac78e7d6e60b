// What "nika verify" prints: a table with counterexamples below it, or one JSON object.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {

std::string text_report(const automata::Automaton& automaton, const WorkResult& result);
std::string json_report(const automata::Automaton& automaton, const WorkResult& result);

}  // namespace nika::cli
