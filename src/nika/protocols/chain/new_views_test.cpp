#include "nika/protocols/chain/new_views.hpp"

#include <gtest/gtest.h>

#include "nika/protocols/chain/pacemaker.hpp"

namespace nika::chain {
namespace {

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};
constexpr QuorumCertificate kLow{ValueId(Round(1), Seat{0}, 0)};
constexpr QuorumCertificate kHigh{ValueId(Round(2), Seat{1}, 0)};

TEST(NewViews, TheHighestCertificateOfAViewIsFound) {
  NewViews heard;
  EXPECT_TRUE(heard.add(kA, Round(3), kHigh));
  EXPECT_TRUE(heard.add(kB, Round(3), kLow));
  EXPECT_TRUE(heard.add(kC, Round(4), kLow));
  EXPECT_EQ(heard.in_view(Round(3)), (IdentitySet{kA, kB}));
  EXPECT_EQ(heard.highest_in(Round(3)), kHigh);
  EXPECT_EQ(heard.highest_in(Round(4)), kLow);
}

TEST(NewViews, AnIdentityCountsOnceWithItsLatestViewAndTheFirstMessageOfIt) {
  NewViews heard;
  EXPECT_TRUE(heard.add(kA, Round(3), kLow));
  EXPECT_TRUE(heard.add(kA, Round(3), kHigh));  // its twin, too late
  EXPECT_EQ(heard.highest_in(Round(3)), kLow);
  EXPECT_TRUE(heard.add(kA, Round(5), kHigh));
  EXPECT_TRUE(heard.add(kA, Round(4), kLow));  // out of date
  EXPECT_EQ(heard.in_view(Round(3)), IdentitySet{});
  EXPECT_EQ(heard.in_view(Round(5)), IdentitySet{kA});
  EXPECT_EQ(heard.reports().size(), 1U);
}

TEST(NewViews, EqualKnowledgeIsEqualWhateverTheOrderOfArrival) {
  NewViews one;
  NewViews other;
  EXPECT_TRUE(one.add(kA, Round(3), kLow) && one.add(kB, Round(4), kLow) && one.add(kC, Round(3), kHigh));
  EXPECT_TRUE(other.add(kC, Round(3), kHigh) && other.add(kB, Round(4), kLow) && other.add(kA, Round(3), kLow));
  EXPECT_EQ(one, other);
}

TEST(NewViews, TooManyDifferentReportsAreNotDroppedInSilence) {
  NewViews heard;
  for (unsigned i = 0; i < NewViews::kCapacity; ++i) {
    EXPECT_TRUE(heard.add(static_cast<Identity>(i), Round(i + 1), kLow));
  }
  EXPECT_FALSE(heard.add(Identity{9}, Round(99), kLow));
  EXPECT_TRUE(heard.add(Identity{10}, Round(1), kLow));  // as others have said
}

TEST(NewViews, TheViewThatEnoughHaveEntered) {
  NewViews heard;
  EXPECT_TRUE(heard.add(kA, Round(7), kLow) && heard.add(kB, Round(5), kLow) && heard.add(kC, Round(3), kLow));
  EXPECT_EQ(heard.entered_by(1), Round(7));
  EXPECT_EQ(heard.entered_by(2), Round(5));
  EXPECT_EQ(heard.entered_by(3), Round(3));
  EXPECT_EQ(heard.entered_by(4), Round(0));
  heard.forget_before(Round(5));
  EXPECT_EQ(heard.entered_by(3), Round(0));
}

TEST(Pacemaker, OneThatGaveUpAloneWaitsForAQuorum) {
  Pacemaker pace;
  pace.enter(Round(4), false);
  pace.settle(3, false);
  EXPECT_FALSE(pace.is_proven);
  EXPECT_TRUE(pace.new_views.add(kA, Round(4), std::nullopt) && pace.new_views.add(kB, Round(4), std::nullopt));
  pace.settle(3, false);
  EXPECT_FALSE(pace.is_proven);
  EXPECT_TRUE(pace.new_views.add(kD, Round(6), std::nullopt));  // has passed through view 4, or will not come back
  pace.settle(3, false);
  EXPECT_TRUE(pace.is_proven);
  EXPECT_EQ(pace.new_views.reports().size(), 1U);  // what was said of view 4 is not needed any more
}

TEST(Pacemaker, FPlusOneInALaterViewTakeAReplicaAlong) {
  Pacemaker pace;
  pace.enter(Round(2), true);
  EXPECT_TRUE(pace.new_views.add(kA, Round(9), std::nullopt));
  EXPECT_EQ(pace.view_to_join(1), Round(0));
  EXPECT_TRUE(pace.new_views.add(kB, Round(5), std::nullopt));
  EXPECT_EQ(pace.view_to_join(1), Round(5));
}

TEST(Pacemaker, TimersDoubleUpToALimit) {
  Pacemaker pace;
  std::vector<Ticks> ticks;
  for (int i = 0; i < 5; ++i, pace.fail()) ticks.push_back(pace.timeout_ticks());
  EXPECT_EQ(ticks, (std::vector<Ticks>{4, 8, 16, 16, 16}));
}

}  // namespace
}  // namespace nika::chain
