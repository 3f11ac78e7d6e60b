// The messages of PBFT and what they are made of. Everything is plain, described and typed by what it means; a part
// that somebody else signed, or that takes a quorum to make, is atomic: it exists as a whole or not at all.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/protocol.hpp"
#include "nika/protocols/pbft/rules.hpp"

namespace nika::pbft {

inline constexpr unsigned kCheckpointInterval = 2;            // K of section 4.3
inline constexpr unsigned kWindow = 2 * kCheckpointInterval;  // k of section 4.3: how far H is above h
inline constexpr std::size_t kMaxSlots = kWindow + 1;         // a flawed form also has slot 0
inline constexpr std::size_t kMaxClients = 2;
inline constexpr unsigned kMaxNumber = 250;  // of timestamps and sequence numbers

// The place that a request gets in the order of all requests (section 4.2).
struct SequenceNumber {
  std::uint8_t number = 0;

  constexpr SequenceNumber() = default;
  constexpr explicit SequenceNumber(unsigned n) : number(static_cast<std::uint8_t>(n)) {}
  constexpr auto operator<=>(const SequenceNumber&) const = default;
  constexpr SequenceNumber next() const { return SequenceNumber(number + 1U); }
  static constexpr auto fields() { return std::tuple{field("number", &SequenceNumber::number)}; }
};

// Of no request, or a client: replicas change names, and the last seat is never one of them.
inline constexpr auto kNoClient = static_cast<Seat>(kMaxSeats - 1);

// What a client asks for: an update, or to read (section 5.1). What a liar makes up in a client's name has no signature
// of that client.
enum class Operation : std::uint8_t { kUpdate, kRead, kMadeUp };

// What a client signs (section 4.1): named by the client and its timestamp. Timestamp 0 is the null request.
struct Request {
  static constexpr bool kIsAtomic = true;
  Seat client = kNoClient;
  std::uint8_t timestamp = 0;
  Operation operation = Operation::kUpdate;

  constexpr bool operator==(const Request&) const = default;
  constexpr bool is_null() const { return timestamp == 0; }
  constexpr bool is_read_only() const { return operation == Operation::kRead; }
  constexpr void make_up() {
    if (!is_null()) operation = Operation::kMadeUp;
  }
  // For traces and commits. Whoever agrees on a null request agrees on something, of which nobody is the maker.
  constexpr ValueId value() const {
    const unsigned version = operation == Operation::kMadeUp ? 1 : 0;
    return is_null() ? ValueId::nameless(Round(0), 0) : ValueId(Round(timestamp), client, version);
  }
  constexpr ValueId subject() const { return is_null() ? kGenesis : value(); }
  static constexpr auto fields() {
    return std::tuple{field("client", &Request::client), field("timestamp", &Request::timestamp),
                      field("operation", &Request::operation)};
  }
};

// D(m). It is one number for each request, as nobody finds two requests with one digest. To lie about it is to tell
// that of another request, or of none.
struct Digest {
  static constexpr bool kIsAtomic = true;
  std::uint16_t bits = 0;

  constexpr auto operator<=>(const Digest&) const = default;
  static constexpr auto fields() { return std::tuple{field("bits", &Digest::bits)}; }
};
inline constexpr unsigned kOfMadeUp = 0x8000;
constexpr Digest digest_of(Request request, const Rules& rules) {
  if (!rules.digests_tell) return {};
  if (request.is_null()) return {0xffff};
  const unsigned name = index_of(request.client) << 8U | request.timestamp;
  if (request.operation == Operation::kMadeUp) return {static_cast<std::uint16_t>(kOfMadeUp | (1U + 2U * name))};
  return {static_cast<std::uint16_t>(1U + 2U * name + (request.is_read_only() ? 1U : 0U))};
}

// The digest of all that was executed, in its order.
struct StateDigest {
  static constexpr bool kIsAtomic = true;
  std::uint16_t high = 0;
  std::uint16_t low = 0;

  constexpr auto operator<=>(const StateDigest&) const = default;
  constexpr StateDigest then(Request request) const {
    std::uint32_t bits = std::uint32_t{high} << 16U | low;
    const bool is_made_up = request.operation == Operation::kMadeUp;
    const unsigned kind = is_made_up ? 1U << 14U : static_cast<unsigned>(request.operation);
    const unsigned name = index_of(request.client) << 9U | request.timestamp * 2U | kind;
    bits = (bits ^ (name + 1U)) * 0x9e3779b1U;
    bits ^= bits >> 15U;
    return {static_cast<std::uint16_t>(bits >> 16U), static_cast<std::uint16_t>(bits)};
  }
  static constexpr auto fields() {
    return std::tuple{field("high", &StateDigest::high), field("low", &StateDigest::low)};
  }
};

// The last request of a client that was executed, and its place in the log: what replies are made of (section 4.1).
struct LastReply {
  Seat client{};
  std::uint8_t timestamp = 0;
  Height position{};

  constexpr bool operator==(const LastReply&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("client", &LastReply::client), field("timestamp", &LastReply::timestamp),
                      field("position", &LastReply::position)};
  }
};

// The state of the service, a log to which each request appends itself, after some sequence number. It is small, so
// that messages hold the state where the paper's hold its digest.
struct ServiceState {
  StateDigest history{};
  BoundedVector<LastReply, kMaxClients> replies{};  // by client
  Height position{};                                // how many requests were executed, null requests too
  Request last{};                                   // the last one of them
  SequenceNumber executed{};                        // its sequence number

  bool operator==(const ServiceState&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("history", &ServiceState::history), field("replies", &ServiceState::replies),
                      field("position", &ServiceState::position), field("last", &ServiceState::last),
                      field("executed", &ServiceState::executed)};
  }
};

// 2f+1 CHECKPOINT messages that tell the same (section 4.3): C of a VIEW-CHANGE. Nothing executed needs no proof.
struct CheckpointProof {
  static constexpr bool kIsAtomic = true;
  ServiceState state{};

  bool operator==(const CheckpointProof&) const = default;
  static constexpr auto fields() { return std::tuple{field("state", &CheckpointProof::state)}; }
};

// P_m of section 4.4: a valid PRE-PREPARE and 2f matching PREPARE messages of different backups. View 0: none.
struct PreparedCertificate {
  static constexpr bool kIsAtomic = true;
  SequenceNumber sequence{};
  Round view{};
  Request request{};
  std::uint8_t unused = 0;
  Digest digest{};

  bool operator==(const PreparedCertificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("sequence", &PreparedCertificate::sequence), field("view", &PreparedCertificate::view),
                      field("request", &PreparedCertificate::request), field("digest", &PreparedCertificate::digest)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &PreparedCertificate::unused)}; }
};

// REQUEST (section 4.1). A client sends it to the primary, again to all replicas, and a backup relays it.
struct RequestMessage {
  static constexpr std::string_view kName = "request";
  Request request{};
  Round view{};  // the last that the sender knows of

  static constexpr auto fields() {
    return std::tuple{field("request", &RequestMessage::request), field("view", &RequestMessage::view)};
  }
};

// <<PRE-PREPARE, v, n, d>, m> (section 4.2).
struct PrePrepare {
  static constexpr std::string_view kName = "pre-prepare";
  Round view{};
  SequenceNumber sequence{};
  Request request{};
  std::uint8_t unused = 0;
  Digest digest{};

  static constexpr auto fields() {
    return std::tuple{field("view", &PrePrepare::view), field("sequence", &PrePrepare::sequence),
                      field("request", &PrePrepare::request), field("digest", &PrePrepare::digest)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &PrePrepare::unused)}; }
};

// <PREPARE, v, n, d, i> and <COMMIT, v, n, d, i> (section 4.2).
struct Vote {
  Round view{};
  SequenceNumber sequence{};
  Digest digest{};

  bool operator==(const Vote&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("view", &Vote::view), field("sequence", &Vote::sequence), field("digest", &Vote::digest)};
  }
};
struct Prepare : Vote {
  static constexpr std::string_view kName = "prepare";
};
struct Commit : Vote {
  static constexpr std::string_view kName = "commit";
};

// The result of an operation: a place in the log and what is there. An update is told its own, a read the last one.
struct Answer {
  Height position{};
  Request last{};

  bool operator==(const Answer&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("position", &Answer::position), field("last", &Answer::last)};
  }
};

// <REPLY, v, t, c, i, r> (section 4.1).
struct Reply {
  static constexpr std::string_view kName = "reply";
  Round view{};
  Request request{};
  Answer answer{};

  static constexpr auto fields() {
    return std::tuple{field("view", &Reply::view), field("request", &Reply::request), field("answer", &Reply::answer)};
  }
};

// <CHECKPOINT, n, d, i> (section 4.3), with the state in place of its digest. The view tells the network when it was
// sent, and a replica nothing.
struct Checkpoint {
  static constexpr std::string_view kName = "checkpoint";
  Round view{};
  SequenceNumber sequence{};
  ServiceState state{};

  static constexpr auto fields() {
    return std::tuple{field("view", &Checkpoint::view), field("sequence", &Checkpoint::sequence),
                      field("state", &Checkpoint::state)};
  }
};

// <VIEW-CHANGE, v+1, n, C, P, i> (section 4.4).
struct ViewChange {
  static constexpr std::string_view kName = "view-change";
  Round view{};               // the one that the sender wants
  SequenceNumber sequence{};  // of its last stable checkpoint
  CheckpointProof checkpoint{};
  BoundedVector<PreparedCertificate, kWindow> prepared{};  // by sequence number
  bool is_answer = false;  // sent again, to one who asked for a view that has started; it is not answered
  std::uint8_t unused = 0;

  bool operator==(const ViewChange&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("view", &ViewChange::view), field("sequence", &ViewChange::sequence),
                      field("checkpoint", &ViewChange::checkpoint), field("prepared", &ViewChange::prepared),
                      field("is_answer", &ViewChange::is_answer)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &ViewChange::unused)}; }
};

// VIEW-CHANGE messages of some identities that say the same, each signed by its sender.
struct Report {
  static constexpr bool kIsAtomic = true;
  ViewChange view_change{};
  IdentitySet from{};

  bool operator==(const Report&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("view_change", &Report::view_change), field("from", &Report::from)};
  }
};

// A PRE-PREPARE of NEW-VIEW's O, in its view.
struct Proposal {
  SequenceNumber sequence{};
  Request request{};
  Digest digest{};

  bool operator==(const Proposal&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("sequence", &Proposal::sequence), field("request", &Proposal::request),
                      field("digest", &Proposal::digest)};
  }
};
using Proposals = BoundedVector<Proposal, kMaxSlots>;

// <NEW-VIEW, v+1, V, O> (section 4.4).
struct NewView {
  static constexpr std::string_view kName = "new-view";
  static constexpr std::size_t kMaxReports = 5;  // different ones; four nodes make four at most
  Round view{};
  std::uint8_t unused = 0;
  BoundedVector<Report, kMaxReports> reports{};
  Proposals proposals{};

  static constexpr auto fields() {
    return std::tuple{field("view", &NewView::view), field("reports", &NewView::reports),
                      field("proposals", &NewView::proposals)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &NewView::unused)}; }
};

using Message = std::variant<ViewChange, NewView, PrePrepare, Prepare, Commit, Checkpoint, RequestMessage, Reply>;

}  // namespace nika::pbft
