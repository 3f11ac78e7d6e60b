// Moved worlds of chained protocols.
#include "nika/explore/moved_worlds_test.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"

namespace nika {

using Chains =
    testing::Types<diembft::DiemBft, fast_hotstuff::FastHotStuff, hotstuff::HotStuff, hotstuff::TwoPhaseHotStuff>;
INSTANTIATE_TYPED_TEST_SUITE_P(Chains, MovedWorlds, Chains);

}  // namespace nika
