// Which solvers this program has, for people: the versions that answer here.
#pragma once

#include <string>

namespace nika::smt {

struct Versions {
  std::string z3;
  std::string cvc5;
};
Versions solver_versions();

}  // namespace nika::smt
