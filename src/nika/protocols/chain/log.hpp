// The values that honest nodes have committed, by height; entry 0 is the root of all trees.
#pragma once

#include "nika/base/bounded_vector.hpp"
#include "nika/base/ids.hpp"

namespace nika::chain {

using Log = BoundedVector<ValueId, 256>;

}  // namespace nika::chain
