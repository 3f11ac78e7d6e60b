// Loops of linear PBFT in any order of arrival.
#include "nika/explore/any_order_test.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"

namespace nika {

using Linear = testing::Types<linear_pbft::LinearPbft, linear_pbft::LinearPbftThirdPhase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Linear, AnyOrderOf, Linear);

}  // namespace nika
