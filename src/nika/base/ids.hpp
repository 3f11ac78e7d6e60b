// The strong ids that everything speaks of. A seat is a place in the network; an identity is a signing key.
// Twins are several seats of one identity.
#pragma once

#include <compare>
#include <cstdint>

#include "nika/base/bit_set.hpp"

namespace nika {

inline constexpr unsigned kMaxSeats = 16;
inline constexpr unsigned kMaxRound = 250;

enum class Seat : std::uint8_t {};
enum class Identity : std::uint8_t {};

using SeatSet = BitSet<Seat>;
using IdentitySet = BitSet<Identity>;

constexpr unsigned index_of(Seat seat) { return static_cast<unsigned>(seat); }
constexpr unsigned index_of(Identity identity) { return static_cast<unsigned>(identity); }

// A round (or view) of a protocol. Round 0 is genesis; the first real round is 1.
struct Round {
  std::uint8_t number = 0;

  constexpr Round() = default;
  constexpr explicit Round(unsigned n) : number(static_cast<std::uint8_t>(n)) {}
  constexpr auto operator<=>(const Round&) const = default;
  constexpr Round next() const { return Round(number + 1U); }
  constexpr Round previous() const { return Round(number - 1U); }
};

// A proposed value, named by where it came from: the round, the seat that made it, and how often that seat had lost its
// memory before. Two seats never make the same value, so twins equivocate. All zero is genesis, which nobody proposed.
struct ValueId {
  std::uint16_t packed = 0;

  static constexpr unsigned kMaxIncarnation = 7;

  constexpr ValueId() = default;
  constexpr ValueId(Round round, Seat seat, unsigned incarnation)
      : packed(static_cast<std::uint16_t>(round.number << 8 | index_of(seat) << 3 | incarnation)) {}

  // A value of which nobody asks any more who made it: of no seat, and told from others of its round by a number.
  static constexpr unsigned kMaxNameless = 16;
  static constexpr ValueId nameless(Round round, unsigned number) {
    return ValueId(round, static_cast<Seat>(kMaxSeats + number), 0);
  }
  constexpr bool is_nameless() const { return index_of(seat()) >= kMaxSeats; }

  constexpr Round round() const { return Round(packed >> 8U); }
  constexpr Seat seat() const { return static_cast<Seat>((packed >> 3U) & 31U); }
  constexpr unsigned incarnation() const { return packed & 7U; }
  constexpr bool is_genesis() const { return packed == 0; }
  constexpr auto operator<=>(const ValueId&) const = default;
};

inline constexpr ValueId kGenesis{};

// The position of a value in a committed log. Genesis has height 0.
struct Height {
  std::uint8_t number = 0;

  constexpr Height() = default;
  constexpr explicit Height(unsigned n) : number(static_cast<std::uint8_t>(n)) {}
  constexpr auto operator<=>(const Height&) const = default;
  constexpr Height next() const { return Height(number + 1U); }
};

}  // namespace nika
