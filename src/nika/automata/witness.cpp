#include "nika/automata/witness.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nika::automata {
namespace {

using Counts = std::map<std::uint32_t, std::int64_t>;  // transition, how often it still fires

class Ordering {
 public:
  Ordering(const System& system, Configuration& configuration, std::vector<Step>& steps)
      : system_(system), configuration_(configuration), steps_(steps) {}

  bool order(Counts counts) {
    while (!counts.empty()) {
      if (!fire_feeding_first(counts) && !fire_one(counts)) return false;
    }
    return true;
  }

 private:
  // A location that nothing still leads to can be emptied at once.
  bool fire_feeding_first(Counts& counts) {
    std::set<std::uint32_t> fed;
    for (const auto& [index, count] : counts) fed.insert(system_.transitions[index].target);
    for (const auto& [index, count] : counts) {
      const Transition& transition = system_.transitions[index];
      if (fed.count(transition.source) > 0 || configuration_[transition.source] < count) continue;
      for (std::int64_t left = count; left > 0;) {
        const std::int64_t fired = fire(index, left);
        if (fired == 0) return false;
        left -= fired;
      }
      counts.erase(index);
      return true;
    }
    return false;
  }

  // On cycles: one firing that leaves the others still reachable.
  bool fire_one(Counts& counts) {
    const Counts candidates = counts;
    for (const auto& [index, count] : candidates) {
      const Transition& transition = system_.transitions[index];
      if (configuration_[transition.source] < 1) continue;
      Counts rest = candidates;
      if (--rest[index] == 0) rest.erase(index);
      --configuration_[transition.source];
      ++configuration_[transition.target];
      const bool possible = all_are_fed(rest);
      ++configuration_[transition.source];
      --configuration_[transition.target];
      if (!possible) continue;
      if (fire(index, 1) == 0) return false;
      counts = rest;
      return true;
    }
    return false;
  }

  bool all_are_fed(const Counts& counts) const {
    std::set<std::uint32_t> reached;
    for (std::uint32_t i = system_.automaton->location_begin(); i < configuration_.size(); ++i) {
      if (configuration_[i] > 0) reached.insert(i);
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [index, count] : counts) {
        const Transition& transition = system_.transitions[index];
        if (reached.count(transition.source) > 0 && reached.insert(transition.target).second) grown = true;
      }
    }
    return std::all_of(counts.begin(), counts.end(),
                       [&](const auto& entry) { return reached.count(system_.transitions[entry.first].source) > 0; });
  }

  // Some rule of the transition whose own guard is true, as often as it surely stays true; rules in a row become one
  // step. Returns how often, at most as often as was asked for; 0 if there is none.
  std::int64_t fire(std::uint32_t index, std::int64_t most) {
    for (const std::uint32_t position : system_.transitions[index].rules) {
      const Rule& rule = system_.automaton->rules[position];
      if (!is_enabled(rule, configuration_)) continue;
      const std::int64_t count = steady_firings(rule, configuration_, most);
      automata::fire(rule, configuration_, count);
      if (!steps_.empty() && steps_.back().rule == position) {
        steps_.back().count += count;
      } else {
        steps_.push_back({position, count});
      }
      return count;
    }
    return 0;
  }

  const System& system_;
  Configuration& configuration_;
  std::vector<Step>& steps_;
};

bool append(const System& system, const std::vector<Block>& blocks, smt::Solver& solver, Configuration& configuration,
            std::vector<Step>& steps) {
  for (const Block& block : blocks) {
    for (const Segment& segment : block.segments) {
      Counts counts;
      for (const auto& [index, variable] : segment.counts) {
        if (const std::int64_t count = solver.value(variable); count > 0) counts[index] = count;
      }
      if (!Ordering(system, configuration, steps).order(std::move(counts))) return false;
    }
  }
  return true;
}

// A self-loop that somebody can take for ever, if there is one.
std::vector<Step> staying(const Automaton& automaton, const Configuration& configuration) {
  for (std::uint32_t i = 0; i < automaton.rules.size(); ++i) {
    if (automaton.rules[i].is_stay() && is_enabled(automaton.rules[i], configuration)) return {{i, 1}};
  }
  return {};
}

}  // namespace

std::optional<Counterexample> witness_of(const RunEncoding& encoding, smt::Solver& solver) {
  Counterexample result;
  for (const smt::Linear& term : encoding.initial()) {
    std::int64_t value = term.constant();
    for (const auto& [variable, factor] : term.terms()) value += factor * solver.value({variable});
    result.initial.push_back(value);
  }
  Configuration configuration = result.initial;
  if (!append(encoding.system(), encoding.prefix(), solver, configuration, result.steps)) return std::nullopt;
  if (!append(encoding.system(), encoding.loop(), solver, configuration, result.loop)) return std::nullopt;
  if (result.loop.empty()) result.loop = staying(*encoding.system().automaton, configuration);
  return result;
}

}  // namespace nika::automata
