// Loops of protocols without chains in any order of arrival.
#include "nika/explore/any_order_test.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/fab/fab.hpp"

namespace nika {

using Others = testing::Types<bracha::Bracha, fab::Fab>;
INSTANTIATE_TYPED_TEST_SUITE_P(Others, AnyOrderOf, Others);

}  // namespace nika
