// cvc5 through its C++ interface. It cannot be interrupted from outside, so time is limited by its own clock per check.
// Its limit is fixed once per session in this version: assertions are kept, and each check runs in a session of its
// own.
#include <cvc5/cvc5.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>
#include <optional>

#include "nika/base/require.hpp"
#include "nika/smt/solver.hpp"

namespace nika::smt {
namespace {

struct Session {
  cvc5::Solver solver;
  std::map<std::uint32_t, cvc5::Term> integers;
  std::map<std::uint32_t, cvc5::Term> booleans;
};

class Cvc5Solver final : public Solver {
 public:
  void add(const Formula& formula) override { formulas_.push_back(formula); }
  void push() override { marks_.push_back(formulas_.size()); }
  void pop() override {
    NIKA_REQUIRE(!marks_.empty());
    formulas_.resize(marks_.back());
    marks_.pop_back();
  }

  Answer check(const Budget& budget) override {
    if (budget.exhausted()) return give_up(budget.reason());
    try {
      return check_in_fresh_session(budget);
    } catch (const cvc5::CVC5ApiException& error) {
      return give_up(std::string("cvc5: ") + error.what());
    } catch (const std::bad_alloc&) {
      // What ran out of memory half way is not fit to be taken down: cvc5 crashes when it tries. It is left alone.
      (void)session_.release();
      throw;
    }
  }

  std::int64_t value(IntVariable variable) override {
    const auto found = values_.find(variable.index);
    if (found == values_.end()) return 0;
    if (!found->second) throw HugeValue();
    return *found->second;
  }

  std::string reason() const override { return reason_; }

 private:
  Answer give_up(std::string reason) {
    reason_ = std::move(reason);
    return Answer::unknown;
  }

  Answer check_in_fresh_session(const Budget& budget) {
    values_.clear();
    session_ = std::make_unique<Session>();
    session_->solver.setLogic("QF_LIA");
    session_->solver.setOption("produce-models", "true");
    session_->solver.setOption("seed", "0");
    if (budget.deadline != std::chrono::steady_clock::time_point::max()) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(budget.deadline - std::chrono::steady_clock::now());
      session_->solver.setOption("tlimit-per", std::to_string(std::max<std::int64_t>(1, left.count())));
    }
    for (const Formula& formula : formulas_) session_->solver.assertFormula(translate(formula));
    const cvc5::Result result = session_->solver.checkSat();
    if (result.isUnsat()) return Answer::unsatisfiable;
    if (!result.isSat()) return give_up(budget.exhausted() ? budget.reason() : "cvc5: " + result.toString());
    for (const auto& [index, term] : session_->integers) {
      const cvc5::Term number = session_->solver.getValue(term);
      values_[index] = number.isInt64Value() ? std::optional(number.getInt64Value()) : std::nullopt;
    }
    return Answer::satisfiable;
  }

  cvc5::Term integer(std::uint32_t index) {
    const auto found = session_->integers.find(index);
    if (found != session_->integers.end()) return found->second;
    return session_->integers[index] =
               session_->solver.mkConst(session_->solver.getIntegerSort(), fmt::format("i{}", index));
  }

  cvc5::Term boolean(std::uint32_t index) {
    const auto found = session_->booleans.find(index);
    if (found != session_->booleans.end()) return found->second;
    return session_->booleans[index] =
               session_->solver.mkConst(session_->solver.getBooleanSort(), fmt::format("b{}", index));
  }

  cvc5::Term translate(const Linear& linear) {
    std::vector<cvc5::Term> summands;
    for (const auto& [index, factor] : linear.terms()) {
      const cvc5::Term variable = integer(index);
      summands.push_back(
          factor == 1 ? variable : session_->solver.mkTerm(cvc5::MULT, {session_->solver.mkInteger(factor), variable}));
    }
    return summands.size() == 1 ? summands.front() : session_->solver.mkTerm(cvc5::ADD, summands);
  }

  cvc5::Term translate(const Formula& formula) {
    const Formula::Node& node = formula.node();
    switch (node.kind) {
      case Formula::Kind::constant: return session_->solver.mkBoolean(node.value);
      case Formula::Kind::at_least_zero:
        return session_->solver.mkTerm(cvc5::GEQ,
                                       {translate(node.linear), session_->solver.mkInteger(-node.linear.constant())});
      case Formula::Kind::equals_zero:
        return session_->solver.mkTerm(cvc5::EQUAL,
                                       {translate(node.linear), session_->solver.mkInteger(-node.linear.constant())});
      case Formula::Kind::variable: return boolean(node.variable.index);
      case Formula::Kind::negation: return session_->solver.mkTerm(cvc5::NOT, {translate(node.children.front())});
      case Formula::Kind::conjunction:
      case Formula::Kind::disjunction: break;
    }
    std::vector<cvc5::Term> children;
    for (const Formula& child : node.children) children.push_back(translate(child));
    return session_->solver.mkTerm(node.kind == Formula::Kind::conjunction ? cvc5::AND : cvc5::OR, children);
  }

  std::vector<Formula> formulas_;
  std::vector<std::size_t> marks_;
  std::unique_ptr<Session> session_;
  std::map<std::uint32_t, std::optional<std::int64_t>> values_;  // empty: too large
  std::string reason_;
};

}  // namespace

std::unique_ptr<Solver> make_cvc5_solver() { return std::make_unique<Cvc5Solver>(); }

}  // namespace nika::smt
