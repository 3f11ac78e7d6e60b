// A threshold automaton as a plain value, as it was written and after the expansion of templates and macros.
// Parameters, shared variables and locations share one numbering, so a configuration is one vector of numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nika/smt/formula.hpp"

namespace nika::automata {

// A linear expression over the automaton's variables, by their index.
using Expression = smt::Linear;

enum class Comparison { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

// A Boolean or temporal formula, kept as written: negations and implications stay where they are.
struct Formula {
  enum class Kind { constant, comparison, negation, conjunction, disjunction, implication, eventually, always };

  Kind kind = Kind::constant;
  bool value = true;
  Comparison comparison = Comparison::equal;
  Expression left, right;
  std::vector<std::shared_ptr<const Formula>> children;
  // As a tree, in which a macro that is named twice counts twice. The parser sets and bounds them.
  std::uint64_t parts = 1;
  std::uint32_t height = 1;

  bool is_temporal() const;
};
using FormulaPtr = std::shared_ptr<const Formula>;

struct Update {
  std::uint32_t variable = 0;  // index of the shared variable
  Expression value;            // over the values before the step
};

struct Rule {
  std::string id;
  std::uint32_t source = 0;  // index of the location's variable
  std::uint32_t target = 0;
  FormulaPtr guard;
  std::vector<Update> updates;  // variables that are not named keep their value
  std::size_t line = 0;         // of the source, where it begins; 0 if there is none

  // A self-loop without effect: the process may stay where it is for ever.
  bool is_stay() const { return source == target && updates.empty(); }
};

struct Location {
  std::string name;
  std::vector<std::int64_t> label;  // the values of the local variables: documentation only
};

struct Specification {
  std::string name;
  FormulaPtr formula;
};

// A number that synthesis is to find, alone or times a variable. In expressions it is a term with an index behind those
// of the variables; sketch.hpp puts numbers in.
struct Monomial {
  std::uint32_t unknown = 0;              // position in Automaton::unknowns
  std::optional<std::uint32_t> variable;  // nothing: the unknown by itself
  std::string name;
};

// A division by a number that does not vanish by itself: (numerator) / divisor.
struct Division {
  Expression numerator;
  std::int64_t divisor = 1;
  std::string where;  // "file:line:column: (n + t) / 2"
};

struct Automaton {
  std::string name;
  std::vector<std::string> locals;
  std::vector<std::string> parameters;
  std::vector<std::string> shared;
  std::vector<Location> locations;
  std::vector<FormulaPtr> assumptions;
  std::vector<FormulaPtr> inits;
  std::vector<Rule> rules;
  std::vector<Specification> specifications;
  std::vector<std::string> unknowns;  // of a sketch; else there are none, and no monomials either
  std::vector<Monomial> monomials;    // the unknowns by themselves, in their order, then products
  std::vector<Division> divisions;    // in the order of the file

  std::uint32_t parameter_count() const { return static_cast<std::uint32_t>(parameters.size()); }
  std::uint32_t shared_begin() const { return parameter_count(); }
  std::uint32_t location_begin() const { return shared_begin() + static_cast<std::uint32_t>(shared.size()); }
  std::uint32_t variable_count() const { return location_begin() + static_cast<std::uint32_t>(locations.size()); }
  bool is_parameter(std::uint32_t variable) const { return variable < shared_begin(); }
  bool is_shared(std::uint32_t variable) const { return variable >= shared_begin() && variable < location_begin(); }
  bool is_location(std::uint32_t variable) const { return variable >= location_begin() && variable < variable_count(); }
  bool is_monomial(std::uint32_t variable) const { return variable >= variable_count(); }
  const std::string& variable_name(std::uint32_t variable) const;
  // Does the automaton say where one may stay? One without any such rule leaves them out everywhere: then one may stay
  // in every location.
  bool draws_stays() const;
};

}  // namespace nika::automata
