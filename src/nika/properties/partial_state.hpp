// How far the replicas of a world are, without the details: what they have accepted, prepared, locked and committed,
// and in which round. Values and seats have no names here, only which seats hold the same value matters; so worlds that
// differ by names alone are alike, and few different ones are left. Taken from the description of a state's fields.
#pragma once

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/model/property.hpp"

namespace nika {

struct PartialState {
  std::uint64_t digest = 0;
  // Over all fields that hold a value: how many different ones there are, beyond the first.
  std::uint32_t disagreement = 0;
};

// Such as a lock or a certificate: a value that is held with the round that it is of.
template <class T>
constexpr bool binds_a_round() {
  if constexpr (Described<T>) {
    return std::apply(
        [](const auto&... f) {
          constexpr auto is = []<class Kind, class Owner, class Member>(const Field<Owner, Member>&, Kind) {
            return std::same_as<Member, Kind>;
          };
          return (is(f, ValueId{}) || ...) && (is(f, Round{}) || ...);
        },
        T::fields());
  }
  return false;
}

// One replica: plain facts as a number, and the values that its fields hold. What it has merely collected (sets of
// identities, lists of messages) is left out, and of a list of values all but the last.
class SeatSummary {
 public:
  static constexpr unsigned kMaxValues = 32;  // further ones are left out

  void clear() { facts_ = value_count_ = 0; }
  std::uint64_t facts() const { return facts_; }
  unsigned value_count() const { return value_count_; }
  ValueId value(unsigned field) const { return values_[field]; }

  void add(ValueId value) {
    if (value_count_ < kMaxValues) values_[value_count_++] = value;
  }
  void add(Round round) { add_fact(round.number); }
  void add(Height height) { add_fact(height.number); }
  void add(Seat) {}
  void add(Identity) {}
  void add(SeatSet) {}
  void add(IdentitySet) {}
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T fact) {
    add_fact(static_cast<std::uint64_t>(fact));
  }
  template <Described T>
  void add(const T& object) {
    for_each_field(object, [&](std::string_view, const auto& member) { add(member); });
  }
  // Of the fields only what binds a value to a round.
  template <Described T>
  void add_held(const T& object) {
    for_each_field(object, [&](std::string_view, const auto& member) {
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (binds_a_round<Member>()) {
        add(member);
      } else if constexpr (Described<Member>) {
        add_held(member);
      }
    });
  }
  void add(const Held& held) {
    add(held.value);
    add(held.height);
  }
  template <class T, std::size_t Capacity>
  void add(const BoundedVector<T, Capacity>& items) {
    if constexpr (std::same_as<T, ValueId>) add(items.empty() ? kGenesis : items.back());
  }
  template <class... Alternatives>
  void add(const std::variant<Alternatives...>& value) {
    add_fact(value.index());
    std::visit([&](const auto& alternative) { add(alternative); }, value);
  }

 private:
  void add_fact(std::uint64_t fact) { facts_ = mix64(facts_ ^ mix64(fact)); }

  std::uint64_t facts_ = 0;
  unsigned value_count_ = 0;
  std::array<ValueId, kMaxValues> values_{};
};

// All replicas. A seat is known by a colour, at first its facts and `kind`, and a value by the seats and fields that
// hold it; each pass lets the values colour the seats, so that what holds the same value is told from what holds
// another.
class ClusterSummary {
 public:
  void clear() { count_ = 0; }
  template <class State>
  void add(const State& state, std::uint64_t kind) {
    seats_[count_].clear();
    seats_[count_].add(state);
    colours_[count_] = mix64(seats_[count_].facts() ^ mix64(kind));
    ++count_;
  }
  // Less of it: how far it says that it is, and what it holds.
  template <class State>
  void add_held(const State& state, const Progress& progress, std::uint64_t kind) {
    SeatSummary& seat = seats_[count_];
    seat.clear();
    for (const Held& held : {progress.prepared, progress.locked, progress.executed}) seat.add(held);
    if constexpr (Described<State>) seat.add_held(state);
    colours_[count_] = mix64(seat.facts() ^ mix64(kind));
    ++count_;
  }

  PartialState finish(std::uint64_t rounds) {
    for (unsigned pass = 0; pass < 2; ++pass) recolour();
    PartialState result{mix64(rounds), disagreement()};
    for (unsigned s = 0; s < count_; ++s) result.digest += mix64(colours_[s]);
    return result;
  }

 private:
  struct Holders {
    ValueId value{};
    std::uint64_t signature = 0;
  };
  static constexpr unsigned kMaxHeld = kMaxSeats * SeatSummary::kMaxValues;

  std::uint64_t& signature_of(ValueId value) {
    unsigned at = 0;
    while (at < held_count_ && held_[at].value != value) ++at;
    if (at == held_count_) held_[held_count_++] = {value, 0};
    return held_[at].signature;
  }

  void recolour() {
    held_count_ = 0;
    for (unsigned s = 0; s < count_; ++s) {
      for (unsigned f = 0; f < seats_[s].value_count(); ++f) {
        if (const ValueId value = seats_[s].value(f); !value.is_genesis())
          signature_of(value) += mix64(colours_[s] ^ mix64(f));
      }
    }
    for (unsigned s = 0; s < count_; ++s) {
      for (unsigned f = 0; f < seats_[s].value_count(); ++f) {
        const ValueId value = seats_[s].value(f);
        colours_[s] = mix64(colours_[s] ^ mix64(value.is_genesis() ? f : signature_of(value)));
      }
    }
  }

  std::uint32_t disagreement() const {
    std::uint32_t result = 0;
    unsigned fields = 0;
    for (unsigned s = 0; s < count_; ++s) fields = std::max(fields, seats_[s].value_count());
    for (unsigned f = 0; f < fields; ++f) {
      std::array<ValueId, kMaxSeats> different;
      unsigned count = 0;
      for (unsigned s = 0; s < count_; ++s) {
        if (f >= seats_[s].value_count() || seats_[s].value(f).is_genesis()) continue;
        const auto end = different.begin() + count;
        if (std::find(different.begin(), end, seats_[s].value(f)) == end) different[count++] = seats_[s].value(f);
      }
      if (count > 1) result += count - 1;
    }
    return result;
  }

  std::array<SeatSummary, kMaxSeats> seats_{};
  std::array<std::uint64_t, kMaxSeats> colours_{};
  unsigned count_ = 0;
  std::array<Holders, kMaxHeld> held_{};
  unsigned held_count_ = 0;
};

inline std::uint64_t facts_about(const Sight& sight, Seat seat, IdentitySet next_leaders) {
  const unsigned leads = next_leaders.contains(sight.cluster.identity(seat)) ? 1 : 0;
  const unsigned honest = sight.cluster.is_honest(seat) ? 2 : 0;
  return leads | honest | (sight.down.contains(seat) ? 4U : 0U);
}

// Between network rounds. Who leads the next one counts too: messages to it are already on their way. What was in
// `summary` is lost.
template <Protocol P>
PartialState partial_state_of(const Sight& sight, IdentitySet next_leaders, ClusterSummary& summary) {
  summary.clear();
  for (Seat seat : sight.cluster.seats()) {
    summary.add(sight.states<P>()[index_of(seat)], facts_about(sight, seat, next_leaders));
  }
  return summary.finish(sight.now.number);
}

// Coarser, so that few are left where many faults are drawn: decisions, locks and certificates, with their rounds.
template <Protocol P>
std::uint64_t held_state_of(const Sight& sight, IdentitySet next_leaders, ClusterSummary& summary) {
  summary.clear();
  for (Seat seat : sight.cluster.seats()) {
    const Progress progress = sight.tells_progress() ? sight.progress(seat) : Progress{};
    summary.add_held(sight.states<P>()[index_of(seat)], progress, facts_about(sight, seat, next_leaders));
  }
  return summary.finish(sight.now.number).digest;
}

}  // namespace nika
