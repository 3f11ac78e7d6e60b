// nika verify --synthesize: every choice of a sketch's unknowns under which its properties hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/automata/synthesis.hpp"
#include "nika/base/result.hpp"

namespace nika::cli {

// "LO..HI".
Result<automata::Interval> parse_bounds(const std::string& text);

struct SynthesisRequest {
  automata::SynthesisOptions options;
  bool json = false;
  std::vector<std::string> warnings;  // about the file
};

// Prints what was found. The exit code: 0 something, and it is all there is; 1 there is nothing; 3 it is not known
// whether that is all, or what was found holds only vacuously.
int run_synthesis(const automata::Automaton& sketch, const SynthesisRequest& request);

}  // namespace nika::cli
