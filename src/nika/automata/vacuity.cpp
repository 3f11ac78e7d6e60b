#include "nika/automata/vacuity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "nika/automata/printer.hpp"
#include "nika/base/printable.hpp"

namespace nika::automata {
namespace {

// Formulas that macros make huge have more premises than anybody reads.
constexpr std::size_t kMostPremises = 40;
constexpr std::size_t kMostCharacters = 120;

FormulaPtr make(Formula::Kind kind, std::vector<FormulaPtr> children) {
  Formula formula;
  formula.kind = kind;
  formula.children = std::move(children);
  return std::make_shared<const Formula>(std::move(formula));
}

FormulaPtr joined(Formula::Kind kind, const std::vector<FormulaPtr>& parts) {
  return parts.size() == 1 ? parts.front() : make(kind, parts);
}

// Walks through those parts of a formula that count towards it. Whatever is put in the place of such a part, the
// surroundings make a formula of it.
class PremiseSearch {
 public:
  using Surroundings = std::function<FormulaPtr(const FormulaPtr&)>;

  std::vector<Premise> run(const Formula& property) {
    visit(property, true, [](const FormulaPtr& part) { return part; }, true);
    return std::move(found_);
  }

 private:
  void visit(const Formula& formula, bool positive, const Surroundings& around, bool is_whole) {
    if (found_.size() >= kMostPremises) return;
    if (positive && formula.kind == Formula::Kind::implication) {
      const FormulaPtr& condition = formula.children[0];
      found_.push_back({condition, around(make(Formula::Kind::negation, {condition})), is_whole});
    }
    if (positive && formula.kind == Formula::Kind::disjunction) add_negated_parts(formula, around, is_whole);
    const bool keeps_whole = formula.kind == Formula::Kind::always || formula.kind == Formula::Kind::conjunction;
    for (std::size_t i = 0; i < formula.children.size(); ++i) {
      const bool flips =
          formula.kind == Formula::Kind::negation || (formula.kind == Formula::Kind::implication && i == 0);
      visit(
          *formula.children[i], positive != flips,
          [&formula, &around, i](const FormulaPtr& part) {
            std::vector<FormulaPtr> children = formula.children;
            children[i] = part;
            return around(make(formula.kind, std::move(children)));
          },
          is_whole && keeps_whole);
    }
  }

  // "!p || q" says the same as "p -> q".
  void add_negated_parts(const Formula& formula, const Surroundings& around, bool is_whole) {
    std::vector<FormulaPtr> negated;
    std::vector<FormulaPtr> conditions;
    for (const FormulaPtr& part : formula.children) {
      if (part->kind != Formula::Kind::negation) continue;
      negated.push_back(part);
      conditions.push_back(part->children.front());
    }
    if (negated.empty() || negated.size() == formula.children.size()) return;
    found_.push_back({joined(Formula::Kind::conjunction, conditions),
                      around(joined(Formula::Kind::disjunction, negated)), is_whole});
  }

  std::vector<Premise> found_;
};

void collect_locations(const Automaton& automaton, const Formula& formula, std::set<std::uint32_t>& found) {
  const Expression difference = formula.left - formula.right;
  for (const auto& [variable, factor] : difference.terms()) {
    if (automaton.is_location(variable)) found.insert(variable);
  }
  for (const FormulaPtr& child : formula.children) collect_locations(automaton, *child, found);
}

// The formula with 0 for the given variables.
NormalPtr with_zeros(const NormalPtr& formula, const std::set<std::uint32_t>& zeros) {
  if (formula->kind == Normal::Kind::constant) return formula;
  if (formula->kind == Normal::Kind::atom) {
    Expression rest(formula->atom.constant());
    for (const auto& [variable, factor] : formula->atom.terms()) {
      if (zeros.count(variable) == 0) rest.add_scaled(smt::IntVariable{variable}, factor);
    }
    return normal_atom(rest);
  }
  std::vector<NormalPtr> children;
  for (const NormalPtr& child : formula->children) children.push_back(with_zeros(child, zeros));
  switch (formula->kind) {
    case Normal::Kind::conjunction: return normal_and(children);
    case Normal::Kind::disjunction: return normal_or(children);
    case Normal::Kind::always: return normal_always(children.front());
    default: break;
  }
  return normal_eventually(children.front());
}

bool is_true(const Normal& formula) { return formula.kind == Normal::Kind::constant && formula.value; }

void collect_variables(const Normal& formula, std::set<std::uint32_t>& found) {
  for (const auto& [variable, factor] : formula.atom.terms()) found.insert(variable);
  for (const NormalPtr& child : formula.children) collect_variables(*child, found);
}

// A part of a disjunction that is true if the given variables are 0, so that the other parts do not matter: those of
// the variables that it names. Nothing if there is no such part.
std::vector<std::uint32_t> idle_choice(const NormalPtr& formula, const std::set<std::uint32_t>& zeros) {
  for (const NormalPtr& child : formula->children) {
    if (formula->kind == Normal::Kind::disjunction && is_true(*with_zeros(child, zeros))) {
      std::set<std::uint32_t> named;
      collect_variables(*child, named);
      std::vector<std::uint32_t> found;
      std::set_intersection(named.begin(), named.end(), zeros.begin(), zeros.end(), std::back_inserter(found));
      return found;
    }
    std::vector<std::uint32_t> found = idle_choice(child, zeros);
    if (!found.empty()) return found;
  }
  return {};
}

class VacuityCheck {
 public:
  VacuityCheck(const System& system, const Formula& property, const VerifyOptions& options)
      : system_(system),
        automaton_(*system.automaton),
        property_(property),
        normal_(normal_form(property)),
        options_(options) {
    options_.minimise = false;
    options_.records = false;
    options_.deepest_search = std::min<std::int64_t>(options_.deepest_search, 5);
  }

  Vacuity run() {
    if (!system_.has_parameters) return because("no parameters satisfy the assumptions");
    if (!system_.can_start) return because("nothing satisfies the assumptions and inits with at least one process");
    const std::vector<std::uint32_t> named = locations_in(automaton_, property_);
    for (const std::uint32_t location : named) {
      if (!system_.has_way_to[location]) result_.unreached.push_back(location);
    }
    if (is_empty_talk(normal_, result_.unreached, false)) return because(names_text("to which no rule leads"));
    for (const Premise& premise : premises_of(property_)) {
      if (decide(*premise.without_conclusion) == Verdict::holds) return because(text_of(premise));
    }
    find_unreached({named.begin(), named.end()});
    if (is_empty_talk(normal_, result_.unreached, true)) return because(names_text("which no run reaches"));
    return result_;
  }

 private:
  Vacuity because(std::string reason) {
    result_.reason = std::move(reason);
    result_.undecided.clear();
    return result_;
  }

  std::string names_text(std::string_view what) const {
    return fmt::format("it names {}, {}", quoted_names(automaton_, result_.unreached), what);
  }

  std::string text_of(const Premise& premise) const {
    const std::string condition = shortened(printed(automaton_, *premise.condition), kMostCharacters);
    if (premise.is_whole) return "its premise never holds: " + condition;
    return "what it concludes from this premise does not matter: " + condition;
  }

  Verdict decide(const Formula& formula) {
    const Outcome outcome = verify_property(system_, formula, options_);
    result_.queries += outcome.queries;
    if (outcome.verdict == Verdict::unknown && result_.undecided.empty()) result_.undecided = outcome.reason;
    return outcome.verdict;
  }

  // Asks only about locations that, with others that may be unreached, would make the property vacuous.
  void find_unreached(std::set<std::uint32_t> maybe) {
    // What the preparation has ruled out needs no query.
    std::set<std::uint32_t> unreached;
    for (const std::uint32_t location : maybe) {
      if (!system_.may_be_nonzero[location]) unreached.insert(location);
    }
    for (;;) {
      const std::vector<std::uint32_t> part = idle_choice(normal_, maybe);
      const auto open = std::find_if(part.begin(), part.end(),
                                     [&](std::uint32_t location) { return unreached.count(location) == 0; });
      if (open == part.end()) break;
      if (decide(*always_empty(*open)) == Verdict::holds) {
        unreached.insert(*open);
      } else {
        maybe.erase(*open);
      }
    }
    result_.unreached = {unreached.begin(), unreached.end()};
  }

  const System& system_;
  const Automaton& automaton_;
  const Formula& property_;
  NormalPtr normal_;
  VerifyOptions options_;
  Vacuity result_;
};

}  // namespace

std::vector<Premise> premises_of(const Formula& property) { return PremiseSearch().run(property); }

std::vector<std::uint32_t> locations_in(const Automaton& automaton, const Formula& property) {
  std::set<std::uint32_t> found;
  collect_locations(automaton, property, found);
  return {found.begin(), found.end()};
}

bool is_empty_talk(const NormalPtr& property, const std::vector<std::uint32_t>& empty, bool claims) {
  if (empty.empty()) return false;
  const std::set<std::uint32_t> zeros(empty.begin(), empty.end());
  return !idle_choice(property, zeros).empty() || (!claims && is_true(*with_zeros(property, zeros)));
}

std::string quoted_names(const Automaton& automaton, const std::vector<std::uint32_t>& locations) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(locations.size(), kMostNames); ++i) {
    names.push_back("'" + shortened(automaton.variable_name(locations[i]), kMostCharacters / kMostNames) + "'");
  }
  if (locations.size() > kMostNames) names.push_back(fmt::format("{} more", locations.size() - kMostNames));
  return fmt::format("{}", fmt::join(names, ", "));
}

FormulaPtr always_empty(std::uint32_t location) {
  Formula empty;
  empty.kind = Formula::Kind::comparison;
  empty.left = Expression(smt::IntVariable{location});
  return make(Formula::Kind::always, {std::make_shared<const Formula>(std::move(empty))});
}

Vacuity vacuity_of(const System& system, const Formula& property, const VerifyOptions& options) {
  return VacuityCheck(system, property, options).run();
}

void add_vacuity(const System& system, const Formula& property, const VerifyOptions& options, Outcome& outcome) {
  Vacuity vacuity = vacuity_of(system, property, options);
  outcome.vacuity = std::move(vacuity.reason);
  outcome.vacuity_undecided = std::move(vacuity.undecided);
  outcome.unreached = std::move(vacuity.unreached);
  outcome.queries += vacuity.queries;
}

Outcome judge_property(const System& system, const Formula& property, const VerifyOptions& options) {
  Outcome outcome;
  outcome.verdict = Verdict::holds;
  if (system.can_start) outcome = verify_property(system, property, options);
  if (outcome.verdict == Verdict::holds) add_vacuity(system, property, options, outcome);
  return outcome;
}

}  // namespace nika::automata
