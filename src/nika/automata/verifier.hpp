// Decides one property of a prepared automaton for all parameters at once. "Holds" rests on the proof in
// docs/threshold-automata.md, "violated" on a run that the interpreter has replayed; everything else is "unknown".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nika/automata/interpreter.hpp"
#include "nika/automata/run_encoding.hpp"
#include "nika/automata/system.hpp"
#include "nika/smt/portfolio_solver.hpp"
#include "nika/smt/recording_solver.hpp"

namespace nika::automata {

enum class Verdict { holds, violated, unknown };
const char* to_string(Verdict verdict);

struct Outcome {
  Verdict verdict = Verdict::unknown;
  std::string reason;                    // of an unknown
  std::string note;                      // what the verdict depends on, if that might surprise
  std::string vacuity;                   // why "holds" says nothing of the protocol; see vacuity.hpp
  std::string vacuity_undecided;         // why it is not known whether "holds" says something; else empty
  std::vector<std::uint32_t> unreached;  // of a "holds": some of the locations that are named and that no run reaches
  std::optional<Counterexample> counterexample;
  std::uint32_t queries = 0;
  std::string by_symmetry_with;  // the property whose answer this is, mapped by a symmetry; else empty
  bool solver_is_wrong = false;  // a model that does not replay: an error in the encoding or in the solver
  // Of a "holds" that was recorded: the question that settles it, given what the preparation has ruled out. Nothing if
  // there was no question, as where nothing can start.
  std::shared_ptr<const smt::Refutation> proof;
};

struct VerifyOptions {
  smt::Backend backend = smt::Backend::z3;
  smt::Budget budget;
  bool minimise = true;
  // Outside of the fragment, violations are searched for with parameters up to this.
  std::int64_t deepest_search = 5;
  PlantedError planted = PlantedError::none;
  bool records = false;      // keeps the proof of what holds
  smt::Portfolio portfolio;  // for a hard question to Z3
};

// One property, decided in as many goes as it needs: what ran out of time goes on where it stopped, as far as the
// solver can. Says nothing about vacuity: judge_property of vacuity.hpp does.
class Verification {
 public:
  // The system and the property must outlive it. The options' budget is not looked at.
  Verification(const System& system, const Formula& property, const VerifyOptions& options);
  ~Verification();
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  // Until there is a verdict, or the budget is spent: then the reason begins with the budget's. A counterexample is
  // made smaller until another budget is spent, since that is done only once.
  Outcome go_on(const smt::Budget& budget, const smt::Budget& to_minimise);

 private:
  class Course;
  std::unique_ptr<Course> course_;
};

Outcome verify_property(const System& system, const Formula& property, const VerifyOptions& options);

}  // namespace nika::automata
