#include "nika/automata/automaton.hpp"

#include <algorithm>

namespace nika::automata {

bool Formula::is_temporal() const {
  if (kind == Kind::eventually || kind == Kind::always) return true;
  return std::any_of(children.begin(), children.end(), [](const FormulaPtr& child) { return child->is_temporal(); });
}

const std::string& Automaton::variable_name(std::uint32_t variable) const {
  if (is_parameter(variable)) return parameters[variable];
  if (is_shared(variable)) return shared[variable - shared_begin()];
  if (is_monomial(variable)) return monomials[variable - variable_count()].name;
  return locations[variable - location_begin()].name;
}

bool Automaton::draws_stays() const {
  return std::any_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.is_stay(); });
}

}  // namespace nika::automata
