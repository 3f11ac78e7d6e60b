// Which one-line change of the protocols is switched on, if any: the number in NIKA_MUTANT, read once. Included by the
// copies of the protocols that mutate.py writes, and by nothing else.
#pragma once

namespace nika::zoo {

extern const int chosen_mutant;  // 0: none

inline bool is_mutant(int number) { return chosen_mutant == number; }

}  // namespace nika::zoo
