// Z3 through its C++ interface. The old arithmetic core (smt.arith.solver=2) is chosen; docs/adr says why.
#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <map>
#include <optional>

#include "nika/base/require.hpp"
#include "nika/smt/z3_session.hpp"

namespace nika::smt {
namespace {

// The new core counts less of what it does: in the same time about a hundredth.
constexpr std::uint32_t kOldArithmetic = 2;
constexpr std::uint32_t kNewPerOldUnits = 100;

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(const Z3Configuration& configuration)
      : scoped_(own_.get()),
        context_(scoped_()),
        solver_(context_, z3::solver::simple()),
        effort_unit_(configuration.arithmetic == kOldArithmetic ? 1 : kNewPerOldUnits) {
    z3::params parameters(context_);
    parameters.set("arith.solver", configuration.arithmetic);
    parameters.set("random_seed", configuration.seed);
    parameters.set("ctrl_c", false);  // signals are the program's business
    solver_.set(parameters);
  }

  void add(const Formula& formula) override {
    with_memory([&] { solver_.add(translate(formula)); });
  }
  void push() override {
    with_memory([&] { solver_.push(); });
  }
  void pop() override {
    with_memory([&] { solver_.pop(); });
  }

  Answer check(const Budget& budget) override {
    model_.reset();
    if (budget.exhausted()) return give_up(budget.reason());
    try {
      limit(budget.effort);
      std::optional<Watchdog> watchdog;
      if (!budget.unlimited()) watchdog.emplace(context_, budget);
      return with_memory([&] {
        switch (solver_.check()) {
          case z3::sat: model_ = std::make_unique<z3::model>(solver_.get_model()); return Answer::satisfiable;
          case z3::unsat: return Answer::unsatisfiable;
          case z3::unknown: break;
        }
        return give_up(budget.exhausted() ? budget.reason() : "z3: " + solver_.reason_unknown());
      });
    } catch (const z3::exception& error) {
      return give_up(budget.exhausted() ? budget.reason() : std::string("z3: ") + error.msg());
    }
  }

  std::int64_t value(IntVariable variable) override {
    NIKA_REQUIRE(model_);
    std::int64_t number = 0;
    const bool fits = with_memory([&] { return model_->eval(integer(variable.index), true).is_numeral_i64(number); });
    if (!fits) throw HugeValue();
    return number;
  }

  std::string reason() const override { return reason_; }

 private:
  Answer give_up(std::string reason) {
    reason_ = std::move(reason);
    return Answer::unknown;
  }

  void limit(std::uint32_t effort) {
    if (effort == effort_) return;
    z3::params parameters(context_);
    parameters.set("rlimit", effort == 0 ? 0 : std::max(1U, effort / effort_unit_));
    solver_.set(parameters);
    effort_ = effort;
  }

  z3::expr integer(std::uint32_t index) {
    const auto found = integers_.find(index);
    if (found != integers_.end()) return found->second;
    const z3::expr made = context_.int_const(fmt::format("i{}", index).c_str());
    return integers_.emplace(index, made).first->second;
  }

  z3::expr translate(const Linear& linear) {
    z3::expr_vector summands(context_);
    for (const auto& [index, factor] : linear.terms()) {
      const z3::expr variable = integer(index);
      summands.push_back(factor == 1 ? variable : context_.int_val(factor) * variable);
    }
    return z3::sum(summands);
  }

  z3::expr translate(const Formula& formula) {
    const Formula::Node& node = formula.node();
    switch (node.kind) {
      case Formula::Kind::constant: return context_.bool_val(node.value);
      case Formula::Kind::at_least_zero: return translate(node.linear) >= context_.int_val(-node.linear.constant());
      case Formula::Kind::equals_zero: return translate(node.linear) == context_.int_val(-node.linear.constant());
      case Formula::Kind::variable: return context_.bool_const(fmt::format("b{}", node.variable.index).c_str());
      case Formula::Kind::negation: return !translate(node.children.front());
      case Formula::Kind::conjunction:
      case Formula::Kind::disjunction: break;
    }
    const auto known = translated_.find(&node);
    if (known != translated_.end()) return known->second.second;
    z3::expr_vector children(context_);
    for (const Formula& child : node.children) children.push_back(translate(child));
    const z3::expr made = node.kind == Formula::Kind::conjunction ? z3::mk_and(children) : z3::mk_or(children);
    // The formula is kept beside its translation, so that no later formula can take its address.
    translated_.emplace(&node, std::pair(formula, made));
    return made;
  }

  OwnContext own_;
  z3::scoped_context scoped_;
  z3::context& context_;
  z3::solver solver_;
  std::unique_ptr<z3::model> model_;
  std::map<std::uint32_t, z3::expr> integers_;
  std::map<const Formula::Node*, std::pair<Formula, z3::expr>> translated_;
  std::uint32_t effort_unit_;  // so much of the old core's work takes as long as one of this one's
  std::uint32_t effort_ = 0;
  std::string reason_;
};

}  // namespace

bool Budget::exhausted() const {
  const auto is_set = [](const std::atomic<bool>* flag) { return flag != nullptr && flag->load(); };
  return is_set(cancelled) || is_set(needless) || std::chrono::steady_clock::now() >= deadline;
}

Budget Budget::at_most(std::chrono::milliseconds time) const {
  Budget shorter = *this;
  shorter.deadline = std::min(deadline, std::chrono::steady_clock::now() + time);
  return shorter;
}

Budget budget_of(double seconds, const std::atomic<bool>* cancelled) {
  Budget budget;
  budget.cancelled = cancelled;
  if (seconds > 0) {
    budget.deadline =
        std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
  }
  return budget;
}

std::unique_ptr<Solver> make_z3_solver(const Z3Configuration& configuration) {
  return std::make_unique<Z3Solver>(configuration);
}

}  // namespace nika::smt
