// The pairs of protocols and automata, each made in a file of its own.
#pragma once

#include "nika/conform/pair.hpp"

namespace nika::conform {

const Pair& bracha_pair();
const Pair& bv_broadcast_pair();
const Pair& dbft_as_printed_pair();
const Pair& dbft_pair();
const Pair& one_step_pair();

}  // namespace nika::conform
