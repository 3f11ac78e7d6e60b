// Symmetries of an automaton: renamings of its locations and shared variables under which it is the same automaton. A
// property and its image have the same verdict, and runs map to runs. Nothing is believed here: whoever proposes a
// renaming has it checked, rule by rule. docs/threshold-automata.md says why that is enough.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/interpreter.hpp"
#include "nika/automata/normal_form.hpp"

namespace nika::automata {

// By variable, the variable that takes its place.
using Renaming = std::vector<std::uint32_t>;

Renaming no_renaming(const Automaton& automaton);

// A text that is equal for formulas that differ only in the order and repetition of conjuncts and disjuncts, with every
// variable renamed. A renaming that maps all variables of a sort to one gives the formula's shape.
std::string renamed_key(const Normal& formula, const Renaming& renaming);

struct Symmetry {
  Renaming renaming;
  std::vector<std::uint32_t> rules;  // by rule, the position of its image
};

Counterexample image_of(const Symmetry& symmetry, const Counterexample& run);

// What a symmetry must preserve, in normal form.
struct NormalRule {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  NormalPtr guard;
  std::vector<Update> updates;
};
struct NormalAutomaton {
  explicit NormalAutomaton(const Automaton& written);

  const Automaton& automaton;
  NormalPtr start;  // the assumptions and the initial conditions
  std::vector<NormalRule> rules;
};

// Compares an automaton, exactly, with what a renaming makes of it.
class SymmetryCheck {
 public:
  explicit SymmetryCheck(const NormalAutomaton& normal);

  // Nothing if the renaming is no symmetry of the automaton.
  std::optional<Symmetry> symmetry_by(const Renaming& renaming) const;

 private:
  bool respects_sorts(const Renaming& renaming) const;

  const NormalAutomaton& normal_;
  std::string start_;
  std::map<std::string, std::uint32_t> rules_;  // the first rule with this key
};

}  // namespace nika::automata
