// A correct process survives whatever arrives, and f liars alone decide nothing.
#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/protocols/tendermint/process_test.hpp"

namespace nika::tendermint {
namespace {

// Fields near to what makes sense, and far from it.
class Garbage {
 public:
  explicit Garbage(std::uint64_t seed) : random_(seed) {}

  Message signed_by_a_liar() {
    switch (random_.below(4)) {
      case 0: return Proposal{value(), height(), round(), round(), 0};
      case 1: return Prevote{{value(), height(), round()}};
      case 2: return Precommit{{value(), height(), round()}};
      default: return Status{height(), round(), static_cast<Step>(random_.below(256)), random_.below(2) == 0};
    }
  }
  // What only a quorum can make.
  Message signed_by_many() {
    switch (random_.below(3)) {
      case 0: return Prevotes{{value(), height(), round(), round(), 0}};
      case 1: return Precommits{{height(), round()}};
      default: return Decision{{value(), height(), round()}};
    }
  }
  Identity sender() { return static_cast<Identity>(random_.below(4)); }
  bool is_rare() { return random_.below(8) == 0; }

 private:
  unsigned small_or_any(unsigned small) {
    return static_cast<unsigned>(random_.below(8) == 0 ? random_.below(256) : random_.below(small));
  }
  Height height() { return Height(small_or_any(5)); }
  Round round() { return Round(small_or_any(8)); }
  ValueId value() {
    ValueId value;
    if (random_.below(4) == 0) return value;
    value.packed =
        static_cast<std::uint16_t>(random_.below(8) == 0 ? random_.below(65'536) : 256U + 8U * random_.below(4));
    return value;
  }

  Random random_;
};

TEST(TendermintGarbage, OneLiarAloneTakesAProcessNowhere) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Garbage garbage(seed);
    Process process(kD);
    for (int i = 0; i < 200; ++i) process.receive(kA, garbage.signed_by_a_liar());
    EXPECT_TRUE(process.commits.empty());
    EXPECT_EQ(process.state.round, Round(1));
    EXPECT_EQ(process.state.locked, Choice{});
    EXPECT_TRUE(process.sent<Precommit>().empty());
  }
}

// From everybody, certificates that nobody could have made among it, with all timers in between.
TEST(TendermintGarbage, HeightsAreDecidedOneByOneWhateverArrives) {
  for (const std::uint32_t bugs : {0U, 127U}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Garbage garbage(seed);
      Process process(kD, bugs);
      for (int i = 0; i < 300; ++i) {
        process.receive(garbage.sender(), garbage.is_rare() ? garbage.signed_by_many() : garbage.signed_by_a_liar());
        const TimerId timer{static_cast<std::uint8_t>(i % 4)};
        if (process.runs(timer) && garbage.is_rare()) process.expire(timer);
      }
      for (std::size_t i = 0; i < process.commits.size(); ++i) {
        EXPECT_EQ(process.commits[i].height, Height(static_cast<unsigned>(i) + 1));
      }
      EXPECT_GE(process.state.furthest, process.state.round);
      EXPECT_LE(process.state.round, Round(kMaxRound).next());
    }
  }
}

}  // namespace
}  // namespace nika::tendermint
