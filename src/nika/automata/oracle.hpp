// Small questions about parameters and shared variables under the automaton's assumptions, answered by the solver and
// remembered. When the solver does not know, the answer is the cautious one: "it may be".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nika/automata/normal_form.hpp"
#include "nika/smt/recording_solver.hpp"

namespace nika::automata {

class Oracle {
 public:
  // If it records, it keeps what it finds impossible.
  Oracle(const Automaton& automaton, const smt::Budget& budget, bool records = false);

  // Is there a choice of parameters and natural numbers that satisfies the assumptions and the formula?
  bool is_possible(const NormalPtr& formula);
  bool is_possible_initially(const NormalPtr& formula);
  bool implies(const NormalPtr& premise, const NormalPtr& conclusion);

  // What was found to be impossible. Every other answer could have been the cautious one.
  std::vector<smt::Refutation> take_refutations() { return std::move(refutations_); }

 private:
  bool ask(smt::RecordingSolver& solver, const NormalPtr& formula);

  const Automaton& automaton_;
  smt::Budget budget_;
  bool records_;
  SymbolicConfiguration variables_;
  smt::RecordingSolver solver_;
  smt::RecordingSolver initial_;
  std::vector<smt::Refutation> refutations_;
  std::map<std::string, bool> known_;
};

}  // namespace nika::automata
