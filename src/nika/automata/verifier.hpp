// Decides one property of a prepared automaton for all parameters at once. "Holds" rests on the proof in
// docs/threshold-automata.md, "violated" on a run that the interpreter has replayed; everything else is "unknown".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/run_encoding.hpp"
#include "nika/automata/system.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

enum class Verdict { holds, violated, unknown };
const char* to_string(Verdict verdict);

struct Outcome {
  Verdict verdict = Verdict::unknown;
  std::string reason;  // of an unknown
  std::string note;    // what the verdict depends on, if that might surprise
  std::optional<Counterexample> counterexample;
  std::uint32_t queries = 0;
  std::string by_symmetry_with;  // the property whose answer this is, mapped by a symmetry; else empty
  bool solver_is_wrong = false;  // a model that does not replay: an error in the encoding or in the solver
};

struct VerifyOptions {
  smt::Backend backend = smt::Backend::z3;
  smt::Budget budget;
  bool minimise = true;
  PlantedError planted = PlantedError::none;
};

Outcome verify_property(const System& system, const Formula& property, const VerifyOptions& options);

}  // namespace nika::automata
