// The HotStuff family in the exhaustive search: what merging by renaming rests on.
#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/explore/explorer.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"

namespace nika {
namespace {

template <Protocol P>
class HotStuffFamilyExplored : public testing::Test {};
using Family = testing::Types<fast_hotstuff::FastHotStuff, hotstuff::HotStuff, hotstuff::TwoPhaseHotStuff>;
TYPED_TEST_SUITE(HotStuffFamilyExplored, Family);

constexpr unsigned kRounds = 7;

// Runs random schedules and their renamed twins side by side.
template <Protocol P>
class SideBySide {
 public:
  SideBySide(const twins::Space& space, std::uint32_t bugs)
      : space_(space), choices_(space, true), schedule_(space, choices_) {
    Cluster cluster = space.cluster();
    cluster.bugs = bugs;
    network_ = std::make_unique<RoundNetwork<P>>(cluster, only(kAgreement));
    schedule_.set_all_leaders(choices_.leader_sets()[0]);
  }

  void compare() {
    const std::size_t renaming = random_.below(choices_.renamings().count());
    std::vector<std::uint32_t> schedule;
    schedule.reserve(kRounds);
    for (unsigned r = 0; r < kRounds; ++r) {
      schedule.push_back(static_cast<std::uint32_t>(random_.below(space_.configurations().size())));
    }
    run(*world_, schedule);
    for (std::uint32_t& configuration : schedule) {
      configuration = choices_.renamings().renamed(renaming, configuration);
    }
    run(*renamed_, schedule);
    rename(*world_, choices_.renamings().relabelling(renaming), seats());
    // Blocks may be fetched in another order; folding sorts them.
    fold(*world_, seats());
    fold(*renamed_, seats());
    for (unsigned s = 0; s < seats(); ++s) {
      ASSERT_EQ(std::memcmp(&world_->states[s], &renamed_->states[s], sizeof world_->states[s]), 0) << "seat " << s;
    }
    ASSERT_EQ(world_->commits.top(), renamed_->commits.top());
  }

 private:
  unsigned seats() const { return space_.cluster().seat_count; }
  void run(World<P>& world, const std::vector<std::uint32_t>& schedule) {
    network_->start(world, schedule_);
    for (const std::uint32_t c : schedule) {
      schedule_.set_round({c, 1});
      network_->run_round(world, schedule_.round(world.network_round.next()));
    }
    ASSERT_FALSE(world.overflowed);
  }

  const twins::Space& space_;
  Choices choices_;
  EnumeratedSchedule schedule_;
  std::unique_ptr<RoundNetwork<P>> network_;
  std::unique_ptr<World<P>> world_ = std::make_unique<World<P>>();
  std::unique_ptr<World<P>> renamed_ = std::make_unique<World<P>>();
  Random random_{11};
};

TYPED_TEST(HotStuffFamilyExplored, RenamingHonestNodesRenamesTheRun) {
  const auto space = twins::Space::make({.protocol = std::string(TypeParam::kName), .rounds = kRounds});
  ASSERT_TRUE(space.has_value());
  SideBySide<TypeParam> runs(*space, TypeParam::kBugs.size());  // with its one bug, if it has one
  for (int i = 0; i < 500; ++i) ASSERT_NO_FATAL_FAILURE(runs.compare()) << "run " << i;
}

TYPED_TEST(HotStuffFamilyExplored, ReductionsMergeWorldsAndChangeNoCount) {
  const auto space = twins::Space::make({.protocol = std::string(TypeParam::kName), .twins = 2, .rounds = 2});
  ASSERT_TRUE(space.has_value());
  SearchOptions plain;
  plain.folds = plain.renames = false;
  const auto reduced = explore<TypeParam>(*space, space->cluster(), only(kAgreement), {});
  const auto unreduced = explore<TypeParam>(*space, space->cluster(), only(kAgreement), plain);
  ASSERT_TRUE(reduced.has_value() && unreduced.has_value());
  EXPECT_EQ(to_string(reduced->tally.violating), to_string(unreduced->tally.violating));
  EXPECT_GT(reduced->tally.violating, Wide{0});
  EXPECT_LT(reduced->worlds, unreduced->worlds);
}

}  // namespace
}  // namespace nika
