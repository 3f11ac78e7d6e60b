// Reads the .ta language of ByMC, with the spellings of TACO and the templates of the papers, into an Automaton.
// It checks names and kinds and nothing of meaning; a bad file gives one message with line, column and caret.
#pragma once

#include <string>

#include "nika/automata/automaton.hpp"
#include "nika/automata/extended_terms.hpp"
#include "nika/automata/source_text.hpp"
#include "nika/base/result.hpp"

namespace nika::automata {

struct ReadOptions {
  DivisionMeaning division = DivisionMeaning::exact;
  bool sketch = false;  // unknowns are allowed; without it, what is read has none
};

Result<Automaton> parse_automaton(const SourceText& source, const ReadOptions& options = {});
// "-" is standard input.
Result<SourceText> read_source(const std::string& path);
Result<Automaton> read_automaton(const std::string& path, const ReadOptions& options = {});

}  // namespace nika::automata
