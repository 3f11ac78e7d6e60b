// Renames seats, identities and rounds wherever a described value holds one. Used for symmetry (rename honest nodes)
// and for describing a world relative to its current round.
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

// Calls visit(set) for every set of identities inside a described value.
template <class T, class Visitor>
void for_each_identity_set(const T& value, Visitor&& visit) {
  if constexpr (std::same_as<T, IdentitySet>) {
    visit(value);
  } else if constexpr (Described<T>) {
    for_each_field(value, [&](std::string_view, const auto& member) { for_each_identity_set(member, visit); });
  } else if constexpr (requires { value.index(); }) {
    std::visit([&](const auto& alternative) { for_each_identity_set(alternative, visit); }, value);
  } else if constexpr (requires { value.begin(); } && !std::same_as<T, SeatSet>) {
    for (const auto& item : value) for_each_identity_set(item, visit);
  }
}

}  // namespace nika
