// The agreement on a common subset of Miller, Xia, Croman, Shi and Song, "The Honey Badger of BFT Protocols" (CCS
// 2016), Figure 4, after Ben-Or, Kelmer and Rabin (1994): every node broadcasts a value, one binary consensus for each
// decides whether it is taken. It has no messages of its own: it is made of Bracha's broadcast and of MMR14 with CONF,
// as they are. Where it departs from the figure is in docs/honeybadger.md.
#pragma once

#include "nika/protocols/honeybadger/messages.hpp"

namespace nika::honeybadger {

// All about the value of one node.
struct Instance {
  bracha::State broadcast{};   // RBC_j
  mmr::PartState agreement{};  // BA_j

  static constexpr auto fields() {
    return std::tuple{field("broadcast", &Instance::broadcast), field("agreement", &Instance::agreement)};
  }
};

struct State {
  static constexpr std::size_t kMostNodes = 4;  // worlds are compared as a whole, and there is not much room

  BoundedVector<Instance, kMostNodes> instances{};  // by node
  IdentitySet given{};                              // whose BA_j has its input
  bool has_output = false;
  std::uint8_t filler = 0;

  static constexpr auto fields() {
    return std::tuple{field("instances", &State::instances), field("given", &State::given),
                      field("has_output", &State::has_output)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::filler)}; }
};

struct Acs {
  using State = honeybadger::State;
  using Message = honeybadger::Message;

  static constexpr std::string_view kName = "honeybadger-acs";
  static constexpr std::string_view kSummary =
      "HoneyBadger's agreement on a common subset: n reliable broadcasts and n binary consensus";
  static constexpr std::array<std::string_view, 5> kBugs{"zeros-too-early", "output-without-waiting",
                                                         "one-before-delivery", "no-zeros", "without-conf"};
  static constexpr std::array<std::string_view, 3> kNotes{"has the broadcast of", "takes", "refuses"};
  static constexpr bool kSingleShot = true;
  static constexpr bool kTossesCoins = true;
  // Of 15,000 runs with a twin, drawn by kinds of messages, of seven rounds, a third of them with late and repeated
  // messages, early timeouts and a crash, all that were judged had output after two rounds of healing. Its parts ask
  // for 10 and for 16.
  static constexpr unsigned kHealRounds = 24;
  static constexpr unsigned kTimerCount = 1;
  static constexpr bool kAnyoneProposes = true;
  // A liar may broadcast what it heard from another node.
  static constexpr bool kRepeatsValues = true;
  static constexpr bool kLiesAreReviewed = true;  // see messages.hpp

  // Each instance has a coin for each of its rounds, and a schedule numbers all of them: round r of the j-th, from 0
  // on, is (r - 1) m + j + 1, where m is odd and at least n. So what a coin shows if nobody says anything, the parity
  // of its number, is another one in the next round of the same instance.
  static constexpr unsigned coin_number(const Context& context, Identity instance, Round round) {
    return (round.number - 1U) * (context.replica_count | 1U) + index_of(instance) + 1U;
  }

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state);
};

}  // namespace nika::honeybadger
