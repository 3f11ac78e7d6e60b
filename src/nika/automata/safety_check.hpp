// Decides safety properties of automata outside the fragment, for all parameters, in turns of growing effort: an
// abstraction or an inductive invariant proves one, a run refutes it. Nothing of the engine that finds invariants and
// runs is believed: the invariant is checked by the solver of choice, the run is replayed by the interpreter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "nika/automata/interpreter.hpp"
#include "nika/smt/reachability.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

class SafetyCheck {
 public:
  // Both must outlive it. The property must be one that is_safety accepts.
  SafetyCheck(const Automaton& automaton, const Formula& property);

  // Does the abstraction prove the property? It is asked again, with a higher limit, only as long as a limit was met.
  bool is_covered(const smt::Budget& budget);

  enum class Answer { holds, violated, unknown };
  struct Turn {
    Answer answer = Answer::unknown;
    std::optional<Counterexample> run;  // of a violation; replayed
    std::uint32_t queries = 0;
  };

  // The next turn with invariants, with four times the effort of the one before.
  Turn next(smt::Backend backend, const smt::Budget& budget);

 private:
  Turn attempt(smt::Strategy strategy, smt::Backend backend, const smt::Budget& budget) const;

  const Automaton& automaton_;
  const Formula& property_;
  smt::TransitionSystem system_;
  bool may_be_covered_ = true;  // the abstraction may still prove it
  std::size_t sets_;
  std::uint32_t effort_;
};

}  // namespace nika::automata
