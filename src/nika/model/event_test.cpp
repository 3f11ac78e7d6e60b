#include "nika/model/event.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace nika {
namespace {

TEST(Event, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const auto last = static_cast<unsigned>(EventKind::kFetchedBlock);
  for (unsigned kind = 0; kind <= last; ++kind) names.insert(name_of(static_cast<EventKind>(kind)));
  EXPECT_EQ(names.size(), last + 1);
  EXPECT_FALSE(names.contains("?"));
  EXPECT_EQ(name_of(EventKind::kNetworkRound), "network-round");
  EXPECT_EQ(name_of(EventKind::kRecovered), "recovered");
  EXPECT_EQ(name_of(EventKind::kEnteredRound), "entered-round");
  EXPECT_EQ(name_of(EventKind::kFetchedBlock), "fetched-block");
}

TEST(Event, AProtocolNamesItsOwnNotes) {
  static constexpr std::array<std::string_view, 2> kNotes{"undid", "confirmed"};
  EXPECT_EQ(name_of(own_note(0), kNotes), "undid");
  EXPECT_EQ(name_of(own_note(1), kNotes), "confirmed");
  EXPECT_EQ(name_of(own_note(2), kNotes), "?");
  EXPECT_EQ(name_of(own_note(0)), "?");
  EXPECT_EQ(name_of(static_cast<EventKind>(63), kNotes), "?");
}

}  // namespace
}  // namespace nika
