// What happens in a run, as plain values: a replica notes what it did, the simulator notes what the network did.
// Events are for people and for properties; no protocol ever reads them.
#pragma once

#include <cstdint>
#include <string_view>

#include "nika/base/ids.hpp"

namespace nika {

enum class EventKind : std::uint8_t {
  kNetworkRound,      // the network entered a round; `value` is unused
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
  kCrashed,           // the scenario stopped a seat
  kRecovered,         // the scenario restarted a seat
  kDelivered,         // a message of kind `message_kind` from `peer` reached `seat`
  kLost,              // a message of kind `message_kind` from `seat` to `peer` was dropped
  kTick,              // the clock of a timed run reached a tick in which something happens; `round` is its number
};

struct Event {
  EventKind kind{};
  Seat seat{};
  Seat peer{};
  std::uint8_t message_kind = 0;
  Round round{};
  Height height{};
  ValueId value{};
  ValueId other{};

  bool operator==(const Event&) const = default;
};

std::string_view name_of(EventKind kind);

}  // namespace nika
