// Moved worlds of linear PBFT.
#include "nika/explore/moved_worlds_test.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"

namespace nika {

using Linear = testing::Types<linear_pbft::LinearPbft, linear_pbft::LinearPbftThirdPhase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Linear, MovedWorlds, Linear);

}  // namespace nika
