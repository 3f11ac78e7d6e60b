// Loops of the basic HotStuffs in any order of arrival.
#include "nika/explore/any_order_test.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"

namespace nika {

using HotStuffs = testing::Types<hotstuff::HotStuff, hotstuff::TwoPhaseHotStuff>;
INSTANTIATE_TYPED_TEST_SUITE_P(HotStuffs, AnyOrderOf, HotStuffs);

}  // namespace nika
