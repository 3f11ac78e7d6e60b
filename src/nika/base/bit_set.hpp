// A set of at most 16 small ids (seats or identities) in one machine word. Iteration is in ascending order.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <initializer_list>

namespace nika {

template <class Id>
class BitSet {
 public:
  using Bits = std::uint16_t;

  class Iterator {
   public:
    constexpr explicit Iterator(Bits bits) : bits_(bits) {}
    constexpr Id operator*() const { return static_cast<Id>(std::countr_zero(bits_)); }
    constexpr Iterator& operator++() {
      bits_ = static_cast<Bits>(bits_ & (bits_ - 1));
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Bits bits_;
  };

  constexpr BitSet() = default;
  constexpr BitSet(std::initializer_list<Id> ids) {
    for (Id id : ids) insert(id);
  }
  static constexpr BitSet from_bits(std::uint32_t bits) {
    BitSet set;
    set.bits_ = static_cast<Bits>(bits);
    return set;
  }
  static constexpr BitSet single(Id id) { return from_bits(1U << static_cast<unsigned>(id)); }
  static constexpr BitSet first(unsigned count) { return from_bits((1U << count) - 1U); }

  constexpr Bits bits() const { return bits_; }
  constexpr bool contains(Id id) const { return (bits_ >> static_cast<unsigned>(id)) & 1U; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr void insert(Id id) { bits_ = static_cast<Bits>(bits_ | (1U << static_cast<unsigned>(id))); }
  constexpr void erase(Id id) { bits_ = static_cast<Bits>(bits_ & ~(1U << static_cast<unsigned>(id))); }

  constexpr BitSet operator|(BitSet other) const { return from_bits(bits_ | other.bits_); }
  constexpr BitSet operator&(BitSet other) const { return from_bits(bits_ & other.bits_); }
  constexpr BitSet operator-(BitSet other) const { return from_bits(bits_ & ~other.bits_); }
  constexpr BitSet& operator|=(BitSet other) { return *this = *this | other; }
  constexpr BitSet& operator&=(BitSet other) { return *this = *this & other; }
  constexpr auto operator<=>(const BitSet&) const = default;

  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Bits bits_ = 0;
};

}  // namespace nika
