// What happens in a run, as plain values: a replica notes what it did, the simulator notes what the network did.
// Events are for people and for properties; no protocol ever reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "nika/base/ids.hpp"

namespace nika {

// The first kinds are what the network does. Then come notes of replicas: those that many protocols share have names
// here, a protocol's own are numbered behind them and named by its kNotes.
enum class EventKind : std::uint8_t {
  kNetworkRound,      // the network entered a round
  kTick,              // the clock of a timed run reached a tick in which something happens
  kStep,              // the schedule of an asynchronous run chose what happens next
  kSent,              // `seat` sent a message to `peer`
  kDelivered,         // a message from `peer` reached `seat`
  kLost,              // a message from `seat` to `peer` was dropped
  kLate,              // a message from `seat` to `peer` was put off, or withheld
  kRepeated,          // a message from `seat` to `peer` will arrive a second time
  kChanged,           // a liar changed a field of its message to `peer`
  kExpired,           // a timer of `seat` ran out
  kCrashed,           // the schedule stopped a seat
  kRecovered,         // the schedule restarted a seat
  kEnteredRound,      // a replica entered a round
  kProposed,          // a leader proposed `value` on top of `other`
  kVoted,             // a replica voted for `value`
  kCertified,         // a replica saw a quorum of votes for `value`
  kTimedOut,          // a replica gave up on a round
  kTimeoutCertified,  // a replica saw a quorum of timeouts for a round
  kCommitted,         // a replica committed `value` at `height`
  kDuplicateVote,     // a second identical vote of one identity was rejected
  kEquivocatingVote,  // a second, different vote of one identity was rejected
  kAskedForBlock,     // a replica lacks `value` and asked for it
  kFetchedBlock,      // a replica received the missing `value`
  kFirstOwn = 64,     // the first of a protocol's own notes
};

// A protocol that has `static constexpr std::array kNotes{"…", …}` notes the i-th by this kind.
constexpr EventKind own_note(unsigned i) {
  return static_cast<EventKind>(static_cast<unsigned>(EventKind::kFirstOwn) + i);
}

struct Event {
  EventKind kind{};
  Seat seat{};
  Seat peer{};
  std::uint8_t message_kind = 0;
  std::uint32_t message = 0;  // its number, from 1 in the order of sending; 0: no message is concerned
  std::uint32_t time = 0;     // the network round, tick or step in which it happened; 0 is the start
  Round round{};              // of the protocol
  Height height{};
  ValueId value{};
  ValueId other{};

  bool operator==(const Event&) const = default;
};

using Trace = std::vector<Event>;

// `own` are the names of a protocol's own notes.
std::string_view name_of(EventKind kind, std::span<const std::string_view> own = {});

}  // namespace nika
