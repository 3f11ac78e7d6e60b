#include "zoo/mutant.hpp"

#include <cstdlib>

namespace nika::zoo {
namespace {

int mutant_in_environment() {
  const char* const number = std::getenv("NIKA_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}

}  // namespace

const int chosen_mutant = mutant_in_environment();

}  // namespace nika::zoo
