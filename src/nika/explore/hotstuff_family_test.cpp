// The HotStuff family in the exhaustive search: what merging by renaming rests on.
#include <gtest/gtest.h>

#include "nika/campaign/twins_checks_test.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

template <Protocol P>
class HotStuffFamilyExplored : public testing::Test {};
using Family = testing::Types<fast_hotstuff::FastHotStuff, hotstuff::HotStuff, hotstuff::TwoPhaseHotStuff>;
TYPED_TEST_SUITE(HotStuffFamilyExplored, Family);

TYPED_TEST(HotStuffFamilyExplored, RenamingHonestNodesRenamesTheRun) {
  twins::Settings settings{.protocol = std::string(TypeParam::kName), .rounds = 7};
  settings.bugs.assign(TypeParam::kBugs.begin(), TypeParam::kBugs.end());
  checks::expect_that_names_do_not_matter<TypeParam>(settings, 500);
}

TYPED_TEST(HotStuffFamilyExplored, ReductionsMergeWorldsAndChangeNoCount) {
  const twins::Space space = checks::space_of({.protocol = std::string(TypeParam::kName), .twins = 2, .rounds = 2});
  const Runner& runner = built_in_protocol(TypeParam::kName);
  SearchOptions plain;
  plain.folds = plain.renames = false;
  const SearchResult reduced = checks::searched(runner, space, only(kAgreement));
  const SearchResult unreduced = checks::searched(runner, space, only(kAgreement), plain);
  EXPECT_EQ(to_string(reduced.tally.violating), to_string(unreduced.tally.violating));
  EXPECT_GT(reduced.tally.violating, Wide{0});
  EXPECT_LT(reduced.worlds, unreduced.worlds);
}

}  // namespace
}  // namespace nika
