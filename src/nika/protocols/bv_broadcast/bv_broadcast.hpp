// BV-broadcast, binary value broadcast (protocols/binary/bv.hpp has the rules and their source): every process
// broadcasts 0 or 1, and delivers a set of values that some correct process has broadcast. A set is committed at the
// height 1, 2 or 3 for {0}, {1} and {0, 1}. There is one round: what is lost is sent again in the network rounds that
// follow.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "nika/protocols/binary/bv.hpp"

namespace nika::bv_broadcast {

// (BV, v).
struct BvMessage {
  static constexpr std::string_view kName = "bv";
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("value", &BvMessage::value)}; }
};

struct State {
  binary::Bv bv{};

  static constexpr auto fields() { return std::tuple{field("bv", &State::bv)}; }
};

struct BvBroadcast {
  using State = bv_broadcast::State;
  using Message = std::variant<BvMessage>;

  static constexpr std::string_view kName = "bv-broadcast";
  static constexpr std::string_view kSummary =
      "binary value broadcast: delivers the values 0 and 1 that a correct process has broadcast";
  static constexpr std::array<std::string_view, 2> kBugs{"echo-t", "deliver-2t"};
  static constexpr bool kSingleShot = true;
  // Its timer only repeats what may have been lost, so that it owes deliveries without. Everybody is a sender here;
  // those of the schedule, the leaders of round 1, are the ones that begin with 1.
  static constexpr bool kIsBroadcast = true;
  static constexpr bool kAnyoneProposes = true;
  static constexpr bool kLiesAreReviewed = true;  // the value is its sender's own word
  // Measured over 360,000 runs with and without a twin, drawn by kinds of messages, 2, 4 and 7 rounds, half of them
  // with late and repeated messages, early timeouts and a crash: all delivered in the first round of healing, since all
  // that was lost is said again there.
  static constexpr unsigned kHealRounds = 5;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  // For a search through all orders of delivery: a value that was counted from its sender, or that the replica has both
  // sent and delivered, makes no difference to it any more.
  static bool ignores(const State& state, const Context& context, Identity from, const Message& message);
  static void forget_heard(State& state);

  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message);
  static Round current_round(const State&) { return Round(1); }
};

}  // namespace nika::bv_broadcast
