// The binary consensus of DBFT: Algorithm 2 of Tholoniat and Gramoli, "Formal Verification of Blockchain Byzantine
// Fault Tolerance" (arXiv 1909.07453), repaired as in models/dbft.ta, with the weak coordinator of Crain, Gramoli,
// Larrea and Raynal, "DBFT: Efficient Leaderless Byzantine Consensus" (NCA 2018), which makes it end. The coordinator
// of a round is its leader. Where it departs from either, and why that is harmless, is in docs/dbft.md.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/binary/bv.hpp"
#include "nika/protocols/chain/arrivals.hpp"
#include "nika/protocols/dbft/messages.hpp"

namespace nika::dbft {

using binary::Bits;

// What was said and heard in one round.
struct RoundRecord {
  binary::Bv est{};  // the EST messages: each round has a BV-broadcast
  IdentitySet aux_0{};
  IdentitySet aux_1{};
  Bits first{};        // what was delivered first
  Bits sent_coord{};   // by itself
  Bits heard_coord{};  // the first that came from a coordinator
  Bits sent_aux{};     // by itself, one value at most

  IdentitySet& aux(bool value) { return value ? aux_1 : aux_0; }
  const IdentitySet& aux(bool value) const { return value ? aux_1 : aux_0; }
  bool operator==(const RoundRecord&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("est", &RoundRecord::est),
                      field("aux_0", &RoundRecord::aux_0),
                      field("aux_1", &RoundRecord::aux_1),
                      field("first", &RoundRecord::first),
                      field("sent_coord", &RoundRecord::sent_coord),
                      field("heard_coord", &RoundRecord::heard_coord),
                      field("sent_aux", &RoundRecord::sent_aux)};
  }
};

struct State {
  static constexpr std::size_t kMostRounds = 60;

  BoundedVector<RoundRecord, kMostRounds> records{};  // of rounds 1, 2 and so on, as far as anybody was heard
  chain::Arrivals arrivals{};                         // who is known to be in later rounds
  Round round{};
  Round decided_in{};  // round 0: not yet
  bool est = false;
  bool coord_is_over = false;  // the time for the coordinator of this round
  bool aux_is_over = false;    // the time for the AUX messages of this round
  bool has_exited = false;

  static constexpr auto fields() {
    return std::tuple{field("records", &State::records),
                      field("arrivals", &State::arrivals),
                      field("round", &State::round),
                      field("decided_in", &State::decided_in),
                      field("est", &State::est),
                      field("coord_is_over", &State::coord_is_over),
                      field("aux_is_over", &State::aux_is_over),
                      field("has_exited", &State::has_exited)};
  }
};

struct Dbft {
  using State = dbft::State;
  using Message = dbft::Message;

  static constexpr std::string_view kName = "dbft";
  static constexpr std::string_view kSummary =
      "DBFT's binary consensus: estimates, a weak coordinator, and the parity of the round decides";
  static constexpr std::array<std::string_view, 5> kBugs{"stops-echoing", "silent-deciders", "decide-any-parity",
                                                         "aux-t+1", "echo-t"};
  static constexpr bool kSingleShot = true;
  // Measured over 360,000 runs with and without a twin, drawn by kinds of messages, 2, 4 and 7 rounds, half of them
  // with late and repeated messages, early timeouts and a crash: all decided within 4 rounds of healing. A liar that
  // leads all seven scheduled rounds could make each of them take a round of healing; then the next one, whose
  // coordinator is honest, makes all estimates the same, and the one after it has their parity at the latest.
  static constexpr unsigned kHealRounds = 16;
  static constexpr unsigned kTimerCount = 3;
  static constexpr bool kAnyoneProposes = true;
  static constexpr bool kCountsRounds = true;     // their parity, and how long to wait in them
  static constexpr bool kLiesAreReviewed = true;  // see messages.hpp

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.round; }
};

}  // namespace nika::dbft
