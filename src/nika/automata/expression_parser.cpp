#include "nika/automata/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace nika::automata {
namespace {

constexpr int kMaxDepth = 1500;
// Macros of macros make formulas that no line of the file shows: twice as large, or one higher, with each of them.
constexpr std::uint64_t kMaxParts = 1'000'000;
constexpr std::uint32_t kMaxHeight = 4000;
constexpr std::int64_t kMaxFactor = 1'000'000'000'000;
constexpr std::int64_t kMaxDivisor = 1'000'000;

class DepthGuard {
 public:
  DepthGuard(int& depth, const TokenStream& tokens) : depth_(depth) {
    if (++depth_ > kMaxDepth) tokens.fail(fmt::format("an expression with at most {} nested parts", kMaxDepth));
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  int& depth_;
};

FormulaPtr make(Formula::Kind kind, std::vector<FormulaPtr> children) {
  Formula formula;
  formula.kind = kind;
  formula.children = std::move(children);
  for (const FormulaPtr& child : formula.children) {
    formula.parts += child->parts;
    formula.height = std::max(formula.height, child->height + 1);
  }
  return std::make_shared<const Formula>(std::move(formula));
}

FormulaPtr make_constant(bool value) {
  Formula formula;
  formula.value = value;
  return std::make_shared<const Formula>(std::move(formula));
}

std::optional<Comparison> comparison_of(const Token& token) {
  if (token.text == "==" || token.text == "=") return Comparison::equal;
  if (token.text == "!=") return Comparison::not_equal;
  if (token.text == "<") return Comparison::less;
  if (token.text == "<=") return Comparison::less_or_equal;
  if (token.text == ">") return Comparison::greater;
  if (token.text == ">=") return Comparison::greater_or_equal;
  return std::nullopt;
}

Operand from_formula(FormulaPtr formula, std::size_t offset) {
  if (formula->parts > kMaxParts || formula->height > kMaxHeight) {
    throw ParseFailure{
        offset, fmt::format("read a formula that its macros make huge, expected at most {} parts, {} deep", kMaxParts,
                            kMaxHeight)};
  }
  return {true, {}, std::move(formula), offset};
}
Operand from_linear(Expression linear, std::size_t offset) { return {false, std::move(linear), nullptr, offset}; }

// Divides both parts of the fraction by what they have in common.
void reduce(Operand& operand) {
  std::int64_t common = std::gcd(operand.divisor, operand.linear.constant());
  for (const auto& [variable, factor] : operand.linear.terms()) common = std::gcd(common, factor);
  Expression reduced(operand.linear.constant() / common);
  for (const auto& [variable, factor] : operand.linear.terms()) {
    reduced.add_scaled(smt::IntVariable{variable}, factor / common);
  }
  operand.linear = reduced;
  operand.divisor /= common;
}

void check_size(const Operand& operand) {
  bool small = std::llabs(operand.linear.constant()) <= kMaxFactor && operand.divisor <= kMaxDivisor;
  for (const auto& [variable, factor] : operand.linear.terms()) small = small && std::llabs(factor) <= kMaxFactor;
  if (!small) throw ParseFailure{operand.offset, "read an expression with huge factors, expected smaller numbers"};
}

}  // namespace

Token TokenStream::next() {
  Token token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool TokenStream::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("'{}'", text));
}

Token TokenStream::expect_name(const std::string& what) {
  if (peek().kind != Token::Kind::name) fail(what);
  return next();
}

void TokenStream::fail(const std::string& expected) const {
  throw ParseFailure{peek().offset, fmt::format("read {}, expected {}", described(peek()), expected)};
}

FormulaPtr ExpressionParser::formula() { return formula_of(implication()); }

FormulaPtr ExpressionParser::state_formula(const std::string& what) {
  const Operand operand = implication();
  FormulaPtr formula = formula_of(operand);
  if (formula->is_temporal()) {
    throw ParseFailure{operand.offset, fmt::format("read a temporal operator in {}, expected none there", what)};
  }
  return formula;
}

Expression ExpressionParser::linear() {
  const Operand operand = sum();
  if (operand.divisor != 1) throw ParseFailure{operand.offset, "read a fraction, expected whole numbers here"};
  return linear_of(operand);
}

// ByMC's generated files write 1 for true.
FormulaPtr ExpressionParser::formula_of(const Operand& operand) const {
  if (operand.is_formula) return operand.formula;
  if (operand.linear.is_constant() && operand.divisor == 1 &&
      (operand.linear.constant() == 0 || operand.linear.constant() == 1)) {
    return make_constant(operand.linear.constant() == 1);
  }
  throw ParseFailure{operand.offset, "read an arithmetic expression, expected a condition such as 'x >= 1'"};
}

const Expression& ExpressionParser::linear_of(const Operand& operand) const {
  if (!operand.is_formula) return operand.linear;
  throw ParseFailure{operand.offset, "read a condition, expected an arithmetic expression"};
}

Operand ExpressionParser::implication() {
  const DepthGuard guard(depth_, tokens_);
  Operand left = disjunction();
  for (int length = 0; tokens_.accept("->"); ++length) {
    if (length > kMaxDepth) tokens_.fail(fmt::format("at most {} implications in a row", kMaxDepth));
    const Operand right = disjunction();
    left = from_formula(make(Formula::Kind::implication, {formula_of(left), formula_of(right)}), left.offset);
  }
  return left;
}

Operand ExpressionParser::disjunction() {
  const Operand first = conjunction();
  if (!tokens_.at("||")) return first;
  std::vector<FormulaPtr> children{formula_of(first)};
  while (tokens_.accept("||")) children.push_back(formula_of(conjunction()));
  return from_formula(make(Formula::Kind::disjunction, std::move(children)), first.offset);
}

Operand ExpressionParser::conjunction() {
  const Operand first = unary();
  if (!tokens_.at("&&")) return first;
  std::vector<FormulaPtr> children{formula_of(first)};
  while (tokens_.accept("&&")) children.push_back(formula_of(unary()));
  return from_formula(make(Formula::Kind::conjunction, std::move(children)), first.offset);
}

Operand ExpressionParser::unary() {
  const DepthGuard guard(depth_, tokens_);
  const std::size_t offset = tokens_.peek().offset;
  if (tokens_.accept("!")) return from_formula(make(Formula::Kind::negation, {formula_of(unary())}), offset);
  if (tokens_.accept("[]")) return from_formula(make(Formula::Kind::always, {formula_of(unary())}), offset);
  if (tokens_.accept("<>")) return from_formula(make(Formula::Kind::eventually, {formula_of(unary())}), offset);
  return comparison();
}

Operand ExpressionParser::comparison() {
  const Operand left = sum();
  const std::optional<Comparison> comparison = comparison_of(tokens_.peek());
  if (!comparison) return left;
  tokens_.next();
  const Operand right = sum();
  Formula formula;
  formula.kind = Formula::Kind::comparison;
  formula.comparison = *comparison;
  const std::int64_t common = std::lcm(left.divisor, right.divisor);
  formula.left = (common / left.divisor) * linear_of(left);
  formula.right = (common / right.divisor) * linear_of(right);
  if (comparison_of(tokens_.peek())) tokens_.fail("a single comparison; join two with '&&'");
  return from_formula(std::make_shared<const Formula>(std::move(formula)), left.offset);
}

Operand ExpressionParser::sum() {
  Operand left = product();
  while (tokens_.at("+") || tokens_.at("-")) {
    const bool plus = tokens_.next().text == "+";
    const Operand right = product();
    const std::int64_t common = std::lcm(left.divisor, right.divisor);
    left.linear = (common / left.divisor) * linear_of(left);
    left.linear.add_scaled(linear_of(right), (plus ? 1 : -1) * (common / right.divisor));
    left.divisor = common;
    reduce(left);
    check_size(left);
  }
  return left;
}

Operand ExpressionParser::product() {
  Operand left = primary();
  while (tokens_.at("*") || tokens_.at("/")) {
    const bool times = tokens_.next().text == "*";
    left = times ? multiplied(left, primary()) : divided(left, primary());
  }
  return left;
}

Operand ExpressionParser::divided(const Operand& left, const Operand& right) const {
  const Expression& number = linear_of(right);
  if (!number.is_constant() || number.constant() <= 0 || number.constant() > kMaxDivisor || right.divisor != 1) {
    throw ParseFailure{right.offset, fmt::format("read a division, expected a number from 1 to {} below", kMaxDivisor)};
  }
  Operand result = left;
  result.linear = linear_of(left);
  result.divisor *= number.constant();
  reduce(result);
  check_size(result);
  if (result.divisor == 1) return result;
  extended_.note_division(left.offset, result.linear, result.divisor);
  if (!extended_.rounds_down()) return result;
  if (!extended_.has_only_parameters(result.linear)) {
    throw ParseFailure{left.offset, "read a division of more than parameters, expected none where it is rounded down"};
  }
  return from_linear(extended_.rounded_down(result.linear, result.divisor), left.offset);
}

Operand ExpressionParser::multiplied(const Operand& left, const Operand& right) const {
  const Expression& a = linear_of(left);
  const Expression& b = linear_of(right);
  Operand result = from_linear(Expression(), left.offset);
  if (!a.is_constant() && !b.is_constant()) {
    const std::optional<Expression> product = extended_.product(a, b);
    if (!product) {
      throw ParseFailure{right.offset, "read a product of two variables, expected a number times a variable"};
    }
    result.linear = *product;
  } else {
    const std::int64_t factor = a.is_constant() ? a.constant() : b.constant();
    if (std::llabs(factor) > 1'000'000'000) {
      throw ParseFailure{right.offset, "read a product with a huge factor, expected smaller numbers"};
    }
    result.linear = a.is_constant() ? factor * b : factor * a;
  }
  result.divisor = left.divisor * right.divisor;
  reduce(result);
  check_size(result);
  return result;
}

Operand ExpressionParser::primary() {
  const DepthGuard guard(depth_, tokens_);
  const std::size_t offset = tokens_.peek().offset;
  if (tokens_.accept("-")) {
    Operand inner = primary();
    inner.linear = -1 * linear_of(inner);
    inner.offset = offset;
    return inner;
  }
  if (tokens_.accept("(")) {
    Operand inner = implication();
    tokens_.expect(")");
    inner.offset = offset;
    return inner;
  }
  if (tokens_.peek().kind == Token::Kind::number) return from_linear(Expression(tokens_.next().number), offset);
  if (tokens_.peek().kind != Token::Kind::name) tokens_.fail("a variable, a number or '('");
  if (tokens_.at("true") || tokens_.at("false"))
    return from_formula(make_constant(tokens_.next().text == "true"), offset);
  const auto symbol = symbols_.find(tokens_.peek().text);
  if (symbol == symbols_.end()) tokens_.fail("a declared parameter, shared variable, location or macro");
  tokens_.next();
  Operand operand = symbol->second;
  operand.offset = offset;
  return operand;
}

}  // namespace nika::automata
