// The values 0 and 1 of binary protocols, as the rest of Nika sees them: which replica begins with which, and what a
// value is called. In a schedule the leaders of round 1 begin with 1 and all others with 0; a twin begins with the
// other value than its node, so that together they say both.
#pragma once

#include <cstdint>

#include "nika/model/protocol.hpp"

namespace nika::binary {

// A set of values: none, {0}, {1} or {0, 1}.
struct Bits {
  std::uint8_t mask = 0;

  static constexpr Bits of(bool bit) { return {static_cast<std::uint8_t>(bit ? 2 : 1)}; }
  static constexpr Bits both() { return {3}; }
  constexpr bool contains(bool bit) const { return (mask & of(bit).mask) != 0; }
  constexpr bool empty() const { return mask == 0; }
  constexpr void insert(bool bit) { mask = static_cast<std::uint8_t>(mask | of(bit).mask); }
  constexpr bool operator==(const Bits&) const = default;
  static constexpr auto fields() { return std::tuple{field("mask", &Bits::mask)}; }
};

// What is committed: a set of values has a name of no seat, since nobody owns a bit.
constexpr ValueId value_of(Bits bits) { return ValueId::nameless(Round(0), bits.mask); }
constexpr bool is_bits(ValueId value) {
  return value == value_of({1}) || value == value_of({2}) || value == value_of({3});
}
constexpr Bits bits_of(ValueId value) { return {static_cast<std::uint8_t>(index_of(value.seat()) - kMaxSeats)}; }

// What a message is about. Messages that arrive together are handled by the ranks of seats, so that each value has
// one of two fixed seats here: schedules that draw orders then draw which value comes first.
constexpr ValueId subject_of(bool bit) { return {Round(1), static_cast<Seat>(bit ? 1 : 0), 0}; }

// The input of whoever owns the first seat with this replica's input: its own unless the scenario shares inputs.
inline bool input_of(const Context& context) {
  const unsigned owner = index_of(context.fresh.seat());
  const bool is_of_node = owner < context.replica_count;
  return is_of_node ? context.leaders_of(Round(1)).contains(static_cast<Identity>(owner)) : !context.leads(Round(1));
}

}  // namespace nika::binary
