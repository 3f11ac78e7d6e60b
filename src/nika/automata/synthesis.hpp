// Finds every choice of a sketch's unknowns under which all its properties hold: guess numbers, verify, and learn from
// the counterexample which other numbers the same run refutes. A choice is called a solution only if it was verified.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nika/automata/sketch.hpp"
#include "nika/automata/verifier.hpp"

namespace nika::automata {

struct Interval {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// Numbers that are tried lie between its negative and this, whatever is asked for.
inline constexpr std::int64_t kLargestUnknown = 10'000;
// Of an unknown that neither the options nor the assumptions bound.
inline constexpr Interval kUsualBounds{-10, 10};

struct SynthesisOptions {
  VerifyOptions verify;
  std::optional<Interval> bounds;  // for each unknown; the assumptions hold too
  bool generalise = true;          // false: a counterexample excludes only the numbers that it was found for
};

struct Solution {
  Assignment values;
  std::vector<std::string> vacuous;  // properties that hold of nothing
};

// Numbers for which no property was violated and one could not be decided.
struct UndecidedChoice {
  Assignment values;
  std::string property;
  std::string reason;
};

struct SynthesisResult {
  std::vector<Interval> bounds;     // what each unknown can be at all; none if nothing satisfies the conditions
  std::vector<Solution> solutions;  // sorted
  std::vector<UndecidedChoice> undecided;
  std::uint64_t tried = 0;    // choices that were verified
  std::uint64_t learned = 0;  // counterexamples that exclude choices
  std::uint64_t queries = 0;  // about properties
  bool complete = false;      // every choice within the bounds is a solution, undecided or excluded
  std::string reason;         // if it is not complete
  bool solver_is_wrong = false;
};

SynthesisResult synthesize(const Automaton& sketch, const SynthesisOptions& options);

}  // namespace nika::automata
