// Renames seats, identities and rounds wherever a described value holds one. Used for symmetry (rename honest nodes)
// and for describing a world relative to its current round. It asks that every member that names somebody is of a type
// that says so: an identity in a plain number is not renamed, which the compiler cannot see and `nika check` does.
#pragma once

#include <array>
#include <concepts>
#include <type_traits>
#include <variant>

#include "nika/model/fields.hpp"

namespace nika {

struct Relabelling {
  std::array<Seat, kMaxSeats> seat{};
  std::array<Identity, kMaxSeats> identity{};
  std::array<Round, 256> round{};

  static Relabelling identity_map() {
    Relabelling map;
    for (unsigned i = 0; i < kMaxSeats; ++i) {
      map.seat[i] = static_cast<Seat>(i);
      map.identity[i] = static_cast<Identity>(i);
    }
    for (unsigned i = 0; i < 256; ++i) map.round[i] = Round(i);
    return map;
  }
};

template <class Id>
constexpr BitSet<Id> relabelled(BitSet<Id> set, const std::array<Id, kMaxSeats>& map) {
  BitSet<Id> result;
  for (Id id : set) result.insert(map[static_cast<unsigned>(id)]);
  return result;
}

inline void relabel(Seat& seat, const Relabelling& map) { seat = map.seat[index_of(seat)]; }
inline void relabel(Identity& identity, const Relabelling& map) { identity = map.identity[index_of(identity)]; }
inline void relabel(SeatSet& set, const Relabelling& map) { set = relabelled(set, map.seat); }
inline void relabel(IdentitySet& set, const Relabelling& map) { set = relabelled(set, map.identity); }
inline void relabel(Round& round, const Relabelling& map) { round = map.round[round.number]; }
inline void relabel(ValueId& value, const Relabelling& map) {
  if (value.is_genesis()) return;
  const Seat seat = value.is_nameless() ? value.seat() : map.seat[index_of(value.seat())];
  value = ValueId(map.round[value.round().number], seat, value.incarnation());
}
// Heights, flags and plain numbers name nobody.
inline void relabel(Height&, const Relabelling&) {}
template <class T>
  requires std::is_arithmetic_v<T> || (std::is_enum_v<T> && !std::same_as<T, Seat> && !std::same_as<T, Identity>)
void relabel(T&, const Relabelling&) {}

template <Described T>
void relabel(T& object, const Relabelling& map);

template <class T, std::size_t Capacity>
void relabel(BoundedVector<T, Capacity>& items, const Relabelling& map) {
  for (T& item : items) relabel(item, map);
}
template <class... Alternatives>
void relabel(std::variant<Alternatives...>& value, const Relabelling& map) {
  std::visit([&](auto& alternative) { relabel(alternative, map); }, value);
}
template <Described T>
void relabel(T& object, const Relabelling& map) {
  for_each_field(object, [&](std::string_view, auto& member) { relabel(member, map); });
}

// Calls visit(set) for all that names somebody inside a described value: sets of identities and seats, single ones, and
// who made a value. Seats are told as identities of the same number, as honest nodes have it.
template <class T, class Visitor>
void for_each_name(const T& value, Visitor&& visit) {
  if constexpr (std::same_as<T, IdentitySet> || std::same_as<T, SeatSet>) {
    visit(IdentitySet::from_bits(value.bits()));
  } else if constexpr (std::same_as<T, Identity> || std::same_as<T, Seat>) {
    visit(IdentitySet::from_bits(1U << index_of(value)));
  } else if constexpr (std::same_as<T, ValueId>) {
    if (!value.is_genesis() && !value.is_nameless()) visit(IdentitySet::from_bits(1U << index_of(value.seat())));
  } else if constexpr (Described<T>) {
    for_each_field(value, [&](std::string_view, const auto& member) { for_each_name(member, visit); });
  } else if constexpr (requires { value.index(); }) {
    std::visit([&](const auto& alternative) { for_each_name(alternative, visit); }, value);
  } else if constexpr (requires { value.begin(); }) {
    for (const auto& item : value) for_each_name(item, visit);
  }
}

// Whether a described value holds a value that one of them made.
template <class T>
bool holds_value_of(const T& value, IdentitySet makers) {
  if constexpr (std::same_as<T, ValueId>) {
    return !value.is_genesis() && !value.is_nameless() && makers.contains(static_cast<Identity>(value.seat()));
  } else if constexpr (Described<T>) {
    bool found = false;
    for_each_field(value, [&](std::string_view, const auto& m) { found = found || holds_value_of(m, makers); });
    return found;
  } else if constexpr (requires { value.index(); }) {
    return std::visit([&](const auto& alternative) { return holds_value_of(alternative, makers); }, value);
  } else if constexpr (requires { value.begin(); }) {
    for (const auto& item : value) {
      if (holds_value_of(item, makers)) return true;
    }
  }
  return false;
}

}  // namespace nika
