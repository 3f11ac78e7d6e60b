// Whether a property that holds says anything. A premise that is never met, or a location that is never reached, makes
// a formula true of a protocol that does nothing. Never changes a verdict: it only says what a "holds" is worth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nika/automata/verifier.hpp"

namespace nika::automata {

// A premise of a property, and the property with "false" for what is concluded from it. That is the stronger formula:
// if it holds too, the premise is never met.
struct Premise {
  FormulaPtr condition;
  FormulaPtr without_conclusion;
  bool is_whole = true;  // nothing stands before it but "always", so that the stronger formula says that it never holds
};

// Those that count towards the property, outermost first: what stands left of "->", and what is negated beside "||".
std::vector<Premise> premises_of(const Formula& property);

// The locations that are named, in the order of the automaton.
std::vector<std::uint32_t> locations_in(const Automaton& automaton, const Formula& property);

// Does the formula say nothing any more if these locations are always empty? That is so if it is true then, or if what
// stands beside such a location in a disjunction does not matter. A property that claims that they are empty, and only
// that, does say something, unless that cannot be otherwise: then "claims" is false.
bool is_empty_talk(const NormalPtr& property, const std::vector<std::uint32_t>& empty, bool claims);

// The property that no run ever reaches the location.
FormulaPtr always_empty(std::uint32_t location);

// "'a', 'b', 'c', 2 more".
std::string quoted_names(const Automaton& automaton, const std::vector<std::uint32_t>& locations);

struct Vacuity {
  std::string reason;                    // empty: it is not vacuous, or that is undecided
  std::string undecided;                 // why, if it could not be decided; else empty
  std::vector<std::uint32_t> unreached;  // some of the locations that are named and that no run reaches
  std::uint32_t queries = 0;             // to the solver
};

// Of a property that holds.
Vacuity vacuity_of(const System& system, const Formula& property, const VerifyOptions& options);

// To an outcome that holds.
void add_vacuity(const System& system, const Formula& property, const VerifyOptions& options, Outcome& outcome);

// The verdict, and for "holds" its vacuity.
Outcome judge_property(const System& system, const Formula& property, const VerifyOptions& options);

}  // namespace nika::automata
