// The binary consensus of Mostéfaoui, Moumen and Raynal, "Signature-Free Asynchronous Byzantine Consensus with t < n/3
// and O(n²) Messages" (PODC 2014), which HoneyBadger uses, with a common coin that the schedule answers; and its repair
// by one more exchange before the coin, CONF (MacBrough, "Cobalt", arXiv 1802.07240, 2018). Where they depart from
// these, and why that is harmless, is in docs/mmr.md.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/binary/bv.hpp"
#include "nika/protocols/mmr/messages.hpp"

namespace nika::mmr {

using binary::Bits;

// What was said and heard in one round.
struct RoundRecord {
  binary::Bv bv{};
  IdentitySet aux_0{};
  IdentitySet aux_1{};
  IdentitySet conf_0{};  // who confirmed {0}
  IdentitySet conf_1{};
  IdentitySet conf_both{};
  Bits sent_aux{};   // by itself, one value at most: what was delivered first
  Bits sent_conf{};  // by itself

  IdentitySet& aux(bool value) { return value ? aux_1 : aux_0; }
  const IdentitySet& aux(bool value) const { return value ? aux_1 : aux_0; }
  const IdentitySet& conf(bool value) const { return value ? conf_1 : conf_0; }
  bool operator==(const RoundRecord&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("bv", &RoundRecord::bv),
                      field("aux_0", &RoundRecord::aux_0),
                      field("aux_1", &RoundRecord::aux_1),
                      field("conf_0", &RoundRecord::conf_0),
                      field("conf_1", &RoundRecord::conf_1),
                      field("conf_both", &RoundRecord::conf_both),
                      field("sent_aux", &RoundRecord::sent_aux),
                      field("sent_conf", &RoundRecord::sent_conf)};
  }
};

// With room for so many rounds: of a process that is a part of another one, few.
template <std::size_t kRounds>
struct StateOf {
  static constexpr std::size_t kMostRounds = kRounds;

  // Of rounds first, first + 1 and so on, as far as anybody was heard; what is older was folded.
  BoundedVector<RoundRecord, kMostRounds> records{};
  IdentitySet decided_0{};  // who has decided 0
  IdentitySet decided_1{};
  Round round{};
  Round first{1};
  bool est = false;
  bool has_halted = false;
  Bits decided{};  // by itself
  std::uint8_t filler = 0;

  IdentitySet& decided_by(bool value) { return value ? decided_1 : decided_0; }
  static constexpr auto fields() {
    return std::tuple{field("records", &StateOf::records),       field("decided_0", &StateOf::decided_0),
                      field("decided_1", &StateOf::decided_1),   field("round", &StateOf::round),
                      field("first", &StateOf::first),           field("est", &StateOf::est),
                      field("has_halted", &StateOf::has_halted), field("decided", &StateOf::decided)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &StateOf::filler)}; }
};
using State = StateOf<60>;
inline constexpr std::size_t kRoundsOfPart = 16;
using PartState = StateOf<kRoundsOfPart>;

enum class Repair : std::uint8_t { kNone, kConf };

// The rules, for a state of either size. A process that is a part of another one may hear others before it proposes.
template <class S>
struct Process {
  static void propose(S& state, const Context& context, bool value, Outbox<Message>& out, Repair repair);
  static void receive(S& state, const Context& context, Identity from, const Message& message, Outbox<Message>& out,
                      Repair repair);
  static void expire(S& state, const Context& context, Outbox<Message>& out);
};
extern template struct Process<State>;
extern template struct Process<PartState>;

// What both protocols have.
struct Common {
  using State = mmr::State;
  using Message = mmr::Message;

  static constexpr std::array<std::string_view, 5> kBugs{"echo-t", "aux-t+1", "decide-any-coin", "decided-t",
                                                         "silent-deciders"};
  static constexpr bool kSingleShot = true;
  static constexpr bool kTossesCoins = true;
  // Over 100,000 runs with a twin, drawn by kinds of messages, of 2, 4 and 7 rounds, all had decided after so many. Who
  // is behind takes a round of healing for each of at most seven that it missed; then estimates are the same after a
  // round, and a coin that shows the parity of its round shows theirs in one of the next two.
  static constexpr unsigned kHealRounds = 16;
  static constexpr unsigned kTimerCount = 1;
  static constexpr bool kAnyoneProposes = true;
  static constexpr bool kLiesAreReviewed = true;  // see messages.hpp

  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.round; }
  // Nobody sends or reads anything of a round that all have left, once nothing of it is on its way.
  static bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope);
};

// As published: the coin is asked for when n - t AUX messages have come. An adversary that sees it then can still
// choose what others get from theirs.
struct Mmr14 : Common {
  static constexpr std::string_view kName = "mmr14";
  static constexpr std::string_view kSummary =
      "MMR14's binary consensus, of HoneyBadger: BV-broadcast, AUX, and a common coin (seen too early)";
  static constexpr std::string_view kRepairedBy = "mmr14-conf";

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
};

// Repaired: the coin is asked for when n - t CONF messages have come.
struct Mmr14Conf : Common {
  static constexpr std::string_view kName = "mmr14-conf";
  static constexpr std::string_view kSummary =
      "MMR14 repaired: what AUX messages showed is confirmed by n - t before anybody asks for the coin";

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
};

}  // namespace nika::mmr
