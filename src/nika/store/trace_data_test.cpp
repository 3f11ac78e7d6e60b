#include "nika/store/trace_data.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

namespace nika::store {
namespace {

constexpr Event kEvent{.kind = EventKind::kDelivered,
                       .seat = Seat{2},
                       .peer = Seat{15},
                       .message_kind = 3,
                       .message = 0x01020304,
                       .time = 7,
                       .round = Round(250),
                       .height = Height(9),
                       .value = ValueId(Round(1), Seat{4}, 2),
                       .other = ValueId(Round(255), Seat{1}, 0)};

Event arbitrary_event(std::size_t own_notes) {
  Event event;
  const auto known = static_cast<unsigned>(EventKind::kFetchedBlock) + 1;
  const auto kind = *rc::gen::inRange<unsigned>(0, known + static_cast<unsigned>(own_notes));
  event.kind = kind < known ? static_cast<EventKind>(kind) : own_note(kind - known);
  event.seat = static_cast<Seat>(*rc::gen::inRange(0, 16));
  event.peer = static_cast<Seat>(*rc::gen::inRange(0, 16));
  event.message_kind = *rc::gen::arbitrary<std::uint8_t>();
  event.message = *rc::gen::arbitrary<std::uint32_t>();
  event.time = *rc::gen::arbitrary<std::uint32_t>();
  event.round.number = *rc::gen::arbitrary<std::uint8_t>();
  event.height.number = *rc::gen::arbitrary<std::uint8_t>();
  event.value.packed = *rc::gen::arbitrary<std::uint16_t>();
  event.other.packed = *rc::gen::arbitrary<std::uint16_t>();
  return event;
}

TEST(TraceData, AnEventIsEighteenBytesInAFixedOrder) {
  const std::string expected("\x04\x02\x0f\x03\x04\x03\x02\x01\x07\0\0\0\xfa\x09\x22\x01\x08\xff", 18);
  EXPECT_EQ(bytes_of(std::array{kEvent}), expected);
  EXPECT_EQ(events_in(expected, 0).value(), Trace{kEvent});
}

TEST(TraceData, EveryTraceSurvivesTheRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    const auto own_notes = *rc::gen::inRange<std::size_t>(0, 4);
    Trace trace(*rc::gen::inRange<std::size_t>(0, 20));
    for (Event& event : trace) event = arbitrary_event(own_notes);
    const std::string text = base64_of(bytes_of(trace));
    RC_ASSERT(events_in(bytes_in_base64(text).value(), own_notes).value() == trace);
  }));
}

TEST(TraceData, WhatIsNoTraceIsRefused) {
  EXPECT_EQ(events_in("seven", 0).error().message, "read 5 bytes, expected 18 for each event");
  std::string bytes = bytes_of(std::array{kEvent});
  bytes[0] = 23;
  EXPECT_EQ(events_in(bytes, 0).error().message, "read an event of kind 23, expected one that there is");
  bytes[0] = 65;
  EXPECT_FALSE(events_in(bytes, 1).has_value());
  EXPECT_TRUE(events_in(bytes, 2).has_value());
  bytes[1] = 16;
  EXPECT_EQ(events_in(bytes, 2).error().message, "read an event of seat 16 and seat 15, expected seats below 16");
}

TEST(Base64, IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> examples{{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"},
                                                                  {"\xfb\xff", "+/8="}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64_of(bytes), text);
    EXPECT_EQ(bytes_in_base64(text).value(), bytes);
  }
}

TEST(Base64, TakesOnlyWhatItWrites) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Z===", "====", "=", "Zm9v\n", "Zm 9v", "Zm9-", "Zg==Zg=="}) {
    EXPECT_FALSE(bytes_in_base64(text).has_value()) << text;
  }
  EXPECT_TRUE(rc::check([](const std::string& bytes) { return bytes_in_base64(base64_of(bytes)).value() == bytes; }));
}

// The values are those of every compiler and machine: findings carry them.
TEST(TraceFingerprint, IsTheSameEverywhere) {
  EXPECT_EQ(text_of(fingerprint_of(std::span<const Event>())), "f75fb8c4a5ea6e0b8b12b110ce9cf31e");
  EXPECT_EQ(text_of(fingerprint_of(std::array{kEvent})), "f9cbf954cf59d9b16a2f30776a2e4db2");
}

TEST(TraceFingerprint, NoticesEveryFieldAndTheOrder) {
  std::vector<std::string> seen{text_of(fingerprint_of(std::array{kEvent}))};
  const auto with = [&](const auto& change) {
    Event event = kEvent;
    change(event);
    seen.push_back(text_of(fingerprint_of(std::array{event})));
  };
  with([](Event& e) { e.kind = EventKind::kLost; });
  with([](Event& e) { e.seat = Seat{3}; });
  with([](Event& e) { e.peer = Seat{3}; });
  with([](Event& e) { e.message_kind = 4; });
  with([](Event& e) { e.message = 5; });
  with([](Event& e) { e.time = 8; });
  with([](Event& e) { e.round = Round(2); });
  with([](Event& e) { e.height = Height(2); });
  with([](Event& e) { e.value = kGenesis; });
  with([](Event& e) { e.other = kGenesis; });
  seen.push_back(text_of(fingerprint_of(std::array{kEvent, Event{}})));
  seen.push_back(text_of(fingerprint_of(std::array{Event{}, kEvent})));
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

}  // namespace
}  // namespace nika::store
