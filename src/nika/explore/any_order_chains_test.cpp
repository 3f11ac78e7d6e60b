// Loops of chained protocols in any order of arrival.
#include "nika/explore/any_order_test.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

namespace nika {

using Chains = testing::Types<diembft::DiemBft, fast_hotstuff::FastHotStuff>;
INSTANTIATE_TYPED_TEST_SUITE_P(Chains, AnyOrderOf, Chains);

}  // namespace nika
