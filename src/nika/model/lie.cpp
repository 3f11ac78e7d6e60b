#include "nika/model/lie.hpp"

#include <array>

#include "nika/base/require.hpp"

namespace nika {
namespace {

constexpr std::array<std::string_view, kTwistCount> kNames{"omit", "raise",     "lower", "set",   "seen",
                                                           "own",  "leave-out", "flip",  "repeat"};

constexpr std::uint32_t kBytes = 256;
constexpr std::uint32_t kWords = 65536;
constexpr std::uint32_t kRecent = 2;  // "the value before" and the one before that
constexpr std::uint32_t kAllSeen = 6;

constexpr std::array kSmallNumber{TwistChoice{Twist::kRaise}, TwistChoice{Twist::kLower},
                                  TwistChoice{Twist::kSeen, kRecent}};
constexpr std::array kSmallValue{TwistChoice{Twist::kSeen, kRecent}, TwistChoice{Twist::kOwn, 2},
                                 TwistChoice{Twist::kLeaveOut}, TwistChoice{Twist::kRaise}, TwistChoice{Twist::kLower}};
constexpr std::array kSmallIdentities{TwistChoice{Twist::kFlip, kMaxSeats}, TwistChoice{Twist::kSeen, kRecent},
                                      TwistChoice{Twist::kLeaveOut}};
constexpr std::array kSmallList{TwistChoice{Twist::kLower}, TwistChoice{Twist::kRaise},
                                TwistChoice{Twist::kSeen, kRecent}, TwistChoice{Twist::kLeaveOut}};
constexpr std::array kSmallAtomic{TwistChoice{Twist::kSeen, kRecent}, TwistChoice{Twist::kLeaveOut}};
constexpr std::array kSmallAsked{TwistChoice{Twist::kSeen, kRecent}, TwistChoice{Twist::kOwn},
                                 TwistChoice{Twist::kLeaveOut}};
// A value of its own comes with nothing that speaks for it.
constexpr std::array kSmallTogether{TwistChoice{Twist::kSeen, kRecent}, TwistChoice{Twist::kOwn, 2}};
constexpr std::array kAnyFlag{TwistChoice{Twist::kFlip}};

constexpr std::array kAnyByte{TwistChoice{Twist::kSet, kBytes}, TwistChoice{Twist::kSeen, kAllSeen}};
constexpr std::array kAnyWord{TwistChoice{Twist::kSet, kWords}, TwistChoice{Twist::kSeen, kAllSeen},
                              TwistChoice{Twist::kLeaveOut}};
constexpr std::array kAnyList{TwistChoice{Twist::kLower}, TwistChoice{Twist::kRaise},
                              TwistChoice{Twist::kSeen, kAllSeen}, TwistChoice{Twist::kLeaveOut}};
constexpr std::array kAnyAtomic{TwistChoice{Twist::kSeen, kAllSeen}, TwistChoice{Twist::kLeaveOut}};
constexpr std::array kAnyTogether{TwistChoice{Twist::kSeen, kAllSeen}, TwistChoice{Twist::kOwn, 2}};
constexpr std::array kAnyAsked{TwistChoice{Twist::kSeen, kAllSeen}, TwistChoice{Twist::kOwn},
                               TwistChoice{Twist::kLeaveOut}};

}  // namespace

std::string_view name_of(Twist twist) { return kNames[static_cast<std::size_t>(twist)]; }

std::span<const TwistChoice> twists_of(LeafType type, LieScope scope) {
  const bool small = scope == LieScope::kSmall;
  const auto either = [&](const auto& one, const auto& other) {
    return small ? std::span<const TwistChoice>(one) : std::span<const TwistChoice>(other);
  };
  switch (type) {
    case LeafType::kRound:
    case LeafType::kHeight:
    case LeafType::kIdentity:
    case LeafType::kNumber: return either(kSmallNumber, kAnyByte);
    case LeafType::kValue: return either(kSmallValue, kAnyWord);
    case LeafType::kIdentities: return either(kSmallIdentities, kAnyWord);
    case LeafType::kFlag: return kAnyFlag;
    case LeafType::kList: return either(kSmallList, kAnyList);
    case LeafType::kAtomic: return either(kSmallAtomic, kAnyAtomic);
    case LeafType::kAsked: return either(kSmallAsked, kAnyAsked);
    case LeafType::kTogether: return either(kSmallTogether, kAnyTogether);
  }
  NIKA_REQUIRE(false);
  return {};
}

}  // namespace nika
