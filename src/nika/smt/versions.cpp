#include "nika/smt/versions.hpp"

#include <cvc5/cvc5.h>
#include <z3.h>

namespace nika::smt {

Versions solver_versions() { return {Z3_get_full_version(), cvc5::Solver().getVersion()}; }

}  // namespace nika::smt
