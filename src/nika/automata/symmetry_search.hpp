// Looks for symmetries that map one property to another, by colour refinement and backtracking on the graph of the
// automaton and the property. Bounded: it may miss one. What it finds has passed the check of symmetry.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "nika/automata/symmetry.hpp"

namespace nika::automata {

// A property that a symmetry makes of an earlier one.
struct PropertyImage {
  std::size_t of = 0;  // position in Automaton::specifications; that one is no image itself
  Symmetry symmetry;
};

// For every property of the automaton, the earlier one that it is an image of, if one was found. Equal properties are
// images of each other too.
std::vector<std::optional<PropertyImage>> find_images(const Automaton& automaton);

}  // namespace nika::automata
