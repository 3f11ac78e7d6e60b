// The messages of MMR14's binary consensus and of its repair. All of them are their sender's own words: nothing is
// signed by others, so that a liar may say any of them otherwise.
#pragma once

#include <string_view>
#include <variant>

#include "nika/protocols/binary/bits.hpp"

namespace nika::mmr {

// B_VAL of the BV-broadcast of a round: an estimate, or the echo of one.
struct BVal {
  static constexpr std::string_view kName = "bval";
  Round round{};
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("round", &BVal::round), field("value", &BVal::value)}; }
};

// AUX: the value that its sender has delivered first.
struct Aux {
  static constexpr std::string_view kName = "aux";
  Round round{};
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("round", &Aux::round), field("value", &Aux::value)}; }
};

// CONF, of the repair only: the values that its sender has from AUX messages, one or both.
struct Conf {
  static constexpr std::string_view kName = "conf";
  Round round{};
  bool has_0 = false;
  bool has_1 = false;

  static constexpr auto fields() {
    return std::tuple{field("round", &Conf::round), field("has_0", &Conf::has_0), field("has_1", &Conf::has_1)};
  }
};

// The sender has decided. It is of the round that its sender is in.
struct Decided {
  static constexpr std::string_view kName = "decided";
  static constexpr bool kHasNoRound = true;
  Round round{};
  bool value = false;

  static constexpr auto fields() {
    return std::tuple{field("round", &Decided::round), field("value", &Decided::value)};
  }
};

// The sender is in this round still: who was in it says again what it said there.
struct Ask {
  static constexpr std::string_view kName = "ask";
  static constexpr bool kHasNoRound = true;
  Round round{};

  static constexpr auto fields() { return std::tuple{field("round", &Ask::round)}; }
};

using Message = std::variant<BVal, Aux, Conf, Decided, Ask>;

}  // namespace nika::mmr
