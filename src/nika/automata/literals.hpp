// The comparisons that an abstraction of shared variables keeps, as numbered literals: each predicate "expression >= 0"
// and its negation. The solver says what follows from what, and each question is asked once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nika/automata/normal_form.hpp"
#include "nika/automata/oracle.hpp"

namespace nika::automata {

using Literal = std::uint32_t;          // twice the number of the predicate, one more if it is negated
using Literals = std::vector<Literal>;  // a conjunction: sorted, each once

inline Literal negation_of(Literal literal) { return literal ^ 1U; }
Literals united(const Literals& a, const Literals& b);

class LiteralTable {
 public:
  LiteralTable(const Automaton& automaton, Oracle& oracle) : automaton_(automaton), oracle_(oracle) {}

  // The literal of a comparison without locations; a new one if there is room for more predicates.
  std::optional<Literal> add(const Expression& atom);
  const std::vector<Expression>& predicates() const { return predicates_; }
  NormalPtr formula_of(Literal literal) const;

  // All literals that follow from a comparison, whether it is one of them or not.
  const Literals& implied_by(const Expression& atom);
  // May all of them be true at once, for some parameters?
  bool are_possible(const Literals& literals);

 private:
  bool is_related(const Expression& a, const Expression& b) const;

  const Automaton& automaton_;
  Oracle& oracle_;
  std::vector<Expression> predicates_;
  std::map<std::string, Literal> known_;
  std::map<std::string, Literals> implied_;
  std::map<Literals, bool> possible_;
};

}  // namespace nika::automata
