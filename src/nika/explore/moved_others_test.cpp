// Moved worlds of protocols without chains.
#include "nika/explore/moved_worlds_test.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika {

using Others = testing::Types<bracha::Bracha, fab::Fab, zyzzyva::Zyzzyva>;
INSTANTIATE_TYPED_TEST_SUITE_P(Others, MovedWorlds, Others);

}  // namespace nika
