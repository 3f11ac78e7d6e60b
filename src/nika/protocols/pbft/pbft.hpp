// PBFT as published (Castro, Liskov, "Practical Byzantine Fault Tolerance", OSDI 1999; sections are those of that
// paper) with two clients: three phases, several numbers in flight, checkpoints, view changes, read-only requests.
// Replicas commit what they execute, at its sequence number; clients commit what enough replicas tell them of their
// requests. docs/pbft.md says what is left out, and why that is harmless.
#pragma once

#include "nika/protocols/pbft/log.hpp"
#include "nika/protocols/pbft/view_change.hpp"

namespace nika::pbft {

// Who has given a client the same answer.
struct AnswerTally {
  Answer answer{};
  IdentitySet from{};

  static constexpr auto fields() {
    return std::tuple{field("answer", &AnswerTally::answer), field("from", &AnswerTally::from)};
  }
};

// Where a replica is between two views (section 4.4).
enum class Phase : std::uint8_t {
  kNormal,        // in a view
  kAskedForView,  // it has sent VIEW-CHANGE, and takes part in no view
};

struct State {
  Slots slots{};
  CheckpointLog checkpoints{};
  CheckpointProof stable{};                        // the low mark h, and what proves it
  ServiceState service{};                          // after the last request that was executed
  Reports reports{};                               // of a client: the views that replies told of
  BoundedVector<Request, kMaxClients> requests{};  // the last one of each client that was received
  Round view{};
  Phase phase{};
  SequenceNumber next{};  // that a primary gives to a request
  SequenceNumber next_to_execute{};
  std::uint8_t patience = 0;  // how often the timeout has doubled since a request was executed
  bool leads = false;         // this replica has started the view as its primary
  bool has_quorum = false;    // 2f+1 want the view that this replica has asked for
  bool is_watching = false;   // the timer for a request that waits runs
  bool is_complete = false;   // of a client: it has enough matching replies to its request
  Request open{};             // of a client: the request that is not complete
  std::uint8_t unused = 0;
  BoundedVector<AnswerTally, 7> answers{};  // of a client, to its open request

  static constexpr auto fields() {
    return std::tuple{field("slots", &State::slots),
                      field("checkpoints", &State::checkpoints),
                      field("stable", &State::stable),
                      field("service", &State::service),
                      field("reports", &State::reports),
                      field("requests", &State::requests),
                      field("view", &State::view),
                      field("phase", &State::phase),
                      field("next", &State::next),
                      field("next_to_execute", &State::next_to_execute),
                      field("patience", &State::patience),
                      field("leads", &State::leads),
                      field("has_quorum", &State::has_quorum),
                      field("is_watching", &State::is_watching),
                      field("is_complete", &State::is_complete),
                      field("open", &State::open),
                      field("answers", &State::answers)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

struct Pbft {
  using State = pbft::State;
  using Message = pbft::Message;

  static constexpr std::string_view kName = "pbft";
  static constexpr std::string_view kSummary = "PBFT: three phases, checkpoints, view changes, read-only requests";
  static constexpr auto kBugs = kBugNames;
  static constexpr auto kBugSets = kSets;
  // Measured over 100,000 runs with a twin, drawn by phases of 7 rounds, half of them with late and repeated messages,
  // early timeouts, orders of each receiver and a crash: the clients of all had decided within 8 rounds of healing led
  // by honest nodes, of all but 14 within 4.
  static constexpr unsigned kHealRounds = 16;
  static constexpr unsigned kTimerCount = 4;
  static constexpr unsigned kClientCount = kMaxClients;  // so that a primary has two requests to choose from
  // Views, sequence numbers, digests, results and states are their sender's own words. Requests, certificates, proofs
  // of checkpoints and what others reported are not. Nothing is left out of a message that would prove it.
  static constexpr bool kLiesAreReviewed = true;
  // The digest of a request, the number of a checkpoint and what NEW-VIEW has to propose follow from the rest.
  static void make_consistent(const Message& truth, Message& lie);
  // As in ByzzFuzz PRE-PREPARE, PREPARE, COMMIT and REPLY of one request are four rounds; here of the requests of all
  // clients, which are in flight together. A view change adds two, and what it orders again comes after.
  static unsigned protocol_round_of(const Message& message);
  static constexpr unsigned kProtocolRounds = 4;
  // Table 1 of ByzzFuzz. NEW-VIEW has no sequence number here. Another request is one that a client has signed, or one
  // that is made up.
  static constexpr std::array<PaperLie, 10> kPaperLies{{
      {"pre-prepare", "view", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"pre-prepare", "sequence.number", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"pre-prepare", "request", {Twist::kSeen, Twist::kOwn}, {Twist::kSeen, Twist::kOwn}},
      {"prepare", "view", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"prepare", "sequence.number", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"commit", "view", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"commit", "sequence.number", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"view-change", "view", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"view-change", "sequence.number", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
      {"new-view", "view", {Twist::kRaise, Twist::kLower}, {Twist::kSet}},
  }};

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.view; }
  static unsigned requests(const State& client) { return client.open.timestamp; }
  // Of the partial process state (Definition 1 of "Liveness Checking of the HotStuff Protocol Family") a replica has:
  // as *prepared*, and as *locked*, since a prepared certificate is what binds later views, the request of the highest
  // number for which it has one; as *executed* the last request that it executed. Each with its sequence number.
  static Progress progress(const State& state, const Context& context);
  // What lies between the water marks is compared; what is below was agreed on by a quorum.
  static bool extends(const State& state, Held block, Held ancestor);
};

// The timers of replicas and clients.
inline constexpr TimerId kViewTimer{0};
inline constexpr TimerId kOrderTimer{1};
inline constexpr TimerId kJoinTimer{2};
inline constexpr TimerId kNewViewTimer{3};
inline constexpr TimerId kRetryTimer{0};           // of a client
inline constexpr TimerId kThinkTimer{1};           // of a client, after an update
inline constexpr TimerId kThinkAfterReadTimer{2};  // of a client

// A normal case takes five messages, and a client waits for a little longer. Who has a request waits for longer than
// the client does before it gives up on the primary.
inline constexpr unsigned kRetryDeltas = 6;
inline constexpr unsigned kViewDeltas = 8;

}  // namespace nika::pbft
