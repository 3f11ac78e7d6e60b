#include "nika/automata/run_encoding.hpp"

#include <algorithm>
#include <map>

#include "nika/base/strong_components.hpp"

namespace nika::automata {
namespace {

// A guard with its rising atoms read before and its falling atoms read after: true of both means true all the way.
smt::Formula guard_throughout(const Automaton& automaton, const Normal& guard, const SymbolicConfiguration& before,
                              const SymbolicConfiguration& after) {
  if (guard.kind == Normal::Kind::atom) {
    const bool falling = direction_of(automaton, guard.atom) == Direction::falling;
    return instantiate(guard, falling ? after : before);
  }
  if (guard.kind == Normal::Kind::constant) return smt::Formula(guard.value);
  std::vector<smt::Formula> children;
  for (const NormalPtr& child : guard.children) children.push_back(guard_throughout(automaton, *child, before, after));
  return guard.kind == Normal::Kind::conjunction ? smt::all_of(std::move(children)) : smt::any_of(std::move(children));
}

bool has_falling_atom(const Automaton& automaton, const Normal& guard) {
  const std::vector<Expression> atoms = atoms_of(guard);
  return std::any_of(atoms.begin(), atoms.end(),
                     [&](const Expression& atom) { return direction_of(automaton, atom) == Direction::falling; });
}

// "These locations are empty": no constant, and only locations, which count against it.
bool is_emptiness(const Automaton& automaton, const Expression& atom) {
  return atom.constant() == 0 && std::all_of(atom.terms().begin(), atom.terms().end(), [&](const auto& term) {
           return automaton.is_location(term.first) && term.second < 0;
         });
}

// In an accelerated step every linear expression moves in one direction, so an atom that is true before and after is
// true in between. A disjunction is if one disjunct is, or if there is nothing in between.
smt::Formula holds_throughout(const Normal& formula, const SymbolicConfiguration& before,
                              const SymbolicConfiguration& after, const smt::Linear& count) {
  const smt::Formula both = instantiate(formula, before) && instantiate(formula, after);
  if (formula.kind == Normal::Kind::constant || formula.kind == Normal::Kind::atom) return both;
  std::vector<smt::Formula> children;
  for (const NormalPtr& child : formula.children) children.push_back(holds_throughout(*child, before, after, count));
  if (formula.kind == Normal::Kind::conjunction) return smt::all_of(std::move(children));
  children.push_back(both && count <= smt::Linear(1));
  return smt::any_of(std::move(children));
}

}  // namespace

RunEncoding::RunEncoding(const System& system, smt::Solver& solver, EncodingOptions options)
    : system_(system), solver_(solver), options_(options) {
  const Automaton& automaton = *system_.automaton;
  for (std::uint32_t i = 0; i < automaton.variable_count(); ++i) {
    initial_.push_back(system_.may_start_nonzero[i] ? smt::Linear(fresh()) : smt::Linear(0));
  }
  for (const FormulaPtr& assumption : automaton.assumptions)
    solver_.add(instantiate(*normal_form(*assumption), initial_));
  for (const FormulaPtr& init : automaton.inits) solver_.add(instantiate(*normal_form(*init), initial_));
  smt::Linear processes;
  for (std::uint32_t i = automaton.location_begin(); i < automaton.variable_count(); ++i) processes += initial_[i];
  solver_.add(processes >= 1);
  StrongComponents locations(automaton.variable_count());
  for (const Transition& transition : system_.transitions) locations.add_edge(transition.source, transition.target);
  const std::vector<std::uint32_t> component = locations.find();
  for (std::uint32_t i = 0; i < system_.transitions.size(); ++i) order_.push_back(i);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(component[system_.transitions[b].source], a) <
           std::pair(component[system_.transitions[a].source], b);
  });
}

smt::IntVariable RunEncoding::fresh() {
  const smt::IntVariable variable{next_integer_++};
  solver_.add(smt::Linear(variable) >= 0);
  return variable;
}

smt::Linear RunEncoding::total() const {
  smt::Linear sum;
  for (const Block& block : prefix_) sum += block.total;
  for (const Block& block : loop_) sum += block.total;
  return sum;
}

smt::Linear RunEncoding::parameters() const {
  smt::Linear sum;
  for (std::uint32_t i = 0; i < system_.automaton->parameter_count(); ++i) sum += initial_[i];
  return sum;
}

Block RunEncoding::empty_block(const SymbolicConfiguration& begin) const {
  Block block;
  block.begin = begin;
  block.end = begin;
  block.fired.resize(system_.transitions.size());
  return block;
}

void RunEncoding::add_block() {
  Block block = empty_block(prefix_.empty() ? initial_ : prefix_.back().end);
  if (options_.rounds == 0) {
    for (const Layer& layer : system_.layers) {
      const bool planted = options_.planted == PlantedError::one_segment_per_layer;
      for (std::uint32_t i = 0; i < (planted ? 1 : layer.segments); ++i) add_layered_segment(block, layer);
    }
  }
  for (std::uint32_t i = 0; i < options_.rounds; ++i) add_ordered_round(block, order_);
  prefix_.push_back(std::move(block));
}

Segment RunEncoding::start_segment(Block& block, const Members& members, SymbolicConfiguration& configuration) {
  Segment segment;
  for (const std::uint32_t index : members) {
    const Transition& transition = system_.transitions[index];
    const smt::IntVariable count = fresh();
    segment.counts.emplace_back(index, count);
    if (transition.source != transition.target) {
      configuration[transition.source] -= count;
      configuration[transition.target] += count;
    }
    for (const auto& [variable, amount] : transition.increments) configuration[variable].add_scaled(count, amount);
    block.fired[index] += count;
    block.total += count;
  }
  return segment;
}

void RunEncoding::add_layered_segment(Block& block, const Layer& layer) {
  const SymbolicConfiguration before = block.end;
  block.segments.push_back(start_segment(block, layer.transitions, block.end));
  const Segment& segment = block.segments.back();
  require_guards(segment, before, block.end);
  require_tokens(segment, block.end);
  const bool planted = options_.planted == PlantedError::forget_connectivity;
  if (layer.has_cycle && !planted) require_connection(segment, before);
}

void RunEncoding::add_ordered_round(Block& block, const Members& members) {
  for (const std::uint32_t index : members) {
    const SymbolicConfiguration before = block.end;
    block.segments.push_back(start_segment(block, {index}, block.end));
    const Segment& segment = block.segments.back();
    require_guards(segment, before, block.end);
    require_tokens(segment, block.end);
    if (system_.transitions[index].source == system_.transitions[index].target) require_connection(segment, before);
    block.between.push_back(block.end);
  }
}

void RunEncoding::require_guards(const Segment& segment, const SymbolicConfiguration& before,
                                 const SymbolicConfiguration& after) {
  const Automaton& automaton = *system_.automaton;
  const smt::Formula single = smt::BoolVariable{next_boolean_};
  bool single_is_used = false;
  for (const auto& [index, count] : segment.counts) {
    const Normal& guard = *system_.transitions[index].guard;
    if (guard.kind == Normal::Kind::constant && guard.value) continue;
    smt::Formula enabled = instantiate(guard, before);
    const bool planted = options_.planted == PlantedError::ignore_falling_guards;
    if (has_falling_atom(automaton, guard) && !planted) {
      single_is_used = true;
      enabled = guard_throughout(automaton, guard, before, after) || (single && enabled);
    }
    solver_.add(smt::Linear(count) <= 0 || enabled);
  }
  if (!single_is_used) return;
  ++next_boolean_;
  smt::Linear sum;
  for (const auto& [index, count] : segment.counts) sum += count;
  solver_.add(smt::implies(single, sum <= 1));
}

void RunEncoding::require_tokens(const Segment& segment, const SymbolicConfiguration& after) {
  std::vector<std::uint32_t> sources;
  for (const auto& [index, count] : segment.counts) sources.push_back(system_.transitions[index].source);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  for (const std::uint32_t source : sources) solver_.add(after[source] >= 0);
}

// Whoever fires must be fed: its source holds a process before the segment, or a transition that fires leads there from
// a location of lower rank. Without ranks a cycle of empty locations would feed itself.
void RunEncoding::require_connection(const Segment& segment, const SymbolicConfiguration& before) {
  std::map<std::uint32_t, smt::Linear> rank;
  for (const auto& [index, count] : segment.counts) {
    for (const std::uint32_t location : {system_.transitions[index].source, system_.transitions[index].target}) {
      if (rank.find(location) == rank.end()) rank[location] = fresh();
    }
  }
  for (const auto& [index, count] : segment.counts) {
    const std::uint32_t source = system_.transitions[index].source;
    std::vector<smt::Formula> fed{smt::Linear(count) <= 0, before[source] >= 1};
    for (const auto& [feeder, times] : segment.counts) {
      const Transition& transition = system_.transitions[feeder];
      if (transition.target != source || transition.source == source) continue;
      fed.push_back(smt::Linear(times) >= 1 && rank[transition.source] < rank[source]);
    }
    solver_.add(smt::any_of(std::move(fed)));
  }
}

bool RunEncoding::add_loop(std::uint32_t blocks, const std::vector<Expression>& watched) {
  Members members;
  for (const std::uint32_t index : order_) {
    if (system_.transitions[index].on_cycle) members.push_back(index);
  }
  const SymbolicConfiguration begin = prefix_.empty() ? initial_ : prefix_.back().end;
  bool complete = true;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    Block block = empty_block(i == 0 ? begin : loop_.back().end);
    if (options_.rounds == 0) {
      block.segments.push_back(start_segment(block, members, block.end));
      require_guards(block.segments.back(), block.begin, block.end);
      require_tokens(block.segments.back(), block.end);
      require_connection(block.segments.back(), block.begin);
    }
    for (std::uint32_t round = 0; round < options_.rounds; ++round) add_ordered_round(block, members);
    complete = require_drift(block, begin, watched) && complete;
    loop_.push_back(std::move(block));
  }
  for (std::uint32_t i = system_.automaton->location_begin(); i < begin.size(); ++i) {
    solver_.add(smt::equal(begin[i], loop_.back().end[i]));
  }
  return complete;
}

// A loop that adds to shared variables repeats only if everything that reads them has reached its final truth before.
bool RunEncoding::require_drift(const Block& block, const SymbolicConfiguration& loop_begin,
                                const std::vector<Expression>& watched) {
  const Automaton& automaton = *system_.automaton;
  bool complete = true;
  std::vector<Expression> atoms = watched;
  for (const Transition& transition : system_.transitions) {
    if (!transition.on_cycle) continue;
    if (system_.relaxed) {  // nothing is replayed, and the guards as written are not in force
      const std::vector<Expression> more = atoms_of(*transition.guard);
      atoms.insert(atoms.end(), more.begin(), more.end());
      continue;
    }
    // The guards as they were written: the replay looks at those, and a guard that is always true may have parts that
    // are not.
    for (const std::uint32_t rule : transition.rules) {
      const std::vector<Expression> more = atoms_of(*normal_form(*automaton.rules[rule].guard));
      atoms.insert(atoms.end(), more.begin(), more.end());
    }
  }
  for (std::uint32_t index = 0; index < system_.transitions.size(); ++index) {
    const Transition& transition = system_.transitions[index];
    if (!transition.on_cycle || transition.increments.empty()) continue;
    std::vector<smt::Formula> settled;
    for (const Expression& atom : atoms) {
      Expression shared_part;
      for (const auto& [variable, factor] : atom.terms()) {
        if (automaton.is_shared(variable)) shared_part.add_scaled(smt::IntVariable{variable}, factor);
      }
      if (effect_on(shared_part, transition) == 0) continue;
      const Direction direction = direction_of(automaton, atom);
      complete = complete && direction != Direction::mixed;
      settled.emplace_back(direction != Direction::mixed);
      for (const SymbolicConfiguration* place : {&loop_begin, &block.begin, &block.end}) {
        const smt::Formula holds = smt::at_least_zero(instantiate(atom, *place));
        settled.push_back(direction == Direction::rising ? holds : !holds);
      }
    }
    solver_.add(block.fired[index] <= 0 || smt::all_of(std::move(settled)));
  }
  return complete;
}

smt::Formula RunEncoding::never_stops_early() const {
  const SymbolicConfiguration& last = prefix_.empty() ? initial_ : prefix_.back().end;
  std::vector<smt::Formula> ways;
  std::vector<smt::Formula> stuck;
  for (const Block& block : loop_) ways.push_back(block.total >= 1);
  for (const Stay& stay : system_.stays) {
    ways.push_back(last[stay.location] >= 1 && instantiate(*stay.guard, last));
    stuck.push_back(!ways.back());
  }
  for (const Transition& transition : system_.transitions) {
    stuck.push_back(last[transition.source] <= 0 || !instantiate(*transition.guard, last));
  }
  ways.push_back(smt::all_of(std::move(stuck)));
  return smt::any_of(std::move(ways));
}

smt::Formula RunEncoding::forbids_entry(const Block& block, const Expression& atom) const {
  std::vector<smt::Formula> parts;
  for (std::uint32_t index = 0; index < system_.transitions.size(); ++index) {
    const std::uint32_t target = system_.transitions[index].target;
    const bool enters = std::any_of(atom.terms().begin(), atom.terms().end(),
                                    [target](const auto& term) { return term.first == target; });
    if (enters) parts.push_back(block.fired[index] <= 0);
  }
  return smt::all_of(std::move(parts));
}

// Somewhere in the block there is a configuration that satisfies the formula, where the transition can fire and leads
// to one that satisfies it too. Shared variables are between what they are at the block's ends.
smt::Formula RunEncoding::can_fire_inside(const Block& block, std::uint32_t index, const Normal& formula) {
  const Automaton& automaton = *system_.automaton;
  const Transition& transition = system_.transitions[index];
  SymbolicConfiguration before = initial_;
  smt::Linear come_or_gone;
  std::vector<smt::Formula> parts;
  for (std::uint32_t i = automaton.shared_begin(); i < automaton.variable_count(); ++i) {
    before[i] = system_.may_be_nonzero[i] ? smt::Linear(fresh()) : smt::Linear(0);
    if (automaton.is_location(i)) come_or_gone += before[i] - initial_[i];
  }
  SymbolicConfiguration after = before;
  if (transition.source != transition.target) {
    after[transition.source] -= smt::Linear(1);
    after[transition.target] += smt::Linear(1);
  }
  for (const auto& [variable, amount] : transition.increments) after[variable] += smt::Linear(amount);
  for (std::uint32_t i = automaton.shared_begin(); i < automaton.location_begin(); ++i) {
    parts.push_back(block.begin[i] <= before[i]);
    parts.push_back(after[i] <= block.end[i]);
  }
  parts.push_back(smt::equals_zero(come_or_gone));
  parts.push_back(before[transition.source] >= 1);
  parts.push_back(instantiate(*transition.guard, before));
  parts.push_back(instantiate(formula, before));
  parts.push_back(instantiate(formula, after));
  return smt::all_of(std::move(parts));
}

smt::Formula RunEncoding::fires_only_inside(const Block& block, const Normal& formula) {
  std::vector<smt::Formula> parts;
  for (std::uint32_t index = 0; index < system_.transitions.size(); ++index) {
    if (block.fired[index].is_constant()) continue;
    parts.push_back(block.fired[index] <= 0 || can_fire_inside(block, index, formula));
  }
  return smt::all_of(std::move(parts));
}

smt::Formula RunEncoding::invariant_of(const Block& block, const Normal& formula) {
  if (options_.witnesses) return ends_and_entries(block, formula) && fires_only_inside(block, formula);
  return ends_and_entries(block, formula);
}

smt::Formula RunEncoding::ends_and_entries(const Block& block, const Normal& formula) const {
  if (formula.kind == Normal::Kind::conjunction) {
    std::vector<smt::Formula> parts;
    for (const NormalPtr& child : formula.children) parts.push_back(ends_and_entries(block, *child));
    return smt::all_of(std::move(parts));
  }
  if (formula.kind == Normal::Kind::atom && is_emptiness(*system_.automaton, formula.atom)) {
    return instantiate(formula, block.begin) && forbids_entry(block, formula.atom);
  }
  std::vector<smt::Formula> parts{instantiate(formula, block.begin), instantiate(formula, block.end)};
  for (std::size_t i = 0; i < block.between.size(); ++i) {
    const SymbolicConfiguration& before = i == 0 ? block.begin : block.between[i - 1];
    const auto& [index, count] = block.segments[i].counts.front();
    const std::vector<Expression> atoms = atoms_of(formula);
    const bool touched = std::any_of(atoms.begin(), atoms.end(), [&](const Expression& atom) {
      return effect_on(atom, system_.transitions[index]) != 0;
    });
    if (touched) parts.push_back(holds_throughout(formula, before, block.between[i], count));
  }
  return smt::all_of(std::move(parts));
}

}  // namespace nika::automata
