// Tendermint: Algorithm 1 of Buchman, Kwon and Milosevic, "The latest gossip on BFT consensus" (arXiv 1807.04938), with
// the gossip layer that the paper assumes. A log of heights, each decided in rounds. Rounds of height h are numbered
// from h on: round i of the paper at height h is Round(h + i), and whoever leads that Round is proposer(h, i).
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/chain/arrivals.hpp"
#include "nika/protocols/tendermint/messages.hpp"
#include "nika/protocols/tendermint/tallies.hpp"

namespace nika::tendermint {

// A value and the round that it was locked or valid in; round 0: none.
struct Choice {
  ValueId value{};
  Round round{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool is_none() const { return round == Round(0); }
  bool operator==(const Choice&) const = default;
  static constexpr auto fields() { return std::tuple{field("value", &Choice::value), field("round", &Choice::round)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Choice::unused)}; }
};

struct State {
  static constexpr std::size_t kMostHeights = 64;

  Choice locked{};         // lockedValue, lockedRound
  Choice valid{};          // validValue, validRound
  Choice proposed{};       // by itself in this round, with its validRound at that time
  ValueId prevoted{};      // in this round, once the step is prevote
  ValueId precommitted{};  // in this round, once the step is precommit
  Round round{};
  Round made{};  // the name of the last value that it made: none is made twice
  Step step{};
  bool awaits_proposal = false;    // L21 was done in this round
  bool awaits_prevotes = false;    // L34 was done in this round
  bool awaits_precommits = false;  // L47 was done in this round
  bool came_by_timeout = false;    // a quorum has precommitted in the round before
  Round furthest{};                // that it was ever in: a new height begins with an earlier one
  Tallies tallies{};
  chain::Arrivals arrivals{};  // who is in which round of this height, from the current one on
  BoundedVector<Certificate, kMostHeights> decided{};

  Height height() const { return Height(static_cast<unsigned>(decided.size()) + 1U); }
  Round first_round() const { return Round(height().number); }
  static constexpr auto fields() {
    return std::tuple{field("locked", &State::locked),
                      field("valid", &State::valid),
                      field("proposed", &State::proposed),
                      field("prevoted", &State::prevoted),
                      field("precommitted", &State::precommitted),
                      field("round", &State::round),
                      field("made", &State::made),
                      field("step", &State::step),
                      field("awaits_proposal", &State::awaits_proposal),
                      field("awaits_prevotes", &State::awaits_prevotes),
                      field("awaits_precommits", &State::awaits_precommits),
                      field("came_by_timeout", &State::came_by_timeout),
                      field("furthest", &State::furthest),
                      field("tallies", &State::tallies),
                      field("arrivals", &State::arrivals),
                      field("decided", &State::decided)};
  }
};

struct Tendermint {
  using State = tendermint::State;
  using Message = tendermint::Message;

  static constexpr std::string_view kName = "tendermint";
  static constexpr std::string_view kSummary = "Tendermint: heights, rounds, prevotes and precommits, over gossip";
  static constexpr std::array<std::string_view, 7> kBugs{
      "early-unlock", "no-retransmission",    "quorum-2f", "repeated-votes", "precommit-without-lock",
      "older-polka",  "unchecked-valid-round"};
  // Measured over 360,000 runs with and without a twin, drawn by kinds of messages, 2, 4 and 7 rounds, half of them
  // with late and repeated messages, early timeouts and a crash: all decided within 7 rounds of honest leaders.
  static constexpr unsigned kHealRounds = 14;
  // A proposer waits for no quorum: it has to hear of the latest polka by gossip, which takes time after healing.
  static constexpr bool kIsResponsive = false;
  static constexpr unsigned kTimerCount = 4;
  // Proposals, votes and statuses are their sender's own words. Votes that are passed on are not: they are atomic.
  // A communication round is a step of a round; what gossip adds is of whatever round its sender is in.
  static constexpr bool kLiesAreReviewed = true;
  // Figure 4a of ByzzFuzz: the epoch, which is the round, and the value, for which others stand in any scope.
  static constexpr std::array<PaperLie, 6> kPaperLies{{
      {"proposal", "round", {Twist::kRaise}, {Twist::kSet}},
      {"proposal", "value", {Twist::kLeaveOut}, {Twist::kSeen}},
      {"prevote", "round", {Twist::kRaise}, {Twist::kSet}},
      {"prevote", "value", {Twist::kLeaveOut}, {Twist::kSeen}},
      {"precommit", "round", {Twist::kRaise}, {Twist::kSet}},
      {"precommit", "value", {Twist::kLeaveOut}, {Twist::kSeen}},
  }};

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.furthest; }
  static unsigned requests(const State& state) { return state.made.number; }  // values that it made
  static Progress progress(const State& state, const Context&);
  // Heights are decided one after the other: what is held at one extends all that was decided below.
  static bool extends(const State& state, Held block, Held ancestor);
};

}  // namespace nika::tendermint
