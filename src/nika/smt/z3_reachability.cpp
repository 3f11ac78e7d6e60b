// The Horn clause engine of Z3. One predicate stands for the configurations that are reachable.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "nika/smt/reachability.hpp"
#include "nika/smt/z3_session.hpp"

namespace nika::smt {
namespace {

// Back from Z3's terms to linear formulas. Nothing where a term is not one, such as a remainder.
class Reader {
 public:
  // Variables are Z3's bound variables, which a cover has for the arguments of its predicate.
  static std::optional<Formula> formula(const z3::expr& term) {
    if (term.is_true() || term.is_false()) return Formula(term.is_true());
    if (!term.is_app()) return std::nullopt;
    std::vector<Formula> children;
    switch (term.decl().decl_kind()) {
      case Z3_OP_AND:
      case Z3_OP_OR:
      case Z3_OP_NOT:
      case Z3_OP_IMPLIES:
        for (unsigned i = 0; i < term.num_args(); ++i) {
          const std::optional<Formula> child = formula(term.arg(i));
          if (!child) return std::nullopt;
          children.push_back(*child);
        }
        if (term.is_not()) return !children.front();
        if (term.is_implies()) return implies(children[0], children[1]);
        return term.is_and() ? all_of(std::move(children)) : any_of(std::move(children));
      default: return comparison(term);
    }
  }

 private:
  static std::optional<Formula> comparison(const z3::expr& term) {
    if (term.num_args() != 2 || !term.arg(0).is_int()) return std::nullopt;
    const std::optional<Linear> left = linear(term.arg(0));
    const std::optional<Linear> right = linear(term.arg(1));
    if (!left || !right) return std::nullopt;
    switch (term.decl().decl_kind()) {
      case Z3_OP_EQ: return equal(*left, *right);
      case Z3_OP_DISTINCT: return !equal(*left, *right);
      case Z3_OP_LE: return *left <= *right;
      case Z3_OP_LT: return *left < *right;
      case Z3_OP_GE: return *left >= *right;
      case Z3_OP_GT: return *left > *right;
      default: return std::nullopt;
    }
  }

  static std::optional<Linear> linear(const z3::expr& term) {
    std::int64_t number = 0;
    if (term.is_numeral()) return term.is_numeral_i64(number) ? std::optional<Linear>(number) : std::nullopt;
    if (term.is_var()) return Linear(IntVariable{Z3_get_index_value(term.ctx(), term)});
    if (!term.is_app()) return std::nullopt;
    const Z3_decl_kind kind = term.decl().decl_kind();
    if (kind != Z3_OP_ADD && kind != Z3_OP_SUB && kind != Z3_OP_UMINUS && kind != Z3_OP_MUL) return std::nullopt;
    std::optional<Linear> result = linear(term.arg(0));
    if (kind == Z3_OP_UMINUS && result) return -1 * *result;
    for (unsigned i = 1; result && i < term.num_args(); ++i) {
      const std::optional<Linear> next = linear(term.arg(i));
      if (!next) return std::nullopt;
      if (kind != Z3_OP_MUL) {
        result->add_scaled(*next, kind == Z3_OP_ADD ? 1 : -1);
      } else if (!result->is_constant() && !next->is_constant()) {
        return std::nullopt;
      } else {
        result = result->is_constant() ? result->constant() * *next : next->constant() * *result;
      }
    }
    return result;
  }
};

class Engine {
 public:
  Engine(const TransitionSystem& system, const ReachabilityOptions& options)
      : system_(system),
        own_(options.effort),
        scoped_(own_.get()),
        context_(scoped_()),
        fixedpoint_(context_),
        sorts_(context_) {
    z3::params parameters(context_);
    parameters.set("engine", context_.str_symbol("spacer"));
    // The answers have to speak of the predicate as it is declared here.
    for (const char* rewriting : {"xform.slice", "xform.inline_linear", "xform.inline_eager", "ctrl_c"})
      parameters.set(rewriting, false);
    if (options.strategy == Strategy::breadth_first) parameters.set("spacer.gpdr", true);
    fixedpoint_.set(parameters);
    for (std::uint32_t i = 0; i < system.variables; ++i) {
      sorts_.push_back(context_.int_sort());
      before_.push_back(context_.int_const(fmt::format("v{}", i).c_str()));
    }
    reached_.emplace(context_.function("reached", sorts_, context_.bool_sort()));
    fixedpoint_.register_relation(*reached_);
    add_rules();
  }

  Reachability run(const Budget& budget) {
    Reachability result;
    z3::expr bad = context_.bool_const("bad");
    z3::func_decl is_bad = bad.decl();
    fixedpoint_.register_relation(is_bad);
    add(translate(system_.known) && translate(system_.bad) && at(before_), bad, "bad");
    z3::check_result answer = z3::unknown;
    {
      std::optional<Watchdog> watchdog;
      if (!budget.unlimited()) watchdog.emplace(context_, budget);
      answer = fixedpoint_.query(bad);
    }
    if (answer == z3::unsat) {
      result.answer = Answer::unsatisfiable;
      result.invariant = Reader::formula(fixedpoint_.get_cover_delta(-1, *reached_));
    } else if (answer == z3::sat) {
      result.answer = Answer::satisfiable;
      result.values = trace();
    } else {
      result.reason = budget.exhausted() ? budget.reason() : "z3: " + fixedpoint_.reason_unknown();
    }
    return result;
  }

 private:
  z3::expr translate(const Linear& linear) {
    z3::expr sum = context_.int_val(linear.constant());
    for (const auto& [index, factor] : linear.terms()) sum = sum + context_.int_val(factor) * before_[index];
    return sum;
  }

  z3::expr translate(const Formula& formula) {
    const Formula::Node& node = formula.node();
    switch (node.kind) {
      case Formula::Kind::constant: return context_.bool_val(node.value);
      case Formula::Kind::at_least_zero: return translate(node.linear) >= 0;
      case Formula::Kind::equals_zero: return translate(node.linear) == 0;
      case Formula::Kind::variable: return context_.bool_const(fmt::format("b{}", node.variable.index).c_str());
      case Formula::Kind::negation: return !translate(node.children.front());
      case Formula::Kind::conjunction:
      case Formula::Kind::disjunction: break;
    }
    z3::expr_vector children(context_);
    for (const Formula& child : node.children) children.push_back(translate(child));
    return node.kind == Formula::Kind::conjunction ? z3::mk_and(children) : z3::mk_or(children);
  }

  z3::expr at(const std::vector<z3::expr>& values) {
    z3::expr_vector arguments(context_);
    for (const z3::expr& value : values) arguments.push_back(value);
    return (*reached_)(arguments);
  }

  void add(const z3::expr& body, const z3::expr& head, const std::string& name) {
    z3::expr_vector variables(context_);
    for (const z3::expr& variable : before_) variables.push_back(variable);
    z3::expr clause = z3::forall(variables, z3::implies(body, head));
    fixedpoint_.add_rule(clause, context_.str_symbol(name.c_str()));
  }

  void add_rules() {
    const z3::expr known = translate(system_.known);
    add(translate(system_.initial) && known, at(before_), "start");
    for (std::size_t i = 0; i < system_.rules.size(); ++i) {
      std::vector<z3::expr> after = before_;
      for (const auto& [variable, value] : system_.rules[i].updates) after[variable] = translate(value);
      add(at(before_) && translate(system_.rules[i].guard) && known, at(after), fmt::format("rule{}", i));
    }
  }

  // The proof that something bad is reached is a chain of resolutions, the last one outermost. Each has the clause
  // first, then the proof of what it needs, then the predicate with numbers that it concludes.
  std::vector<std::vector<std::int64_t>> trace() {
    std::vector<std::vector<std::int64_t>> values;
    for (z3::expr proof = fixedpoint_.get_answer(); proof.is_app();) {
      const Z3_decl_kind kind = proof.decl().decl_kind();
      const unsigned count = proof.num_args();
      if (kind == Z3_OP_PR_MODUS_PONENS) {
        proof = proof.arg(0);
        continue;
      }
      if (kind != Z3_OP_PR_HYPER_RESOLVE || count < 2) break;
      if (const auto numbers = arguments_of(proof.arg(count - 1))) values.push_back(*numbers);
      if (count < 3) break;
      proof = proof.arg(1);
    }
    std::reverse(values.begin(), values.end());
    return values;
  }

  std::optional<std::vector<std::int64_t>> arguments_of(const z3::expr& fact) const {
    if (!fact.is_app() || fact.num_args() != system_.variables) return std::nullopt;
    std::vector<std::int64_t> numbers(system_.variables);
    for (unsigned i = 0; i < fact.num_args(); ++i) {
      if (!fact.arg(i).is_numeral_i64(numbers[i])) return std::nullopt;
    }
    return numbers;
  }

  const TransitionSystem& system_;
  OwnContext own_;
  z3::scoped_context scoped_;
  z3::context& context_;
  z3::fixedpoint fixedpoint_;
  z3::sort_vector sorts_;
  std::vector<z3::expr> before_;
  std::optional<z3::func_decl> reached_;
};

}  // namespace

Reachability find_reachable(const TransitionSystem& system, const ReachabilityOptions& options, const Budget& budget) {
  Reachability result;
  if (budget.exhausted()) {
    result.reason = budget.reason();
    return result;
  }
  try {
    return with_memory([&] { return Engine(system, options).run(budget); });
  } catch (const z3::exception& error) {
    result.reason = budget.exhausted() ? budget.reason() : std::string("z3: ") + error.msg();
  }
  return result;
}

}  // namespace nika::smt
