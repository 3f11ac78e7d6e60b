// What the answer to one property says of its image under a symmetry, without asking the solver.
#pragma once

#include <optional>

#include "nika/automata/symmetry_search.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {

// The answer to the property at this position, made of the answer to the one that it is an image of. A violation is
// mapped and replayed on this property's own formula. Nothing if the property has to be decided by itself: the other
// one is unknown, or the formulas are written so differently that the interpreter judges the same run differently.
std::optional<Outcome> outcome_by_symmetry(const Automaton& automaton, std::size_t property, const PropertyImage& image,
                                           const Outcome& of);

}  // namespace nika::automata
