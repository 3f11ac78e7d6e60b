#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/sim/lies_test.hpp"

namespace nika {

using HotStuffs = testing::Types<hotstuff::HotStuff, hotstuff::TwoPhaseHotStuff>;
INSTANTIATE_TYPED_TEST_SUITE_P(HotStuffs, WhatLiesNeverMake, HotStuffs);

}  // namespace nika
