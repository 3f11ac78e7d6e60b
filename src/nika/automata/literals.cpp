#include "nika/automata/literals.hpp"

#include <algorithm>

namespace nika::automata {
namespace {

constexpr std::size_t kMostPredicates = 150;

Expression negated(const Expression& atom) { return Expression(-1) - atom; }

}  // namespace

Literals united(const Literals& a, const Literals& b) {
  Literals result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

std::optional<Literal> LiteralTable::add(const Expression& atom) {
  const auto found = known_.find(key_of(atom));
  if (found != known_.end()) return found->second;
  if (atom.is_constant() || predicates_.size() >= kMostPredicates) return std::nullopt;
  const auto literal = static_cast<Literal>(2 * predicates_.size());
  predicates_.push_back(atom);
  known_[key_of(atom)] = literal;
  known_[key_of(negated(atom))] = negation_of(literal);
  implied_.clear();
  return literal;
}

NormalPtr LiteralTable::formula_of(Literal literal) const {
  const Expression& atom = predicates_[literal / 2];
  return normal_atom(literal % 2 == 0 ? atom : negated(atom));
}

// Only what speaks of a common shared variable is asked about, or of parameters alone on both sides.
bool LiteralTable::is_related(const Expression& a, const Expression& b) const {
  const auto is_shared = [this](const auto& term) { return automaton_.is_shared(term.first); };
  const auto is_read_by_both = [&](const auto& term) {
    return is_shared(term) && std::any_of(b.terms().begin(), b.terms().end(),
                                          [&](const auto& other) { return other.first == term.first; });
  };
  return std::any_of(a.terms().begin(), a.terms().end(), is_read_by_both) ||
         (std::none_of(a.terms().begin(), a.terms().end(), is_shared) &&
          std::none_of(b.terms().begin(), b.terms().end(), is_shared));
}

const Literals& LiteralTable::implied_by(const Expression& atom) {
  const auto [place, is_new] = implied_.emplace(key_of(atom), Literals());
  if (!is_new) return place->second;
  const NormalPtr premise = normal_atom(atom);
  for (std::uint32_t i = 0; i < predicates_.size(); ++i) {
    if (!is_related(atom, predicates_[i])) continue;
    if (oracle_.implies(premise, formula_of(2 * i))) place->second.push_back(2 * i);
    if (oracle_.implies(premise, formula_of(2 * i + 1))) place->second.push_back(2 * i + 1);
  }
  return place->second;
}

bool LiteralTable::are_possible(const Literals& literals) {
  for (std::size_t i = 1; i < literals.size(); ++i) {
    if (literals[i] == negation_of(literals[i - 1])) return false;
  }
  const auto [place, is_new] = possible_.emplace(literals, true);
  if (!is_new) return place->second;
  std::vector<NormalPtr> parts;
  for (const Literal literal : literals) parts.push_back(formula_of(literal));
  return place->second = oracle_.is_possible(normal_and(parts));
}

}  // namespace nika::automata
