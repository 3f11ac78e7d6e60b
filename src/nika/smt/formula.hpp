// Quantifier-free linear integer arithmetic as plain immutable values: linear terms over integer variables, and Boolean
// combinations of "term >= 0", "term = 0" and Boolean variables. It knows no solver; the solvers translate from it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace nika::smt {

struct IntVariable {
  std::uint32_t index = 0;
  auto operator<=>(const IntVariable&) const = default;
};

struct BoolVariable {
  std::uint32_t index = 0;
  auto operator<=>(const BoolVariable&) const = default;
};

// A sum of variables with integer factors and a constant. Terms are sorted by variable and none has factor 0.
class Linear {
 public:
  using Term = std::pair<std::uint32_t, std::int64_t>;

  Linear() = default;
  Linear(std::int64_t constant) : constant_(constant) {}
  Linear(IntVariable variable) : terms_{{variable.index, 1}} {}

  const std::vector<Term>& terms() const { return terms_; }
  std::int64_t constant() const { return constant_; }
  bool is_constant() const { return terms_.empty(); }

  Linear& add_scaled(const Linear& other, std::int64_t factor);
  Linear& operator+=(const Linear& other) { return add_scaled(other, 1); }
  Linear& operator-=(const Linear& other) { return add_scaled(other, -1); }
  friend Linear operator+(Linear a, const Linear& b) { return a += b; }
  friend Linear operator-(Linear a, const Linear& b) { return a -= b; }
  friend Linear operator*(std::int64_t factor, const Linear& a) { return Linear().add_scaled(a, factor); }

 private:
  std::vector<Term> terms_;
  std::int64_t constant_ = 0;
};

class Formula {
 public:
  enum class Kind { constant, at_least_zero, equals_zero, variable, negation, conjunction, disjunction };
  struct Node {
    Kind kind;
    bool value = false;
    BoolVariable variable;
    Linear linear;
    std::vector<Formula> children;
  };

  Formula(bool value = true);
  Formula(BoolVariable variable);

  const Node& node() const { return *node_; }
  bool is_true() const { return node_->kind == Kind::constant && node_->value; }
  bool is_false() const { return node_->kind == Kind::constant && !node_->value; }

  friend Formula at_least_zero(Linear term);
  friend Formula equals_zero(Linear term);
  friend Formula operator!(const Formula& formula);
  friend Formula all_of(std::vector<Formula> formulas);
  friend Formula any_of(std::vector<Formula> formulas);

 private:
  explicit Formula(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  static Formula combine(Kind kind, std::vector<Formula> formulas);
  std::shared_ptr<const Node> node_;
};

Formula at_least_zero(Linear term);
Formula equals_zero(Linear term);
Formula operator!(const Formula& formula);
Formula all_of(std::vector<Formula> formulas);
Formula any_of(std::vector<Formula> formulas);

inline Formula operator>=(const Linear& a, const Linear& b) { return at_least_zero(a - b); }
inline Formula operator<=(const Linear& a, const Linear& b) { return at_least_zero(b - a); }
inline Formula operator>(const Linear& a, const Linear& b) { return at_least_zero(a - b - Linear(1)); }
inline Formula operator<(const Linear& a, const Linear& b) { return at_least_zero(b - a - Linear(1)); }
inline Formula equal(const Linear& a, const Linear& b) { return equals_zero(a - b); }
inline Formula operator&&(const Formula& a, const Formula& b) { return all_of({a, b}); }
inline Formula operator||(const Formula& a, const Formula& b) { return any_of({a, b}); }
inline Formula implies(const Formula& a, const Formula& b) { return any_of({!a, b}); }

}  // namespace nika::smt
