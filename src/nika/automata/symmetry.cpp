#include "nika/automata/symmetry.hpp"

#include <fmt/format.h>

#include <numeric>
#include <set>

namespace nika::automata {
namespace {

Expression renamed(const Expression& expression, const Renaming& renaming) {
  Expression result(expression.constant());
  for (const auto& [variable, factor] : expression.terms()) {
    result.add_scaled(Expression(smt::IntVariable{renaming[variable]}), factor);
  }
  return result;
}

std::string renamed_key(const NormalRule& rule, const Renaming& renaming) {
  std::set<std::string> updates;
  for (const Update& update : rule.updates) {
    updates.insert(fmt::format("{}:={}", renaming[update.variable], key_of(renamed(update.value, renaming))));
  }
  return fmt::format("{}>{} when {} do {}", renaming[rule.source], renaming[rule.target],
                     renamed_key(*rule.guard, renaming), fmt::join(updates, ";"));
}

std::vector<Step> image_of(const Symmetry& symmetry, const std::vector<Step>& steps) {
  std::vector<Step> image;
  image.reserve(steps.size());
  for (const Step& step : steps) image.push_back({symmetry.rules[step.rule], step.count});
  return image;
}

}  // namespace

Renaming no_renaming(const Automaton& automaton) {
  Renaming renaming(automaton.variable_count());
  std::iota(renaming.begin(), renaming.end(), 0U);
  return renaming;
}

std::string renamed_key(const Normal& formula, const Renaming& renaming) {
  if (formula.kind == Normal::Kind::atom) return key_of(renamed(formula.atom, renaming));
  if (formula.children.empty()) return key_of(formula);
  std::set<std::string> children;
  for (const NormalPtr& child : formula.children) children.insert(renamed_key(*child, renaming));
  return fmt::format("{}({})", static_cast<int>(formula.kind), fmt::join(children, ")("));
}

Counterexample image_of(const Symmetry& symmetry, const Counterexample& run) {
  Counterexample image{Configuration(run.initial.size()), image_of(symmetry, run.steps), image_of(symmetry, run.loop)};
  for (std::size_t i = 0; i < run.initial.size(); ++i) image.initial[symmetry.renaming[i]] = run.initial[i];
  return image;
}

NormalAutomaton::NormalAutomaton(const Automaton& written) : automaton(written) {
  std::vector<NormalPtr> conditions;
  conditions.reserve(written.assumptions.size() + written.inits.size());
  for (const FormulaPtr& assumption : written.assumptions) conditions.push_back(normal_form(*assumption));
  for (const FormulaPtr& init : written.inits) conditions.push_back(normal_form(*init));
  start = normal_and(conditions);
  for (const Rule& rule : written.rules) {
    rules.push_back({rule.source, rule.target, normal_form(*rule.guard), rule.updates});
  }
}

SymmetryCheck::SymmetryCheck(const NormalAutomaton& normal) : normal_(normal) {
  const Renaming same = no_renaming(normal.automaton);
  start_ = renamed_key(*normal.start, same);
  for (std::uint32_t i = 0; i < normal.rules.size(); ++i) rules_.emplace(renamed_key(normal.rules[i], same), i);
}

// One to one, the parameters as they are, and shared variables and locations each among themselves.
bool SymmetryCheck::respects_sorts(const Renaming& renaming) const {
  const Automaton& automaton = normal_.automaton;
  if (renaming.size() != automaton.variable_count()) return false;
  std::vector<bool> taken(renaming.size(), false);
  for (std::uint32_t i = 0; i < renaming.size(); ++i) {
    const std::uint32_t image = renaming[i];
    if (image >= renaming.size() || taken[image]) return false;
    taken[image] = true;
    if (automaton.is_parameter(i) && image != i) return false;
    if (automaton.is_location(i) != automaton.is_location(image)) return false;
  }
  return true;
}

// The rules with different keys are finitely many and a renaming is one to one, so it is enough that every image is
// there.
std::optional<Symmetry> SymmetryCheck::symmetry_by(const Renaming& renaming) const {
  if (!respects_sorts(renaming) || renamed_key(*normal_.start, renaming) != start_) return std::nullopt;
  Symmetry symmetry{renaming, {}};
  for (const NormalRule& rule : normal_.rules) {
    const auto image = rules_.find(renamed_key(rule, renaming));
    if (image == rules_.end()) return std::nullopt;
    symmetry.rules.push_back(image->second);
  }
  return symmetry;
}

}  // namespace nika::automata
