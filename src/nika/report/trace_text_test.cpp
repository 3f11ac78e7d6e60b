#include "nika/report/trace_text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nika::report {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 2> kNotes{"undid", "ring\x07"};
const ValueId kA1(Round(1), Seat{0}, 0);
const ValueId kTwin2(Round(2), Seat{2}, 1);

std::string line(const Event& event) {
  static constexpr std::array<std::uint8_t, 1> kCopies{2};
  static const Cluster cluster = make_cluster(2, kCopies).value();
  return line_of({cluster, kKinds, {}, kNotes}, event);
}

Event message(EventKind kind) {
  return {.kind = kind,
          .seat = Seat{1},
          .peer = Seat{2},
          .message_kind = 1,
          .message = 12,
          .time = 3,
          .round = Round(2),
          .value = kA1};
}

Event note(EventKind kind) {
  return {
      .kind = kind, .seat = Seat{1}, .time = 3, .round = Round(2), .height = Height(4), .value = kTwin2, .other = kA1};
}

TEST(TraceText, ADeliveryCanBeFollowedToItsSending) {
  EXPECT_EQ(line(message(EventKind::kSent)), "3 B sent #12 to=A' vote round=2 value=A1");
  Event broadcast = message(EventKind::kSent);
  broadcast.peer = broadcast.seat;
  EXPECT_EQ(line(broadcast), "3 B sent #12 vote round=2 value=A1");
  EXPECT_EQ(line(message(EventKind::kDelivered)), "3 B delivered #12 from=A' vote round=2 value=A1");
  EXPECT_EQ(line(message(EventKind::kLost)), "3 B lost #12 to=A' vote round=2 value=A1");
  EXPECT_EQ(line(message(EventKind::kLate)), "3 B late #12 to=A' vote round=2 value=A1");
  EXPECT_EQ(line(message(EventKind::kRepeated)), "3 B repeated #12 to=A' vote round=2 value=A1");
}

// A stored run does not know the names of fields: their numbers, and what they say as numbers.
TEST(TraceText, AChangeTellsWhichFieldSaysWhatInsteadOfWhat) {
  Event change = message(EventKind::kChanged);
  change.height = Height(1);
  change.other = kGenesis;
  EXPECT_EQ(line(change), "3 B changed #12 to=A' vote round=2 field1=0 was=256");
  static const Cluster cluster = make_cluster(2, std::array<std::uint8_t, 1>{2}).value();
  const std::vector<KindLeaves> leaves{
      {}, {{"block", LeafType::kValue, LeafType::kValue}, {"proof", LeafType::kAtomic, LeafType::kValue}}};
  EXPECT_EQ(line_of({cluster, kKinds, {}, kNotes, leaves}, change),
            "3 B changed #12 to=A' vote round=2 proof=genesis was=A1");
}

TEST(TraceText, TimeHasLinesOfItsOwn) {
  EXPECT_EQ(line({.kind = EventKind::kNetworkRound, .time = 1}), "network-round 1");
  EXPECT_EQ(line({.kind = EventKind::kTick, .time = 300}), "tick 300");
  EXPECT_EQ(line({.kind = EventKind::kStep, .time = 70'000}), "step 70000");
}

TEST(TraceText, NotesTellWhatTheyAreAbout) {
  EXPECT_EQ(line(note(EventKind::kProposed)), "3 B proposed round=2 value=A'2b on=A1");
  EXPECT_EQ(line(note(EventKind::kCommitted)), "3 B committed round=2 value=A'2b height=4");
  EXPECT_EQ(line(note(EventKind::kEquivocatingVote)), "3 B equivocating-vote round=2 value=A'2b after=A1");
  EXPECT_EQ(line(note(EventKind::kAskedForBlock)), "3 B asked-for-block round=2 value=A'2b");
  EXPECT_EQ(line(note(EventKind::kTimedOut)), "3 B timed-out round=2");
  EXPECT_EQ(line(note(EventKind::kExpired)), "3 B expired round=2");
  EXPECT_EQ(line(note(EventKind::kCrashed)), "3 B crashed");
}

TEST(TraceText, AProtocolsOwnNotesHaveTheirNames) {
  EXPECT_EQ(line(note(own_note(0))), "3 B undid round=2 value=A'2b other=A1 height=4");
  EXPECT_EQ(line({.kind = own_note(1), .time = 1}), "1 A ring\\x07 round=0");
  EXPECT_EQ(line({.kind = own_note(2), .time = 1}), "1 A ? round=0");
}

TEST(TraceText, IsOneLineForEachEvent) {
  static constexpr std::array<std::uint8_t, 1> kCopies{2};
  const Cluster cluster = make_cluster(2, kCopies).value();
  const Trace trace{{.kind = EventKind::kNetworkRound, .time = 1}, message(EventKind::kSent)};
  EXPECT_EQ(trace_text({cluster, kKinds, trace}), "network-round 1\n3 B sent #12 to=A' vote round=2 value=A1\n");
}

}  // namespace
}  // namespace nika::report
