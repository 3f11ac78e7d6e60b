// From a counterexample of an automaton to a run of the protocol: what is asked for, and what comes of it. Plain
// values; the search is in replayer.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nika/automata/interpreter.hpp"
#include "nika/conform/follower.hpp"
#include "nika/model/scenario.hpp"

namespace nika::conform {

// What a violated property of the automaton is called in the simulator, and whether it is one of what never happens, so
// that all that was sent must have arrived before it is judged.
struct Aim {
  std::string_view property;
  bool is_at_rest = false;
};

// Who begins where and who leads: what a counterexample says of its first configuration.
struct Casting {
  std::vector<Roles> begins;         // of each honest seat, one location for each role
  std::vector<IdentitySet> leaders;  // of round 1, 2 and so on
  std::vector<std::string> inputs;   // of all seats; none: each has its own
};

// What a liar may say about what is followed, and the shared variable that it is counted with.
struct Said {
  Saying saying{};
  std::optional<std::uint32_t> variable{};
};

struct ReplayRequest {
  const automata::Automaton* automaton = nullptr;
  const automata::Counterexample* counterexample = nullptr;
  Aim aim{};
  std::vector<std::string> bugs{};
  std::uint64_t most_inputs = 40'000;  // after that it gives up
};

struct Replayed {
  Scenario scenario{};
  std::uint64_t inputs_tried = 0;
  // Rules that the run takes and the counterexample does not, by their position: replicas start at once, where a
  // process of the automaton may put it off for ever.
  std::vector<std::uint32_t> beyond{};
};

// The rules of a counterexample without a loop, one by one. An error if it has one: then runs are no longer finite.
Result<std::vector<std::uint32_t>> firings_of(const automata::Counterexample& counterexample);

// Honest seats are the first ones, in the order of the locations in which the first role begins; all others lie.
// `start` says where roles may begin. An error if the first configuration has other numbers of processes.
Result<std::vector<Roles>> begins_of(const automata::Automaton& automaton, const Roles& start, unsigned role_count,
                                     const automata::Configuration& initial, unsigned honest);

// Of binary protocols: who begins with 1 leads round 1. Further rounds are led by a liar if there is one.
Casting binary_casting(std::vector<Roles> begins, std::uint32_t start_1, unsigned nodes, unsigned rounds);

}  // namespace nika::conform
