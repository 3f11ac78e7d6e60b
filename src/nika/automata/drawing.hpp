// An automaton as a picture, by itself or with a counterexample's path on it: as Graphviz input, or as an SVG file that
// needs no other program and no network. Rules that do nothing are left out unless the path takes them.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/interpreter.hpp"

namespace nika::automata {

// A step of the path that takes a rule.
struct Mark {
  std::uint32_t number = 0;  // of the step, from 1; the loop's steps go on counting
  std::int64_t count = 1;
  bool is_in_loop = false;
  bool operator==(const Mark&) const = default;
};

struct Drawing {
  std::vector<std::string> caption;     // lines that tell what is drawn
  const Counterexample* run = nullptr;  // a run of the automaton, or none
};

// By rule. A step without a rule, which stays where it is, marks nothing.
std::vector<std::vector<Mark>> marks_of(const Automaton& automaton, const Counterexample* run);
// "step 3", "step 3 ×2", "steps 3 ×2, 5".
std::string text_of(const std::vector<Mark>& marks);

std::string dot_graph(const Automaton& automaton, const Drawing& drawing = {});
std::string svg_drawing(const Automaton& automaton, const Drawing& drawing = {});

}  // namespace nika::automata
