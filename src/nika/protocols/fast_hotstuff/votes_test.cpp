#include <gtest/gtest.h>

#include <vector>

#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"

namespace nika::fast_hotstuff {
namespace {

constexpr Identity kA{0};
constexpr Identity kB{1};
constexpr Identity kC{2};
constexpr Identity kD{3};

constexpr ValueId block(unsigned view) { return {Round(view), Seat{1}, 0}; }

// Replica A of four, which leads every view and hears nothing but votes.
class Collector {
 public:
  Collector() {
    leaders_.fill(IdentitySet{kA});
    context_.self = kA;
    context_.replica_count = 4;
    context_.fault_count = 1;
    context_.leaders = leaders_.data();
    OutboxReader<FastHotStuff::Message>::open(out_, timers_, nullptr);
    FastHotStuff::start(state_, context_, out_);
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  void hear(Identity from, unsigned view) {
    OutboxReader<FastHotStuff::Message>::open(out_, timers_, nullptr);
    FastHotStuff::receive(state_, context_, from, Vote{block(view)}, out_);
    EXPECT_FALSE(OutboxReader<FastHotStuff::Message>::overflowed(out_)) << "view " << view;
  }
  std::vector<unsigned> views_with_votes() const {
    std::vector<unsigned> views;
    for (const Tally& tally : state_.votes) views.push_back(tally.block.round().number);
    return views;
  }
  IdentitySet voters_in(unsigned view) const {
    const auto* tally = std::ranges::find(state_.votes, block(view), &Tally::block);
    return tally == state_.votes.end() ? IdentitySet{} : tally->voters;
  }
  Round certified() const { return state_.wanted.round(); }

 private:
  Context context_;
  std::array<IdentitySet, 256> leaders_{};
  std::array<Timer, kMaxTimers> timers_{};
  Outbox<FastHotStuff::Message> out_;
  State state_{};
};

using Views = std::vector<unsigned>;

TEST(FastHotStuffVotes, AllAreKeptWhileThereIsRoom) {
  Collector leader;
  for (unsigned view = 2; view <= 7; ++view) leader.hear(kB, view);
  EXPECT_EQ(leader.views_with_votes(), (Views{2, 3, 4, 5, 6, 7}));
  leader.hear(kC, 2);
  leader.hear(kD, 2);
  EXPECT_EQ(leader.certified(), Round(2));
}

// A twin that hears votes but no proposals while the others go on filled its buffer with the seventh view.
TEST(FastHotStuffVotes, WithoutRoomTheLatestOfEachIdentityIsKept) {
  Collector leader;
  leader.hear(kC, 3);
  for (unsigned view = 2; view <= 7; ++view) leader.hear(kB, view);
  EXPECT_EQ(leader.voters_in(3), (IdentitySet{kB, kC}));
  leader.hear(kB, 8);
  EXPECT_EQ(leader.views_with_votes(), (Views{3, 8}));
  EXPECT_EQ(leader.voters_in(3), IdentitySet{kC});
  EXPECT_EQ(leader.voters_in(8), IdentitySet{kB});
  for (unsigned view = 9; view <= 40; ++view) leader.hear(kB, view);
  EXPECT_EQ(leader.voters_in(3), IdentitySet{kC});
  leader.hear(kC, 40);
  EXPECT_EQ(leader.certified(), Round(0));
  leader.hear(kD, 40);
  EXPECT_EQ(leader.certified(), Round(40));
}

TEST(FastHotStuffVotes, WithoutRoomAVoteThatItsSenderHasOvertakenIsLeftOut) {
  Collector leader;
  for (const unsigned view : {2U, 3U, 4U, 5U, 6U, 9U}) leader.hear(kB, view);
  leader.hear(kB, 8);
  EXPECT_EQ(leader.views_with_votes(), (Views{2, 3, 4, 5, 6, 9}));
  leader.hear(kC, 8);
  EXPECT_EQ(leader.views_with_votes(), (Views{9, 8}));
}

}  // namespace
}  // namespace nika::fast_hotstuff
