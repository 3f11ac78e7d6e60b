// Divisions that do not come out even for all parameters: where this tool, which takes the fraction, and others, which
// round down, may decide differently.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/automaton.hpp"
#include "nika/automata/trace.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

struct UnevenDivision {
  Division division;
  NamedValues example;  // parameters with which it leaves a rest; none if the numerator reads anything else
};

// One that the solver could not decide within the budget is among them.
std::vector<UnevenDivision> uneven_divisions(const Automaton& automaton, const smt::Budget& budget);

// "file:line:column: (n + t) / 2 does not come out even, as with n = 4, t = 1".
std::string described(const UnevenDivision& division);

}  // namespace nika::automata
