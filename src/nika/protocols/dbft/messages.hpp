// The messages of DBFT's binary consensus. All of them are their sender's own words: nothing is signed by others.
#pragma once

#include <string_view>
#include <variant>

#include "nika/model/protocol.hpp"

namespace nika::dbft {

// EST, "BV" in Algorithm 2: an estimate, or the echo of one.
struct Est {
  static constexpr std::string_view kName = "est";
  Round round{};
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("round", &Est::round), field("value", &Est::value)}; }
};

// COORD: what the coordinator of a round suggests for AUX.
struct Coord {
  static constexpr std::string_view kName = "coord";
  Round round{};
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("round", &Coord::round), field("value", &Coord::value)}; }
};

// AUX, "ECHO" in Algorithm 2: a value that its sender has delivered.
struct Aux {
  static constexpr std::string_view kName = "aux";
  Round round{};
  bool value = false;

  static constexpr auto fields() { return std::tuple{field("round", &Aux::round), field("value", &Aux::value)}; }
};

// The sender is in this round still: who has left it says again what it said there.
struct Ask {
  static constexpr std::string_view kName = "ask";
  static constexpr bool kHasNoRound = true;
  Round round{};

  static constexpr auto fields() { return std::tuple{field("round", &Ask::round)}; }
};

using Message = std::variant<Est, Coord, Aux, Ask>;

}  // namespace nika::dbft
