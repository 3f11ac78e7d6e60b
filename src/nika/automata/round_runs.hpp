// All runs of rounds after each other for given numbers, one step of one process at a time: the slow, obvious meaning
// of what section 12 of docs/threshold-automata.md claims. It knows nothing of the reduction. For tests and benchmarks
// only.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/rounds.hpp"

namespace nika::automata {

using Starts = std::set<Configuration>;  // of one round: who enters it where

// A configuration of a round has one number more for each entry of the switch: who has gone on to the next round by it.
class RoundRuns {
 public:
  RoundRuns(const Automaton& automaton, const RoundSwitch& round_switch)
      : automaton_(automaton), switch_(round_switch) {}

  // Everything that may come after these starts in their round. Whoever goes on does it at any time.
  std::set<Configuration> reachable(const Starts& starts) const {
    std::set<Configuration> seen;
    std::vector<Configuration> waiting;
    const auto see = [&](Configuration at) {
      if (seen.insert(at).second) waiting.push_back(std::move(at));
    };
    for (const Configuration& start : starts) see(begun(start));  // or from where a round has got to
    while (!waiting.empty()) {
      const Configuration at = std::move(waiting.back());
      waiting.pop_back();
      for (Configuration& next : after(at)) see(std::move(next));
    }
    return seen;
  }

  // What may come after one of these locations was occupied in the round.
  std::set<Configuration> reachable_through(const Starts& starts, const std::vector<std::uint32_t>& some) const {
    Starts through;
    for (const Configuration& at : reachable(starts)) {
      const Configuration view = told(at);
      if (std::any_of(some.begin(), some.end(), [&](std::uint32_t location) { return view[location] > 0; }))
        through.insert(at);
    }
    return reachable(through);
  }

  // Where the next round begins if this one stops here for ever.
  Configuration next_start(const Configuration& at) const {
    Configuration next(automaton_.variable_count(), 0);
    std::copy_n(at.begin(), automaton_.parameter_count(), next.begin());
    for (std::size_t i = 0; i < switch_.size(); ++i) next[switch_[i].second] += at[automaton_.variable_count() + i];
    return next;
  }

  // Who has gone on counts where it left.
  Configuration told(const Configuration& at) const {
    Configuration view(at.begin(), at.begin() + automaton_.variable_count());
    for (std::size_t i = 0; i < switch_.size(); ++i) view[switch_[i].first] += at[automaton_.variable_count() + i];
    return view;
  }

  bool nobody_stays_final(const Configuration& at) const {
    return std::all_of(switch_.begin(), switch_.end(), [&](const auto& entry) { return at[entry.first] == 0; });
  }

  // Does some run of the round from this start, which may stop anywhere for ever, violate the formula?
  bool is_violated(const Formula& formula, const Configuration& start) const {
    Truths truths(formula);
    for (const Truths::Bits& bits : truths_from(begun(start), truths)) {
      if (!truths.holds(formula, told(begun(start)), bits)) return true;
    }
    return false;
  }

 private:
  // The truth of each temporal part of a formula, inner ones first.
  struct Truths {
    using Bits = std::vector<bool>;
    explicit Truths(const Formula& formula) { collect(formula); }

    // Here, if that is what they are at the next configuration; nothing is next if all stays as it is for ever.
    Bits here(const Configuration& at, const Bits* next) const {
      Bits bits;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool now = holds(*parts[i]->children.front(), at, bits);
        const bool later = next == nullptr ? now : (*next)[i];
        bits.push_back(parts[i]->kind == Formula::Kind::always ? now && later : now || later);
      }
      return bits;
    }

    bool holds(const Formula& formula, const Configuration& at, const Bits& bits) const {
      const auto is_true = [&](const FormulaPtr& child) { return holds(*child, at, bits); };
      const auto& children = formula.children;
      switch (formula.kind) {
        case Formula::Kind::constant:
        case Formula::Kind::comparison: return satisfies(formula, at);
        case Formula::Kind::negation: return !is_true(children[0]);
        case Formula::Kind::implication: return !is_true(children[0]) || is_true(children[1]);
        case Formula::Kind::conjunction: return std::all_of(children.begin(), children.end(), is_true);
        case Formula::Kind::disjunction: return std::any_of(children.begin(), children.end(), is_true);
        case Formula::Kind::eventually:
        case Formula::Kind::always: break;
      }
      return bits[static_cast<std::size_t>(std::find(parts.begin(), parts.end(), &formula) - parts.begin())];
    }

    std::vector<const Formula*> parts;
    std::map<Configuration, std::set<Bits>> known;

   private:
    void collect(const Formula& formula) {
      for (const FormulaPtr& child : formula.children) collect(*child);
      if (formula.kind == Formula::Kind::eventually || formula.kind == Formula::Kind::always) parts.push_back(&formula);
    }
  };

  Configuration begun(Configuration start) const {
    start.resize(automaton_.variable_count() + switch_.size(), 0);
    return start;
  }

  std::vector<Configuration> after(const Configuration& at) const {
    std::vector<Configuration> all;
    for (const Rule& rule : automaton_.rules) {
      if (rule.is_stay() || !is_enabled(rule, at)) continue;
      fire(rule, all.emplace_back(at));
    }
    for (std::size_t i = 0; i < switch_.size(); ++i) {
      if (at[switch_[i].first] == 0) continue;
      Configuration& next = all.emplace_back(at);
      --next[switch_[i].first];
      ++next[automaton_.variable_count() + i];
    }
    return all;
  }

  // No run of a round comes back to where it was.
  const std::set<Truths::Bits>& truths_from(const Configuration& at, Truths& truths) const {
    const auto known = truths.known.find(at);
    if (known != truths.known.end()) return known->second;
    std::set<Truths::Bits> all{truths.here(told(at), nullptr)};
    for (const Configuration& next : after(at)) {
      for (const Truths::Bits& bits : truths_from(next, truths)) all.insert(truths.here(told(at), &bits));
    }
    return truths.known.emplace(at, std::move(all)).first->second;
  }

  const Automaton& automaton_;
  const RoundSwitch& switch_;
};

}  // namespace nika::automata
