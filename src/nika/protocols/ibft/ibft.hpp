// IBFT 2.0 (Saltini and Hyland-Wood, arXiv 1909.10194): Istanbul BFT (Lin, EIP-650) with prepared certificates in place
// of block locking and a quorum of ceil(2n/3). The two flaws of EIP-650 that Saltini and Hyland-Wood show (arXiv
// 1901.07160) are its bugs: `locked` puts block locking back, `small-quorum` 2F+1; both together are EIP-650. Round i
// of height h is Round(h + i), led by whoever is the proposer of that round.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/ibft/messages.hpp"
#include "nika/protocols/ibft/round_changes.hpp"
#include "nika/protocols/ibft/tallies.hpp"

namespace nika::ibft {

struct State {
  static constexpr std::size_t kMostHeights = 64;

  Prepared prepared{};  // the latest prepared certificate of this height; with `locked`, the lock
  ValueId accepted{};   // the proposal of this round that it sent a PREPARE for
  Round round{};
  Round made{};                // the name of the last value that it made: none is made twice
  Round furthest{};            // that it was ever in: a new height begins with an earlier one
  bool has_proposed = false;   // in this round
  bool has_committed = false;  // in this round: it sent a COMMIT
  std::uint8_t timer = 0;      // which of them runs
  std::uint8_t patience = 0;   // rounds of this height that have passed, as far as timeouts grow with them
  std::uint8_t unused = 0;     // no padding: states are compared as bytes
  Tallies tallies{};
  RoundChanges round_changes{};
  BoundedVector<Finalized, kMostHeights> finalized{};

  Height height() const { return Height(static_cast<unsigned>(finalized.size()) + 1U); }
  Round first_round() const { return Round(height().number); }
  static constexpr auto fields() {
    return std::tuple{field("prepared", &State::prepared),
                      field("accepted", &State::accepted),
                      field("round", &State::round),
                      field("made", &State::made),
                      field("furthest", &State::furthest),
                      field("has_proposed", &State::has_proposed),
                      field("has_committed", &State::has_committed),
                      field("timer", &State::timer),
                      field("patience", &State::patience),
                      field("tallies", &State::tallies),
                      field("round_changes", &State::round_changes),
                      field("finalized", &State::finalized)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

struct Ibft {
  using State = ibft::State;
  using Message = ibft::Message;

  static constexpr std::string_view kName = "ibft";
  static constexpr std::string_view kSummary = "IBFT 2.0: PBFT for blockchains, with the flaws of Istanbul BFT as bugs";
  static constexpr std::array<std::string_view, 2> kBugs{"locked", "small-quorum"};
  // Measured over 360,000 runs of 4 and 6 nodes, with and without a twin, drawn by kinds of messages, 2, 4 and 7
  // rounds, half of them with late and repeated messages, early timeouts and a crash: all decided within 4 rounds of
  // honest leaders.
  static constexpr unsigned kHealRounds = 8;
  static constexpr unsigned kTimerCount = 8;
  // Heights, rounds and values are their sender's own words, and so is a Status. A prepared certificate may be left
  // out of a ROUND-CHANGE, and an old one put in its place; the same goes for the certificate of a PRE-PREPARE. A block
  // with its seals is a proof as a whole.
  static constexpr bool kLiesAreReviewed = true;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.furthest; }
  static unsigned requests(const State& state) { return state.made.number; }  // values that it made
  static int certificate_votes(const Context& context);
  static Progress progress(const State& state, const Context& context);
  // Heights are decided one after the other: what is held at one extends all that was decided below.
  static bool extends(const State& state, Held block, Held ancestor);
};

}  // namespace nika::ibft
