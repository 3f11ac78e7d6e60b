// Terms that are no variables when they are read: unknowns, alone or times a variable, and quotients of parameters that
// are rounded down. While a file is read each has an index behind those of the variables; in the end a quotient becomes
// a parameter of its own, with assumptions that say what it is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nika/automata/automaton.hpp"

namespace nika::automata {

// What "n / 2" means where it does not come out even: the fraction itself, or the next whole number below.
enum class DivisionMeaning { exact, floor };

class ExtendedTerms {
 public:
  ExtendedTerms(Automaton& automaton, DivisionMeaning meaning) : automaton_(automaton), meaning_(meaning) {}

  // When all variables are declared.
  void begin();
  Expression unknown(std::uint32_t index) const;

  // Of two expressions that are no constants: if one has nothing but unknowns and the other none.
  std::optional<Expression> product(const Expression& a, const Expression& b);

  void note_division(std::size_t offset, const Expression& numerator, std::int64_t divisor);
  bool rounds_down() const { return meaning_ == DivisionMeaning::floor; }
  bool has_only_parameters(const Expression& expression) const;
  Expression rounded_down(const Expression& numerator, std::int64_t divisor);
  bool has_unknown(const Expression& expression) const;

  // Gives every term its final place; names that are taken are not given to a quotient. Where each division of the
  // automaton was read is what this returns.
  std::vector<std::size_t> finish();

 private:
  struct Term {
    bool is_quotient = false;
    std::uint32_t unknown = 0;
    std::optional<std::uint32_t> variable;
    Expression numerator;  // of a quotient: no factor is negative, and all are below the divisor
    std::int64_t divisor = 1;
  };

  std::uint32_t index_of(const std::string& key, const Term& term);
  std::string free_name(std::size_t number) const;

  Automaton& automaton_;
  DivisionMeaning meaning_;
  std::vector<Term> terms_;  // by index minus the number of variables
  std::map<std::string, std::uint32_t> known_;
  std::vector<std::size_t> offsets_;  // of the divisions
};

}  // namespace nika::automata
