// Negation normal form: formulas of "linear term >= 0" with and, or, eventually and always, without negation.
// Comparisons are over natural numbers, so what is always true or false of them becomes a constant here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/smt/formula.hpp"

namespace nika::automata {

struct Normal {
  enum class Kind { constant, atom, conjunction, disjunction, eventually, always };

  Kind kind = Kind::constant;
  bool value = true;
  bool temporal = false;
  Expression atom;  // >= 0
  std::vector<std::shared_ptr<const Normal>> children;
};
using NormalPtr = std::shared_ptr<const Normal>;

NormalPtr normal_form(const Formula& formula);
NormalPtr negated_normal_form(const Formula& formula);

NormalPtr normal_constant(bool value);
NormalPtr normal_atom(const Expression& at_least_zero);
NormalPtr normal_and(const std::vector<NormalPtr>& children);
NormalPtr normal_or(const std::vector<NormalPtr>& children);
NormalPtr normal_always(const NormalPtr& child);
NormalPtr normal_eventually(const NormalPtr& child);
NormalPtr complement(const Normal& formula);

// The atoms of a formula without temporal operators, each once, in order of appearance.
std::vector<Expression> atoms_of(const Normal& formula);

// A text that is equal for equal formulas: a key for caches.
std::string key_of(const Expression& expression);
std::string key_of(const Normal& formula);

// The formula with the automaton's variables replaced by solver terms, one for each variable.
using SymbolicConfiguration = std::vector<smt::Linear>;
smt::Linear instantiate(const Expression& expression, const SymbolicConfiguration& configuration);
smt::Formula instantiate(const Normal& formula, const SymbolicConfiguration& configuration);

}  // namespace nika::automata
