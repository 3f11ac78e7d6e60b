#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/sim/lies_test.hpp"

namespace nika {

using Chains = testing::Types<diembft::DiemBft, fast_hotstuff::FastHotStuff>;
INSTANTIATE_TYPED_TEST_SUITE_P(Chains, WhatLiesNeverMake, Chains);

}  // namespace nika
