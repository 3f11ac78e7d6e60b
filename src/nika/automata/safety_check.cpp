#include "nika/automata/safety_check.hpp"

#include <algorithm>

#include "nika/automata/coverability.hpp"
#include "nika/automata/safety_system.hpp"

namespace nika::automata {
namespace {

constexpr std::size_t kFirstSets = 500;
constexpr std::size_t kMostSets = 100'000;
constexpr std::uint32_t kFirstEffort = 60'000;
constexpr std::uint32_t kMostEffort = 2'000'000'000;

}  // namespace

SafetyCheck::SafetyCheck(const Automaton& automaton, const Formula& property)
    : automaton_(automaton),
      property_(property),
      system_(safety_system(automaton, property)),
      sets_(kFirstSets),
      effort_(kFirstEffort) {}

bool SafetyCheck::is_covered(const smt::Budget& budget) {
  if (!may_be_covered_) return false;
  const Coverability covered = prove_by_coverability(automaton_, property_, {sets_, budget});
  may_be_covered_ = covered == Coverability::limit_met;
  if (!budget.exhausted()) sets_ = std::min(sets_, kMostSets / 4) * 4;
  return covered == Coverability::proved;
}

SafetyCheck::Turn SafetyCheck::next(smt::Backend backend, const smt::Budget& budget) {
  Turn turn;
  for (const smt::Strategy strategy : {smt::Strategy::depth_first, smt::Strategy::breadth_first}) {
    const std::uint32_t queries = turn.queries;
    turn = attempt(strategy, backend, budget);
    turn.queries += queries;
    if (turn.answer != Answer::unknown) return turn;
  }
  if (!budget.exhausted()) effort_ = std::min(effort_, kMostEffort / 4) * 4;
  return turn;
}

SafetyCheck::Turn SafetyCheck::attempt(smt::Strategy strategy, smt::Backend backend, const smt::Budget& budget) const {
  Turn turn;
  if (budget.exhausted()) return turn;
  turn.queries = 1;
  const smt::Reachability reachability = smt::find_reachable(system_, {strategy, effort_}, budget);
  if (reachability.answer == smt::Answer::unsatisfiable && reachability.invariant) {
    ++turn.queries;
    const smt::Answer checked = smt::check_invariant(system_, *reachability.invariant, backend, budget);
    if (checked == smt::Answer::unsatisfiable) turn.answer = Answer::holds;
  }
  if (reachability.answer == smt::Answer::satisfiable) {
    turn.run = run_through(automaton_, reachability.values);
    if (turn.run && !objection_to(automaton_, property_, *turn.run)) turn.answer = Answer::violated;
  }
  return turn;
}

}  // namespace nika::automata
