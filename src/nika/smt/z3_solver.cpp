// Z3 through its C++ interface. The old arithmetic core (smt.arith.solver=2) is chosen; docs/adr says why.
#include <fmt/format.h>
#include <z3++.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <thread>

#include "nika/base/require.hpp"
#include "nika/smt/solver.hpp"

namespace nika::smt {
namespace {

// Interrupts a running check when the budget is spent. Z3's own timeout starts late in long preprocessing.
class Watchdog {
 public:
  Watchdog(z3::context& context, const Budget& budget)
      : thread_([this, &context, &budget] { watch(context, budget); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(z3::context& context, const Budget& budget) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return done_; })) {
      if (budget.exhausted()) context.interrupt();
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

// Z3's own class does not look whether there was memory for a context, and uses what is none.
class OwnContext {
 public:
  OwnContext() {
    const Z3_config config = Z3_mk_config();
    if (config == nullptr) throw std::bad_alloc();
    context_ = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ~OwnContext() { Z3_del_context(context_); }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;
  Z3_context get() const { return context_; }

 private:
  Z3_context context_ = nullptr;
};

// Runs what calls Z3; memory that runs out there is what it is everywhere.
template <class Call>
auto with_memory(Call call) {
  try {
    return call();
  } catch (const z3::exception& error) {
    if (std::string_view(error.msg()).find("out of memory") != std::string_view::npos) throw std::bad_alloc();
    throw;
  }
}

class Z3Solver final : public Solver {
 public:
  Z3Solver() : scoped_(own_.get()), context_(scoped_()), solver_(context_, z3::solver::simple()) {
    z3::params parameters(context_);
    parameters.set("arith.solver", 2U);
    parameters.set("random_seed", 0U);
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
  std::string reason_;
};

}  // namespace

bool Budget::exhausted() const {
  return (cancelled != nullptr && cancelled->load()) || std::chrono::steady_clock::now() >= deadline;
}

std::unique_ptr<Solver> make_z3_solver() { return std::make_unique<Z3Solver>(); }

}  // namespace nika::smt
