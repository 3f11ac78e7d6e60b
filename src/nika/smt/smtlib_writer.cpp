#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>

#include "nika/smt/smtlib.hpp"

namespace nika::smt {
namespace {

bool is_compound(const Formula& formula) {
  return formula.node().kind == Formula::Kind::conjunction || formula.node().kind == Formula::Kind::disjunction;
}

std::string number_text(std::int64_t number) {
  if (number >= 0) return std::to_string(number);
  return fmt::format("(- {})", std::to_string(number).substr(1));
}

class Writer {
 public:
  std::string text_of(const std::vector<Formula>& formulas, const std::string& remark) {
    for (const Formula& formula : formulas) count(formula);
    for (const Formula& formula : formulas) assertions_ += fmt::format("(assert {})\n", text(formula));
    std::string out;
    std::istringstream lines(remark);
    for (std::string line; std::getline(lines, line);) out += fmt::format("; {}\n", line);
    out += "(set-logic QF_LIA)\n(set-info :status unsat)\n";
    for (const std::uint32_t index : integers_) out += fmt::format("(declare-fun i{} () Int)\n", index);
    for (const std::uint32_t index : booleans_) out += fmt::format("(declare-fun b{} () Bool)\n", index);
    return out + assertions_ + "(check-sat)\n(exit)\n";
  }

 private:
  // How often each compound part stands somewhere, and which variables there are.
  void count(const Formula& formula) {
    const Formula::Node& node = formula.node();
    for (const auto& [index, factor] : node.linear.terms()) integers_.insert(index);
    if (node.kind == Formula::Kind::variable) booleans_.insert(node.variable.index);
    if (is_compound(formula) && ++uses_[&node] > 1) return;
    for (const Formula& child : node.children) count(child);
  }

  std::string text(const Linear& linear) const {
    std::vector<std::string> summands;
    for (const auto& [index, factor] : linear.terms()) {
      summands.push_back(factor == 1 ? fmt::format("i{}", index)
                                     : fmt::format("(* {} i{})", number_text(factor), index));
    }
    return summands.size() == 1 ? summands.front() : fmt::format("(+ {})", fmt::join(summands, " "));
  }

  std::string comparison(std::string_view symbol, const Linear& linear) const {
    return fmt::format("({} {} {})", symbol, text(linear - Linear(linear.constant())), number_text(-linear.constant()));
  }

  std::string text(const Formula& formula) {
    const Formula::Node& node = formula.node();
    switch (node.kind) {
      case Formula::Kind::constant: return node.value ? "true" : "false";
      case Formula::Kind::at_least_zero: return comparison(">=", node.linear);
      case Formula::Kind::equals_zero: return comparison("=", node.linear);
      case Formula::Kind::variable: return fmt::format("b{}", node.variable.index);
      case Formula::Kind::negation: return fmt::format("(not {})", text(node.children.front()));
      case Formula::Kind::conjunction:
      case Formula::Kind::disjunction: break;
    }
    const auto known = names_.find(&node);
    if (known != names_.end()) return known->second;
    std::string out = node.kind == Formula::Kind::conjunction ? "(and" : "(or";
    for (const Formula& child : node.children) out += " " + text(child);
    out += ")";
    if (uses_[&node] == 1) return out;
    const std::string name = fmt::format("d{}", names_.size());
    assertions_ += fmt::format("(define-fun {} () Bool {})\n", name, out);
    return names_[&node] = name;
  }

  std::map<const Formula::Node*, unsigned> uses_;
  std::map<const Formula::Node*, std::string> names_;
  std::set<std::uint32_t> integers_;
  std::set<std::uint32_t> booleans_;
  std::string assertions_;
};

}  // namespace

std::string smtlib_text(const std::vector<Formula>& formulas, const std::string& remark) {
  return Writer().text_of(formulas, remark);
}

}  // namespace nika::smt
