// A correct validator survives whatever arrives, and f liars alone decide nothing.
#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/protocols/ibft/validator_test.hpp"

namespace nika::ibft {
namespace {

// Fields near to what makes sense, and far from it.
class Garbage {
 public:
  explicit Garbage(std::uint64_t seed) : random_(seed) {}

  Message signed_by_a_liar() {
    Message message;
    switch (random_.below(5)) {
      case 0: message = RoundChange{{}, height(), round()}; break;
      case 1: message = PrePrepare{value(), {}, height(), round()}; break;
      case 2: message = Prepare{{value(), height(), round()}}; break;
      case 3: message = Commit{{value(), height(), round()}}; break;
      default: message = Status{height(), round()}; break;
    }
    return message;
  }
  // What only a quorum can make.
  Message signed_by_many() {
    Message message;
    switch (random_.below(3)) {
      case 0: message = RoundChange{{value(), height(), round()}, height(), round()}; break;
      case 1: message = PrePrepare{value(), {value(), height(), round(), round(), 0}, height(), round()}; break;
      default: message = Block{{value(), height(), round()}}; break;
    }
    return message;
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

TEST(IbftGarbage, OneLiarAloneTakesAValidatorNowhere) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Garbage garbage(seed);
    OneValidator validator(kD);
    for (int i = 0; i < 200; ++i) validator.receive(kA, garbage.signed_by_a_liar());
    EXPECT_TRUE(validator.commits.empty());
    EXPECT_EQ(validator.state.round, Round(1));
    EXPECT_TRUE(validator.state.prepared.is_none());
    EXPECT_TRUE(validator.sent<Commit>().empty());
  }
}

TEST(IbftGarbage, HeightsAreDecidedOneByOneWhateverArrives) {
  for (const std::uint32_t bugs : {kNoBug, kLocked | kSmallQuorum}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Garbage garbage(seed);
      OneValidator validator(kD, {bugs});
      for (int i = 0; i < 300; ++i) {
        validator.receive(garbage.sender(), garbage.is_rare() ? garbage.signed_by_many() : garbage.signed_by_a_liar());
        if (garbage.is_rare() && validator.duration() != 0) validator.time_out();
      }
      for (std::size_t i = 0; i < validator.commits.size(); ++i) {
        EXPECT_EQ(validator.commits[i].height, Height(static_cast<unsigned>(i) + 1));
      }
      EXPECT_GE(validator.state.furthest, validator.state.round);
      EXPECT_LE(validator.state.round, Round(kMaxRound).next());
    }
  }
}

}  // namespace
}  // namespace nika::ibft
