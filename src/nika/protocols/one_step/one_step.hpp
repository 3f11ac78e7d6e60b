// One-step Byzantine consensus: Bosco, of Song and van Renesse, "Bosco: One-Step Byzantine Asynchronous Consensus"
// (DISC 2008), for values 0 and 1. All exchange votes once; who sees nearly all agree decides at once, and everybody
// hands a value over to a consensus underneath, here the binary consensus of DBFT (protocols/dbft), which decides for
// those who have not. What is in models/one-step.ta is the exchange and what is handed over.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/dbft/dbft.hpp"

namespace nika::one_step {

using binary::Bits;

// VOTE. Who repeats it lacks votes of others, and asks for them.
struct Vote {
  static constexpr std::string_view kName = "vote";
  bool value = false;
  bool asks = false;

  static constexpr auto fields() { return std::tuple{field("value", &Vote::value), field("asks", &Vote::asks)}; }
};

using Message = std::variant<Vote, dbft::Est, dbft::Coord, dbft::Aux, dbft::Ask>;

struct State {
  IdentitySet votes_0{};  // of the first n - t processes whose vote came
  IdentitySet votes_1{};
  Bits own{};          // what it began with
  Bits decided{};      // in one step
  Bits handed_over{};  // to the consensus underneath
  std::uint8_t unused = 0;
  dbft::State under{};

  static constexpr auto fields() {
    return std::tuple{
        field("votes_0", &State::votes_0), field("votes_1", &State::votes_1),         field("own", &State::own),
        field("decided", &State::decided), field("handed_over", &State::handed_over), field("unused", &State::unused),
        field("under", &State::under)};
  }
};

struct OneStep {
  using State = one_step::State;
  using Message = one_step::Message;

  static constexpr std::string_view kName = "one-step";
  static constexpr std::string_view kSummary =
      "Bosco: one exchange of votes decides if nearly all agree, else DBFT's binary consensus does";
  static constexpr std::array<std::string_view, 2> kBugs{"decide-n+t", "keeps-own-value"};
  static constexpr bool kSingleShot = true;
  // Those of the consensus underneath: votes that were lost are asked for in the first round of healing.
  static constexpr unsigned kHealRounds = 16;
  static constexpr unsigned kTimerCount = 4;
  static constexpr bool kAnyoneProposes = true;
  static constexpr bool kCountsRounds = true;     // their parity, and how long to wait in them
  static constexpr bool kLiesAreReviewed = true;  // every message is its sender's own word

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return std::max(Round(1), state.under.round); }
};

}  // namespace nika::one_step
