#include "nika/protocols/zyzzyva/slots.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace nika::zyzzyva {
namespace {

constexpr Seat kA{5};
constexpr Seat kB{6};

// "a" is the next request of one client, "b" that of the other.
void append_next(Slots& slots, Seat client) {
  EXPECT_TRUE(slots.append({client, static_cast<std::uint8_t>(slots.last_number_of(client) + 1)}, kA));
}
Slots slots_of(std::string_view clients) {
  Slots slots;
  for (const char client : clients) append_next(slots, client == 'a' ? kA : kB);
  return slots;
}

TEST(ZyzzyvaSlots, EachSlotHoldsTheNextRequestOfItsClient) {
  const Slots slots = slots_of("abbabaabbb");
  EXPECT_EQ(slots.at(1), (RequestName{kA, 1}));
  EXPECT_EQ(slots.at(3), (RequestName{kB, 2}));
  EXPECT_EQ(slots.at(7), (RequestName{kA, 4}));
  EXPECT_EQ(slots.last(), (RequestName{kB, 6}));
  EXPECT_EQ(slots.before_last(), (RequestName{kB, 5}));
  EXPECT_EQ(slots_of("aba").before_last(), (RequestName{kB, 1}));
  EXPECT_EQ(slots.last_number_of(kA), 4U);
  EXPECT_EQ(slots.last_number_of(kB), 6U);
  EXPECT_EQ(slots.last_slot_of(kA), 7U);
  EXPECT_EQ(slots.last_slot_of(kB), 10U);
  EXPECT_EQ(slots_of("bb").last_slot_of(kA), 0U);
  EXPECT_EQ(Slots{}.last(), RequestName{});
}

TEST(ZyzzyvaSlots, ABeginningIsAsIfTheRestHadNeverBeen) {
  const std::string_view text = "abbabaabbbabababbbaab";
  const Slots slots = slots_of(text);
  for (unsigned length = 0; length <= text.size(); ++length) {
    EXPECT_EQ(slots.prefix(length), slots_of(text.substr(0, length))) << length;
    EXPECT_TRUE(slots.begins_with(slots.prefix(length), length));
  }
}

TEST(ZyzzyvaSlots, TwoOrdersThatEndAlikeDiffer) {
  const Slots one = slots_of("abbbbbbbbbbbb");
  const Slots other = slots_of("babbbbbbbbbbb");
  EXPECT_EQ(one.last(), other.last());
  EXPECT_FALSE(one.begins_with(other, 13));
  EXPECT_FALSE(one.begins_with(other, 1));
  EXPECT_TRUE(one.begins_with(other, 0));
  EXPECT_FALSE(one.prefix(5).begins_with(one, 6));
  EXPECT_TRUE(comes_before(one, other));
  EXPECT_FALSE(comes_before(other, one));
}

// A primary orders by timestamp, and does not know that its history lacks a request that its client saw complete.
TEST(ZyzzyvaSlots, RequestsThatAreMissingLeaveAGap) {
  Slots slots = slots_of("ab");
  ASSERT_TRUE(slots.append({kA, 3}, kA));
  append_next(slots, kB);
  append_next(slots, kA);
  EXPECT_EQ(slots.at(1), (RequestName{kA, 1}));
  EXPECT_EQ(slots.at(3), (RequestName{kA, 3}));
  EXPECT_EQ(slots.at(4), (RequestName{kB, 2}));
  EXPECT_EQ(slots.last(), (RequestName{kA, 4}));
  EXPECT_EQ(slots.last_number_of(kA), 4U);
  EXPECT_FALSE(slots.begins_with(slots_of("abab"), 3));  // another request in the same slot
  EXPECT_TRUE(slots.begins_with(slots_of("abab"), 2));
  EXPECT_EQ(slots.prefix(2), slots_of("ab"));
  EXPECT_EQ(slots.prefix(3).last(), (RequestName{kA, 3}));
  ASSERT_TRUE(slots.append({kA, 9}, kA));
  EXPECT_EQ(slots.before_last(), (RequestName{kA, 4}));
}

TEST(ZyzzyvaSlots, AGapTooManyIsNotDroppedInSilence) {
  Slots slots;
  for (unsigned i = 1; i <= slots.gaps.capacity(); ++i)
    EXPECT_TRUE(slots.append({kA, static_cast<std::uint8_t>(2 * i)}, kA));
  append_next(slots, kB);
  EXPECT_FALSE(slots.append({kB, 3}, kA));
}

TEST(ZyzzyvaSlots, ThereAreAsManyAsARunCanCommit) {
  Slots slots;
  for (unsigned slot = 1; slot <= kMaxHeight; ++slot) append_next(slots, kB);
  EXPECT_EQ(slots.last(), (RequestName{kB, kMaxHeight}));
  EXPECT_FALSE(slots.append({kA, 1}, kA));
}

}  // namespace
}  // namespace nika::zyzzyva
