// Questions to solvers as text: SMT-LIB 2, logic QF_LIA. What is written here can be given to any solver that reads the
// standard, and read back.
#pragma once

#include <string>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/smt/formula.hpp"

namespace nika::smt {

// Asks whether the formulas can be true together. Each line of the remark becomes a comment. A part that stands in
// several places is written once, under a name.
std::string smtlib_text(const std::vector<Formula>& formulas, const std::string& remark);

// The assertions of such a text. Anything that smtlib_text would not write is refused, with its line.
Result<std::vector<Formula>> parse_smtlib(const std::string& file, const std::string& text);

}  // namespace nika::smt
