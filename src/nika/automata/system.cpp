#include "nika/automata/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "nika/automata/oracle.hpp"
#include "nika/base/strong_components.hpp"

namespace nika::automata {
namespace {

bool touches(const Expression& atom, const Transition& transition) {
  for (const auto& [variable, amount] : transition.increments) {
    for (const auto& [other, factor] : atom.terms()) {
      if (variable == other) return true;
    }
  }
  return false;
}

class Preparation {
 public:
  Preparation(const Automaton& automaton, const smt::Budget& budget, bool records)
      : automaton_(automaton), oracle_(automaton, budget, records) {
    system_.automaton = &automaton;
  }

  System run() {
    system_.has_parameters = oracle_.is_possible(normal_constant(true));
    system_.can_start = oracle_.is_possible_initially(normal_constant(true));
    system_.unpredictable.assign(automaton_.variable_count(), false);
    for (const Rule& rule : automaton_.rules) {
      if (auto reason = objection_to(rule); reason && !system_.relaxed) system_.relaxed = std::move(reason);
      for (const Update& update : rule.updates) {
        if (!only_adds(update)) system_.unpredictable[update.variable] = true;
      }
    }
    join_rules();
    find_nonzero_variables();
    find_ways();
    prune();
    mark_cycles();
    make_layers();
    system_.refutations = oracle_.take_refutations();
    return std::move(system_);
  }

 private:
  static bool only_adds(const Update& update) {
    const Expression change = update.value - Expression(smt::IntVariable{update.variable});
    return change.is_constant() && change.constant() >= 0;
  }

  bool is_regular(const Expression& atom) const {
    return direction_of(automaton_, atom) != Direction::mixed &&
           std::none_of(atom.terms().begin(), atom.terms().end(), [this](const auto& term) {
             return automaton_.is_location(term.first) || system_.unpredictable[term.first];
           });
  }

  // Guards are positive in their atoms, so this lets a rule fire more often, never less often.
  NormalPtr relaxed(const NormalPtr& guard) const {
    if (guard->kind == Normal::Kind::atom) return is_regular(guard->atom) ? guard : normal_constant(true);
    std::vector<NormalPtr> children;
    for (const NormalPtr& child : guard->children) children.push_back(relaxed(child));
    if (guard->kind == Normal::Kind::constant) return guard;
    return guard->kind == Normal::Kind::conjunction ? normal_and(children) : normal_or(children);
  }

  std::optional<std::string> objection_to(const Rule& rule) const {
    for (const Update& update : rule.updates) {
      if (!only_adds(update)) {
        return fmt::format("rule {} does not only add to '{}'", rule.id, automaton_.variable_name(update.variable));
      }
    }
    for (const Expression& atom : atoms_of(*normal_form(*rule.guard))) {
      for (const auto& [variable, factor] : atom.terms()) {
        if (automaton_.is_location(variable)) {
          return fmt::format("the guard of rule {} reads the location '{}'", rule.id,
                             automaton_.variable_name(variable));
        }
      }
      if (direction_of(automaton_, atom) == Direction::mixed) {
        return fmt::format("the guard of rule {} subtracts shared variables from each other", rule.id);
      }
    }
    return std::nullopt;
  }

  // A guard's parts that are always or never true become constants; ByMC's "x >= 1 || x == 0" is one of them.
  NormalPtr simplified(const NormalPtr& guard) {
    if (!oracle_.is_possible(guard)) return normal_constant(false);
    if (!oracle_.is_possible(complement(*guard))) return normal_constant(true);
    if (guard->children.empty()) return guard;
    std::vector<NormalPtr> children;
    for (const NormalPtr& child : guard->children) children.push_back(simplified(child));
    return guard->kind == Normal::Kind::conjunction ? normal_and(children) : normal_or(children);
  }

  void join_rules() {
    std::map<std::string, std::size_t> known;
    std::map<std::string, NormalPtr> guards;
    for (std::uint32_t i = 0; i < automaton_.rules.size(); ++i) {
      const Rule& rule = automaton_.rules[i];
      const NormalPtr raw = relaxed(normal_form(*rule.guard));
      NormalPtr& guard = guards[key_of(*raw)];
      if (!guard) guard = simplified(raw);
      if (rule.is_stay()) {
        system_.stays.push_back({rule.source, guard});
        continue;
      }
      if (guard->kind == Normal::Kind::constant && !guard->value) continue;
      Transition made{rule.source, rule.target, {}, guard, {i}, false};
      for (const Update& update : rule.updates) {
        if (system_.unpredictable[update.variable]) continue;
        made.increments.emplace_back(update.variable,
                                     (update.value - Expression(smt::IntVariable{update.variable})).constant());
      }
      if (made.source == made.target && made.increments.empty()) continue;
      std::sort(made.increments.begin(), made.increments.end());
      std::string key = fmt::format("{}>{}", rule.source, rule.target);
      for (const auto& [variable, amount] : made.increments) key += fmt::format("+{}v{}", amount, variable);
      const auto [place, is_new] = known.emplace(key, system_.transitions.size());
      if (is_new) {
        system_.transitions.push_back(std::move(made));
      } else {
        join(system_.transitions[place->second], made);
      }
    }
  }

  void join(Transition& into, const Transition& other) {
    into.rules.push_back(other.rules.front());
    if (oracle_.implies(other.guard, into.guard)) return;
    into.guard = oracle_.implies(into.guard, other.guard) ? other.guard : normal_or({into.guard, other.guard});
  }

  void find_nonzero_variables() {
    const std::uint32_t count = automaton_.variable_count();
    system_.may_start_nonzero.assign(count, true);
    for (std::uint32_t i = automaton_.shared_begin(); i < count; ++i) {
      const Expression positive = Expression(smt::IntVariable{i}) - Expression(1);
      system_.may_start_nonzero[i] = oracle_.is_possible_initially(normal_atom(positive));
    }
    system_.may_be_nonzero = system_.may_start_nonzero;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Transition& transition : system_.transitions) {
        if (!system_.may_be_nonzero[transition.source] || !guard_is_possible(transition)) continue;
        grown = grown || !system_.may_be_nonzero[transition.target];
        system_.may_be_nonzero[transition.target] = true;
        for (const auto& [variable, amount] : transition.increments) {
          grown = grown || !system_.may_be_nonzero[variable];
          system_.may_be_nonzero[variable] = true;
        }
      }
    }
  }

  // Only of the arrows: each guard may be true of some values, whether or not they are ever reached.
  void find_ways() {
    system_.has_way_to = system_.may_start_nonzero;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Transition& transition : system_.transitions) {
        if (!system_.has_way_to[transition.source] || system_.has_way_to[transition.target]) continue;
        system_.has_way_to[transition.target] = true;
        grown = true;
      }
    }
  }

  // Variables that nobody has incremented yet count as 0, which rules out more guards.
  bool guard_is_possible(const Transition& transition) {
    std::vector<NormalPtr> parts{transition.guard};
    for (std::uint32_t i = automaton_.shared_begin(); i < automaton_.location_begin(); ++i) {
      if (!system_.may_be_nonzero[i]) parts.push_back(normal_atom(Expression() - Expression(smt::IntVariable{i})));
    }
    return oracle_.is_possible(normal_and(parts));
  }

  void prune() {
    std::erase_if(system_.transitions, [this](const Transition& transition) {
      return !system_.may_be_nonzero[transition.source] || !guard_is_possible(transition);
    });
  }

  void mark_cycles() {
    StrongComponents locations(automaton_.variable_count());
    for (const Transition& transition : system_.transitions) locations.add_edge(transition.source, transition.target);
    const std::vector<std::uint32_t> component = locations.find();
    for (Transition& transition : system_.transitions) {
      transition.on_cycle = component[transition.source] == component[transition.target];
      system_.has_cycle = system_.has_cycle || transition.on_cycle;
    }
  }

  // Can firing "first" make the guard of "second" true? Only by an atom that is false while "first" may still fire.
  bool enables(const Transition& first, const Transition& second) {
    for (const Expression& atom : atoms_of(*second.guard)) {
      if (direction_of(automaton_, atom) == Direction::rising && may_change(first, atom)) return true;
    }
    return false;
  }

  bool disables(const Transition& first, const Transition& second) {
    for (const Expression& atom : atoms_of(*second.guard)) {
      if (direction_of(automaton_, atom) == Direction::falling && may_change(first, atom)) return true;
    }
    return false;
  }

  bool may_change(const Transition& transition, const Expression& atom) {
    if (!touches(atom, transition)) return false;
    const NormalPtr condition = normal_atom(atom);
    const bool rising = direction_of(automaton_, atom) == Direction::rising;
    return !oracle_.implies(transition.guard, rising ? condition : complement(*condition));
  }

  void make_layers() {
    const auto count = static_cast<std::uint32_t>(system_.transitions.size());
    StrongComponents dependencies(count);
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        const Transition& first = system_.transitions[a];
        const Transition& second = system_.transitions[b];
        if (a == b) continue;
        if (first.target == second.source || enables(first, second) || disables(second, first))
          dependencies.add_edge(a, b);
      }
    }
    // Components come numbered against the direction of the edges.
    const std::vector<std::uint32_t> component = dependencies.find();
    system_.layers.resize(dependencies.count());
    for (std::uint32_t i = 0; i < count; ++i) {
      system_.layers[system_.layers.size() - 1 - component[i]].transitions.push_back(i);
    }
    for (Layer& layer : system_.layers) measure(layer);
  }

  void measure(Layer& layer) {
    std::set<std::string> seen;
    for (const std::uint32_t user : layer.transitions) {
      layer.has_cycle = layer.has_cycle || system_.transitions[user].on_cycle;
      for (const Expression& atom : atoms_of(*system_.transitions[user].guard)) {
        if (!seen.insert(key_of(atom)).second) continue;
        const bool changes = std::any_of(layer.transitions.begin(), layer.transitions.end(), [&](std::uint32_t other) {
          return may_change(system_.transitions[other], atom);
        });
        if (!changes) continue;
        layer.segments += direction_of(automaton_, atom) == Direction::falling ? 2 : 1;
      }
    }
  }

  const Automaton& automaton_;
  Oracle oracle_;
  System system_;
};

}  // namespace

std::int64_t effect_on(const Expression& expression, const Transition& transition) {
  std::int64_t effect = 0;
  for (const auto& [variable, factor] : expression.terms()) {
    if (variable == transition.target) effect += factor;
    if (variable == transition.source) effect -= factor;
    for (const auto& [shared, amount] : transition.increments) {
      if (variable == shared) effect += factor * amount;
    }
  }
  return effect;
}

Direction direction_of(const Automaton& automaton, const Expression& atom) {
  bool rises = false;
  bool falls = false;
  for (const auto& [variable, factor] : atom.terms()) {
    if (!automaton.is_shared(variable)) continue;
    rises = rises || factor > 0;
    falls = falls || factor < 0;
  }
  if (rises && falls) return Direction::mixed;
  return rises ? Direction::rising : falls ? Direction::falling : Direction::constant;
}

NormalPtr without_unpredictable(const System& system, const NormalPtr& formula) {
  if (formula->kind == Normal::Kind::atom) {
    const bool reads = std::any_of(formula->atom.terms().begin(), formula->atom.terms().end(),
                                   [&](const auto& term) { return system.unpredictable[term.first]; });
    return reads ? normal_constant(true) : formula;
  }
  if (formula->kind == Normal::Kind::constant) return formula;
  std::vector<NormalPtr> children;
  for (const NormalPtr& child : formula->children) children.push_back(without_unpredictable(system, child));
  switch (formula->kind) {
    case Normal::Kind::conjunction: return normal_and(children);
    case Normal::Kind::disjunction: return normal_or(children);
    case Normal::Kind::always: return normal_always(children.front());
    default: break;
  }
  return normal_eventually(children.front());
}

System prepare(const Automaton& automaton, const smt::Budget& budget, bool records) {
  return Preparation(automaton, budget, records).run();
}

}  // namespace nika::automata
