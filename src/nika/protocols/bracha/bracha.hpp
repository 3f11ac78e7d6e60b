// Bracha's reliable broadcast ("Asynchronous Byzantine Agreement Protocols", 1987): one sender, one value, and all
// honest nodes that accept a value accept the same one, whatever the sender does. The leaders of round 1 are the
// senders. There is no second round: what is lost is sent again in the network rounds that follow.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"

namespace nika::bracha {

struct Initial {
  static constexpr std::string_view kName = "initial";
  ValueId value{};

  static constexpr auto fields() { return std::tuple{field("value", &Initial::value)}; }
};

struct Echo {
  static constexpr std::string_view kName = "echo";
  ValueId value{};

  static constexpr auto fields() { return std::tuple{field("value", &Echo::value)}; }
};

struct Ready {
  static constexpr std::string_view kName = "ready";
  ValueId value{};

  static constexpr auto fields() { return std::tuple{field("value", &Ready::value)}; }
};

// Who has sent what for one value. Sets of identities, so that a repeated message counts once.
struct Tally {
  ValueId value{};
  IdentitySet echoes{};
  IdentitySet readies{};

  static constexpr auto fields() {
    return std::tuple{field("value", &Tally::value), field("echoes", &Tally::echoes),
                      field("readies", &Tally::readies)};
  }
};

// Genesis stands for "none yet" in the first three: each is written once and never changes again.
struct State {
  static constexpr std::size_t kMaxValues = 8;
  ValueId echoed{};
  ValueId readied{};
  ValueId accepted{};
  // Sorted by value: which one came first does not matter, so it is not remembered.
  BoundedVector<Tally, kMaxValues> tallies{};

  static constexpr auto fields() {
    return std::tuple{field("echoed", &State::echoed), field("readied", &State::readied),
                      field("accepted", &State::accepted), field("tallies", &State::tallies)};
  }
};

struct Bracha {
  using State = bracha::State;
  using Message = std::variant<Initial, Echo, Ready>;

  static constexpr std::string_view kName = "bracha";
  static constexpr std::string_view kSummary = "Bracha's reliable broadcast: one sender, one value, echo and ready";
  static constexpr std::array<std::string_view, 3> kBugs{"echo-majority", "quorum-2f", "resilience-2f"};
  // It is said to need more than 2f nodes instead of more than 3f.
  static constexpr unsigned claimed_resilience(std::uint32_t bugs) { return (bugs >> 2U & 1U) != 0 ? 2 : 3; }
  static constexpr bool kSingleShot = true;
  static constexpr bool kIsBroadcast = true;
  static constexpr bool kLiesAreReviewed = true;  // every value is its sender's own word
  // Measured over 360,000 runs with and without a twin, drawn by phases of 2, 4 and 7 rounds, half of them with late
  // and repeated messages, early timeouts and a crash: with an honest sender, all accepted within 5 rounds of healing.
  static constexpr unsigned kHealRounds = 10;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  // For a search through all orders of delivery. A message that a replica ignores makes no difference to it, whatever
  // else it hears before: an initial once it has echoed, an echo once it is ready, a ready once it has accepted, and
  // what it has counted already. What it has counted towards a step that is behind it no rule looks at again.
  static bool ignores(const State& state, const Context& context, Identity from, const Message& message);
  static void forget_heard(State& state);

  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message);
  static Round current_round(const State&) { return Round(1); }
  static Progress progress(const State& state, const Context&) {
    return {{state.echoed, {}}, {state.readied, {}}, {state.accepted, {}}};
  }
};

}  // namespace nika::bracha
