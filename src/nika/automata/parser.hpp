// Reads the .ta language of ByMC, with the spellings of TACO and the templates of the papers, into an Automaton.
// It checks names and kinds and nothing of meaning; a bad file gives one message with line, column and caret.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"
#include "nika/automata/source_text.hpp"
#include "nika/base/result.hpp"

namespace nika::automata {

Result<Automaton> parse_automaton(const SourceText& source);
Result<Automaton> read_automaton(const std::string& path);

}  // namespace nika::automata
