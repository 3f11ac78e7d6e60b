// What is asked and told of strategies against the common coin: whether one goes on for ever whatever the coins show,
// and how one is looked for. Plain values; coin_loop.hpp and coin_hunt.hpp make them.
#pragma once

#include <optional>
#include <string_view>

#include "nika/model/coin.hpp"

namespace nika {

struct CoinProof {
  bool proved = false;
  std::string_view why{};  // it is not: what fails, in which turn, and for which value of the coin
  unsigned turn = 0;
  bool coin = false;
  unsigned steps = 0;  // of all turns with both values
  SeatSet waiting{};   // honest seats: none of them ever decides

  bool operator==(const CoinProof&) const = default;
};

// How orders are drawn: any message that is on its way, each as likely; or by priorities, as in probabilistic
// concurrency testing: the first message of the link with the highest one, or any message to the seat with the highest,
// and at two random steps whoever is next falls behind all others.
enum class CoinDraw : std::uint8_t { kUniform, kLinks, kReceivers };

struct CoinHuntSettings {
  CoinDraw draw = CoinDraw::kReceivers;
  std::uint64_t seed = 1;
  unsigned turns = 10'000;  // beginnings of turns that are drawn
  unsigned tries = 8;       // how each of them may go on, for each value of the coin
};

struct CoinHunt {
  std::optional<CoinStrategy> found{};
  unsigned turns = 0;          // beginnings that were drawn, up to and with the one that completed it
  unsigned heads = 0;          // worlds between turns that were met, up to a shift of rounds
  unsigned undecided = 0;      // beginnings after which nobody need decide, whatever the coin shows
  std::uint64_t playouts = 0;  // ways to go on that were run
};

}  // namespace nika
