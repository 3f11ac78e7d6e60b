#include "nika/automata/extended_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/automata/normal_form.hpp"
#include "nika/automata/substitution.hpp"

namespace nika::automata {
namespace {

std::int64_t floor_of(std::int64_t numerator, std::int64_t divisor) {
  const std::int64_t quotient = numerator / divisor;
  return numerator % divisor < 0 ? quotient - 1 : quotient;
}

FormulaPtr compared(Expression left, Comparison comparison, Expression right) {
  Formula formula;
  formula.kind = Formula::Kind::comparison;
  formula.comparison = comparison;
  formula.left = std::move(left);
  formula.right = std::move(right);
  return std::make_shared<const Formula>(std::move(formula));
}

}  // namespace

void ExtendedTerms::begin() {
  for (std::uint32_t i = 0; i < automaton_.unknowns.size(); ++i) {
    Term term;
    term.unknown = i;
    index_of(fmt::format("u{}", i), term);
  }
}

Expression ExtendedTerms::unknown(std::uint32_t index) const {
  return Expression(smt::IntVariable{automaton_.variable_count() + index});
}

std::uint32_t ExtendedTerms::index_of(const std::string& key, const Term& term) {
  const auto [place, is_new] =
      known_.emplace(key, automaton_.variable_count() + static_cast<std::uint32_t>(terms_.size()));
  if (is_new) terms_.push_back(term);
  return place->second;
}

bool ExtendedTerms::has_unknown(const Expression& expression) const {
  return std::any_of(expression.terms().begin(), expression.terms().end(), [this](const auto& term) {
    return automaton_.is_monomial(term.first) && !terms_[term.first - automaton_.variable_count()].is_quotient;
  });
}

bool ExtendedTerms::has_only_parameters(const Expression& expression) const {
  return !has_unknown(expression) &&
         std::all_of(expression.terms().begin(), expression.terms().end(), [this](const auto& term) {
           return automaton_.is_parameter(term.first) || automaton_.is_monomial(term.first);
         });
}

std::optional<Expression> ExtendedTerms::product(const Expression& a, const Expression& b) {
  const auto is_of_unknowns = [this](const Expression& expression) {
    return std::all_of(expression.terms().begin(), expression.terms().end(), [this](const auto& term) {
      const std::uint32_t first = automaton_.variable_count();
      return term.first >= first && term.first < first + automaton_.unknowns.size();
    });
  };
  if (!is_of_unknowns(a)) return is_of_unknowns(b) ? product(b, a) : std::nullopt;
  if (has_unknown(b)) return std::nullopt;
  Expression result(a.constant() * b.constant());
  result.add_scaled(a - Expression(a.constant()), b.constant());
  result.add_scaled(b - Expression(b.constant()), a.constant());
  for (const auto& [unknown, first] : a.terms()) {
    for (const auto& [variable, second] : b.terms()) {
      Term term;
      term.unknown = unknown - automaton_.variable_count();
      term.variable = variable;
      const std::uint32_t index = index_of(fmt::format("u{}v{}", term.unknown, variable), term);
      result.add_scaled(smt::IntVariable{index}, first * second);
    }
  }
  return result;
}

void ExtendedTerms::note_division(std::size_t offset, const Expression& numerator, std::int64_t divisor) {
  // A template repeats what stands in one place.
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const Division& known = automaton_.divisions[i];
    if (offsets_[i] == offset && known.divisor == divisor && key_of(known.numerator) == key_of(numerator)) return;
  }
  offsets_.push_back(offset);
  automaton_.divisions.push_back({numerator, divisor, ""});
}

// Every factor is a multiple of the divisor and a rest that is not negative. The multiples leave the quotient as they
// are, and what is left of the numerator is a natural number, as every parameter is.
Expression ExtendedTerms::rounded_down(const Expression& numerator, std::int64_t divisor) {
  Expression result(floor_of(numerator.constant(), divisor));
  Expression rest(numerator.constant() - divisor * result.constant());
  for (const auto& [variable, factor] : numerator.terms()) {
    const std::int64_t whole = floor_of(factor, divisor);
    result.add_scaled(smt::IntVariable{variable}, whole);
    rest.add_scaled(smt::IntVariable{variable}, factor - divisor * whole);
  }
  if (rest.is_constant()) return result;
  Term term;
  term.is_quotient = true;
  term.numerator = rest;
  term.divisor = divisor;
  result.add_scaled(smt::IntVariable{index_of(fmt::format("{}/{}", key_of(rest), divisor), term)}, 1);
  return result;
}

std::string ExtendedTerms::free_name(std::size_t number) const {
  std::string name = fmt::format("floor{}", number);
  const auto is_taken = [&] {
    for (std::uint32_t i = 0; i < automaton_.variable_count(); ++i) {
      if (automaton_.variable_name(i) == name) return true;
    }
    return std::find(automaton_.unknowns.begin(), automaton_.unknowns.end(), name) != automaton_.unknowns.end();
  };
  while (is_taken()) name += "_";
  return name;
}

std::vector<std::size_t> ExtendedTerms::finish() {
  if (terms_.empty()) return offsets_;
  const std::uint32_t variables = automaton_.variable_count();
  const std::uint32_t parameters = automaton_.parameter_count();
  const auto quotients = static_cast<std::uint32_t>(
      std::count_if(terms_.begin(), terms_.end(), [](const Term& term) { return term.is_quotient; }));
  std::vector<Expression> images;
  const auto add_image = [&](std::uint32_t index) { images.emplace_back(smt::IntVariable{index}); };
  for (std::uint32_t i = 0; i < variables; ++i) add_image(i < parameters ? i : i + quotients);
  std::vector<std::string> names;
  std::uint32_t monomials = 0;
  for (const Term& term : terms_) {
    if (term.is_quotient) names.push_back(free_name(names.size() + 1));
    add_image(term.is_quotient ? parameters + static_cast<std::uint32_t>(names.size()) - 1
                               : variables + quotients + monomials++);
  }
  Automaton result = substituted(automaton_, images);
  result.parameters.insert(result.parameters.end(), names.begin(), names.end());
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (!term.is_quotient) {
      Monomial monomial{term.unknown, std::nullopt, automaton_.unknowns[term.unknown]};
      if (term.variable) {
        monomial.variable = images[*term.variable].terms().front().first;
        monomial.name += " * " + result.variable_name(*monomial.variable);
      }
      result.monomials.push_back(std::move(monomial));
      continue;
    }
    const Expression numerator = substituted(term.numerator, images);
    const Expression multiple = term.divisor * images[variables + i];
    result.assumptions.push_back(compared(multiple, Comparison::less_or_equal, numerator));
    result.assumptions.push_back(compared(numerator, Comparison::less, multiple + Expression(term.divisor)));
  }
  automaton_ = std::move(result);
  return offsets_;
}

}  // namespace nika::automata
