// Linear expressions, Boolean and temporal formulas. Precedence as in ByMC, weakest first: ->, ||, &&, then ! [] <>,
// comparisons, + -, *. All binary operators group to the left, the implication too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/extended_terms.hpp"
#include "nika/automata/lexer.hpp"

namespace nika::automata {

// A problem at a place of the source; caught where the public functions return a Result.
struct ParseFailure {
  std::size_t offset;
  std::string message;
};

// An expression is arithmetic or a formula; which one is known once it was read.
struct Operand {
  bool is_formula = false;
  Expression linear;
  FormulaPtr formula;
  std::size_t offset = 0;
  std::int64_t divisor = 1;  // of the linear expression; comparisons multiply it away
};

class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(position_ + ahead, tokens_.size() - 1)]; }
  Token next();
  bool at(std::string_view text) const { return peek().kind != Token::Kind::end && peek().text == text; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  Token expect_name(const std::string& what);
  void rewind() { position_ = 0; }
  [[noreturn]] void fail(const std::string& expected) const;

 private:
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

class ExpressionParser {
 public:
  using Symbols = std::map<std::string, Operand>;  // variables, and macros with what they stand for

  ExpressionParser(TokenStream& tokens, const Symbols& symbols, ExtendedTerms& extended)
      : tokens_(tokens), symbols_(symbols), extended_(extended) {}

  Operand operand() { return implication(); }
  FormulaPtr formula();
  FormulaPtr state_formula(const std::string& what);  // without temporal operators
  Expression linear();

 private:
  Operand implication();
  Operand disjunction();
  Operand conjunction();
  Operand unary();
  Operand comparison();
  Operand sum();
  Operand product();
  Operand primary();
  Operand divided(const Operand& left, const Operand& right) const;
  Operand multiplied(const Operand& left, const Operand& right) const;
  FormulaPtr formula_of(const Operand& operand) const;
  const Expression& linear_of(const Operand& operand) const;

  TokenStream& tokens_;
  const Symbols& symbols_;
  ExtendedTerms& extended_;
  int depth_ = 0;
};

}  // namespace nika::automata
