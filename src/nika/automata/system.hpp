// An automaton prepared for the decision procedure: rules without effect dropped, rules that can never fire pruned,
// rules with the same effect joined, and the rest sorted into layers. docs/threshold-automata.md proves what this
// relies on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/normal_form.hpp"
#include "nika/smt/recording_solver.hpp"

namespace nika::automata {

// All rules that move a process between the same locations with the same increments; the guard is their disjunction.
struct Transition {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> increments;  // shared variable, positive amount; sorted
  NormalPtr guard;
  std::vector<std::uint32_t> rules;  // positions in Automaton::rules
  bool on_cycle = false;             // a process can come back to the source
};

// Transitions that may depend on each other in both directions. In every run, up to reordering, all transitions of a
// layer fire before those of the next; a layer needs this many segments between which its guards change.
struct Layer {
  std::vector<std::uint32_t> transitions;
  std::uint32_t segments = 1;
  bool has_cycle = false;
};

// A rule by which a process may stay where it is for ever.
struct Stay {
  std::uint32_t location = 0;
  NormalPtr guard;
};

struct System {
  const Automaton* automaton = nullptr;
  std::vector<Transition> transitions;
  std::vector<Stay> stays;  // none: one may stay everywhere
  std::vector<Layer> layers;
  std::vector<bool> may_start_nonzero;  // by variable: can its initial value differ from 0?
  std::vector<bool> may_be_nonzero;     // by variable: can it ever?
  std::vector<bool> has_way_to;         // by location: rules, each of which could fire, lead there from a start
  bool has_cycle = false;
  bool has_parameters = true;  // some satisfy the assumptions
  bool can_start = true;       // some parameters satisfy the assumptions and the initial conditions
  // Why the automaton is outside the fragment. Then the transitions are a relaxation of it: what reads a location or an
  // unpredictable variable is taken to be true, and every run of the automaton is a run of the relaxation.
  std::optional<std::string> relaxed;
  std::vector<bool> unpredictable;           // by variable: some rule does more than add to it
  std::vector<smt::Refutation> refutations;  // if they were asked for: all that was ruled out while preparing
};

// How a transition changes a linear expression.
std::int64_t effect_on(const Expression& expression, const Transition& transition);

enum class Direction { constant, rising, falling, mixed };
// How the shared variables move an atom "expression >= 0": rising means once true, always true.
Direction direction_of(const Automaton& automaton, const Expression& atom);

// The formula with true for every atom that reads an unpredictable variable: it may become true of more, never of less.
NormalPtr without_unpredictable(const System& system, const NormalPtr& formula);

System prepare(const Automaton& automaton, const smt::Budget& budget, bool records = false);

}  // namespace nika::automata
