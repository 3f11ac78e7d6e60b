// A quorum write: the leader of round 1 asks everybody to store its value, and a value that a quorum has stored is
// chosen. One exchange of messages and a certificate; no value is ever chosen against another, even if the leader lies.
// It does not promise that a value is chosen when the leader lies.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <variant>

#include "nika/model/protocol.hpp"

namespace quorum_write {

using nika::field;

struct Write {
  static constexpr std::string_view kName = "write";
  nika::ValueId value{};

  static constexpr auto fields() { return std::tuple{field("value", &Write::value)}; }
};

struct Stored {
  static constexpr std::string_view kName = "stored";
  nika::ValueId value{};

  static constexpr auto fields() { return std::tuple{field("value", &Stored::value)}; }
};

// The signatures of all who stored the value prove that it is chosen.
struct Chosen {
  static constexpr std::string_view kName = "chosen";
  nika::ValueId value{};
  nika::IdentitySet signers{};

  static constexpr auto fields() {
    return std::tuple{field("value", &Chosen::value), field("signers", &Chosen::signers)};
  }
};

// Plain, and without padding: the search compares states as bytes.
struct State {
  nika::ValueId stored{};       // genesis: nothing yet
  nika::ValueId chosen{};       // genesis: nothing yet
  nika::IdentitySet signers{};  // of a leader: who has stored its value

  static constexpr auto fields() {
    return std::tuple{field("stored", &State::stored), field("chosen", &State::chosen),
                      field("signers", &State::signers)};
  }
};

struct QuorumWrite {
  using State = quorum_write::State;
  using Message = std::variant<Write, Stored, Chosen>;
  using Box = nika::Outbox<Message>;

  static constexpr std::string_view kName = "quorum-write";
  static constexpr std::string_view kSummary = "one value, stored by a quorum and chosen with its signatures";
  static constexpr std::array<std::string_view, 1> kBugs{"overwrite"};

  static void start(State& state, const nika::Context& context, Box& out);
  static void receive(State& state, const nika::Context& context, nika::Identity from, const Message& message,
                      Box& out);
  static void expire(State& state, const nika::Context& context, nika::TimerId timer, Box& out);
  static nika::Round round_of(const Message&) { return nika::Round(1); }
  static nika::ValueId subject_of(const Message& message);
  static nika::Round current_round(const State&) { return nika::Round(1); }
};

}  // namespace quorum_write
