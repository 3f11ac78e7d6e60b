// The common coin of randomized protocols: one value for each round, the same for everybody. It is a choice of the
// schedule and never drawn by a replica. Whoever honest asks first makes it known to the adversary, so it is kept until
// which round each replica has asked. A strategy against it may depend on a coin from then on, and not before.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "nika/base/ids.hpp"

namespace nika {

// What the coin shows in each round. Unless a schedule says otherwise that is the round's parity, so that both values
// come up in any two rounds.
class Coins {
 public:
  Coins() {
    for (std::size_t round = 1; round < shown_.size(); round += 2) shown_.set(round);
  }
  bool of(Round round) const { return shown_.test(round.number); }
  void show(Round round, bool value) { shown_.set(round.number, value); }
  // Of rounds 1, 2 and so on, as a scenario has them.
  void show_all(const std::vector<std::uint8_t>& values) {
    for (std::size_t i = 0; i < values.size() && i + 1 < shown_.size(); ++i) shown_.set(i + 1, values[i] != 0);
  }
  void show_from(Round first, bool value) {
    for (std::size_t round = first.number; round < shown_.size(); ++round) shown_.set(round, value);
  }
  bool operator==(const Coins&) const = default;

 private:
  std::bitset<256> shown_{};
};

// The coin in the hands of a replica.
struct Coin {
  const Coins* coins = nullptr;
  mutable std::uint8_t latest_asked = 0;  // the latest round that it asked about

  bool operator()(Round round) const {
    latest_asked = std::max(latest_asked, round.number);
    return coins->of(round);
  }
};

// A protocol whose replicas ask for the coin says so: `static constexpr bool kTossesCoins = true`.
template <class P>
inline constexpr bool kTossesCoins = requires { requires P::kTossesCoins; };

// One whose rules reckon with the number of a round, as with whether it is odd, says so: `static constexpr bool
// kCountsRounds = true`. Worlds of either are not compared up to the numbers of their rounds.
template <class P>
inline constexpr bool kRoundsAreAlike = !kTossesCoins<P> && !requires { requires P::kCountsRounds; };

// One step of a turn: the n-th message of a kind that a seat sends in the round of the turn reaches these seats, in
// their order. Names do not depend on what others send, nor on messages of other kinds.
struct TurnStep {
  std::uint8_t kind = 0;
  std::uint8_t number = 1;
  Seat from{};
  SeatSet to{};

  bool operator==(const TurnStep&) const = default;
};

// What a schedule does in one round of a protocol that tosses coins, in an asynchronous network: some steps until an
// honest replica asks for the coin of the round, by the last of them; then others, for each value that it may show;
// then all the rest of the round arrives. Another turn follows, which may depend on the coin too.
struct CoinTurn {
  std::vector<TurnStep> before{};
  std::array<std::vector<TurnStep>, 2> after{};
  std::array<std::uint8_t, 2> next{};  // by its position in the strategy
  std::string note{};                  // for the reader of a file

  bool operator==(const CoinTurn&) const = default;
};
// It begins with the first turn, in round 1.
using CoinStrategy = std::vector<CoinTurn>;

}  // namespace nika
