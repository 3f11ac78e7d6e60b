// From one round to all: the automaton describes one round of a protocol, and a round switch says in which location of
// the next round a process goes on. Checks that the reduction of Bertrand, Konnov, Lazić and Widder ("Verification of
// Randomized Consensus Algorithms under Round-Rigid Adversaries", CONCUR 2019) applies, and makes the automata that
// must satisfy a property so that every round does. Section 12 of docs/threshold-automata.md has the argument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/base/result.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

// From final locations to start locations, by their variables; each final location once.
using RoundSwitch = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// "d0, e0 -> v0; d1, e1 -> v1".
Result<RoundSwitch> parse_round_switch(const Automaton& automaton, const std::string& text);

// What keeps the reduction from being applied, in one line; nothing if it can be.
std::optional<std::string> objection_to_rounds(const Automaton& automaton, const RoundSwitch& round_switch,
                                               const smt::Budget& budget);

// Any round, when some processes may never have finished the one before: each that is missing is where it does nothing.
// Everybody may stay everywhere. The variables of the automaton keep their numbers.
Automaton round_with_absent(const Automaton& automaton, const smt::Budget& budget);
// Any round that everybody enters. Everybody may stay everywhere.
Automaton round_with_all(const Automaton& automaton);

// "<>[](FAIR) -> <>(all but final locations are empty)", which lets everybody enter the next round.
bool is_round_termination(const Automaton& automaton, const RoundSwitch& round_switch, const Formula& formula);

// "starts == 0 -> [](ends == 0)" where whoever goes on in one of the starts comes from one of the ends: once a round
// begins without them, so do all later ones.
struct Inheritance {
  std::vector<std::uint32_t> starts, ends;
};
std::optional<Inheritance> inheritance_of(const Automaton& automaton, const RoundSwitch& round_switch,
                                          const Formula& formula);

// "[](some != 0 -> [](ends == 0))" where nobody goes on in the starts of an inheritance but from one of the ends: once
// it happens, what the inheritance says is true of all later rounds.
struct Trigger {
  std::vector<std::uint32_t> some, ends;
};
std::optional<Trigger> trigger_of(const Automaton& automaton, const Formula& formula);
bool triggers(const RoundSwitch& round_switch, const Trigger& trigger, const Inheritance& inheritance);

}  // namespace nika::automata
