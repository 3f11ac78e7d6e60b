// Whether a transition system reaches something bad, decided by the Horn clause engine of Z3 (Spacer). It need not end:
// it has a limit of effort, the same on every machine, and a budget. What it says is a proposal only: an invariant that
// check_invariant has to confirm, or configurations that the caller has to replay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nika/smt/transition_system.hpp"

namespace nika::smt {

struct Reachability {
  Answer answer = Answer::unknown;                // satisfiable: something bad is reached
  std::optional<Formula> invariant;               // if not; missing if it cannot be told in linear formulas
  std::vector<std::vector<std::int64_t>> values;  // if so: the configurations of a run, from the start to something bad
  std::string reason;                             // of an unknown
};

// Two orders in which the engine looks at what may lead to something bad. Neither is better in general.
enum class Strategy { depth_first, breadth_first };

struct ReachabilityOptions {
  Strategy strategy = Strategy::depth_first;
  std::uint32_t effort = 0;  // in the units of Z3's resource limit; 0: no limit
};

Reachability find_reachable(const TransitionSystem& system, const ReachabilityOptions& options, const Budget& budget);

}  // namespace nika::smt
