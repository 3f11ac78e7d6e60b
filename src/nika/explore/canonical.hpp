// Brings a world into a form in which equal futures are equal bytes: history that no rule can look at is folded, and
// interchangeable honest nodes are put in an order that depends on their states, not on their names. What each
// reduction asks of a protocol, and for which properties it is exact, stands where it is defined; `nika check` tries
// it.
#pragma once

#include <algorithm>
#include <bitset>

#include "nika/base/random.hpp"
#include "nika/explore/renaming.hpp"
#include "nika/model/byte_writer.hpp"
#include "nika/sim/world.hpp"

namespace nika {

template <class P>
concept Foldable =
    requires(std::span<typename P::State> states, std::span<typename P::Message> in_flight, const FoldScope& scope) {
      { P::fold(states, in_flight, scope) } -> std::same_as<bool>;
    };

template <class P>
concept Forgetful =
    requires(std::span<typename P::State> states, std::span<const Context> contexts,
             std::span<const typename P::Message> in_flight) { P::forget(states, contexts, in_flight); };

// Both ask of a protocol that a world goes on to the same worlds, folded, whether or not it was folded before, whatever
// happens next: what is forgotten is looked at by no rule, whichever bugs are on. Folding keeps what agreement needs:
// which values conflict with which, if each commit has its height and everything below is committed before it. A
// protocol may say for which properties else its own are exact: `static constexpr std::array
// kFoldsExactlyFor{"agreement", …}`. For others the search leaves them out.
//
// Termination and responsiveness ask only what is decided from now on: above all that was, or by whoever had not. So
// they ask in addition that the last commit of each honest replica is kept, that heights keep their order, and that a
// replica commits upwards, each height once, which it does not where it can lose its memory: with crashes folding is
// for agreement alone. A world in which honest replicas disagree is left as it is, since heights of two branches do not
// shrink alike. What a monitor remembers of heights it takes from the folded world (Property::folded); one that cannot,
// as termination while it waits, says so, and nothing is folded then.
template <Protocol P>
bool is_exact_for(const Properties& properties, bool has_crashes) {
  const auto is_named = [&](const Property* property) {
    const bool is_agreement = property->name == "agreement";
    if constexpr (requires { P::kFoldsExactlyFor; }) {
      const bool is_told = std::ranges::find(P::kFoldsExactlyFor, property->name) != P::kFoldsExactlyFor.end();
      return is_told && (is_agreement || !has_crashes);
    } else {
      return is_agreement;
    }
  };
  return std::ranges::all_of(properties, is_named);
}
// Renaming asks that rules do not depend on names (no "lower identity wins"), that names are kept in types that say so,
// and that who never leads never proposes. It is exact for properties whose monitors remember nobody by name.
inline bool name_nobody(const Properties& properties) {
  return std::ranges::all_of(properties, [](const Property* property) { return property->names_nobody; });
}

template <Protocol P>
class InFlight {
 public:
  explicit InFlight(const World<P>& world) : count_(world.pending_count) {
    for (unsigned i = 0; i < count_; ++i) messages_[i] = world.pending[i].post.message;
  }
  std::span<typename P::Message> messages() { return {messages_.data(), count_}; }
  void put_back(World<P>& world) const {
    for (unsigned i = 0; i < count_; ++i) world.pending[i].post.message = messages_[i];
  }

 private:
  std::array<typename P::Message, World<P>::kMaxPending> messages_;
  std::size_t count_;
};

// What can make no difference any more while no replica loses its memory, contexts being those of the seats.
template <Protocol P>
void forget(World<P>& world, std::span<const Context> contexts) {
  if constexpr (Forgetful<P>) {
    InFlight<P> in_flight(world);
    P::forget({world.states.data(), contexts.size()}, contexts, in_flight.messages());
  }
}

// False if the protocol does not know how: the world stays as it is.
template <Protocol P>
bool fold(World<P>& world, unsigned seat_count, bool may_restart = false) {
  world.now_tick = 0;  // timers count from the start of a round, and nothing else is pending in a Twins run
  if constexpr (Foldable<P>) {
    Log log;
    for (unsigned h = 0; h <= world.commits.top().number; ++h) (void)log.push_back(world.commits.at(Height(h)));
    InFlight<P> in_flight(world);
    if (!P::fold({world.states.data(), seat_count}, in_flight.messages(), {&log, may_restart})) return false;
    in_flight.put_back(world);
    world.commits.clear();
    for (unsigned h = 1; h < log.size(); ++h) world.commits.assume(Height(h), log[h]);
    return true;
  }
  return false;
}

// Forgets and folds a world of a network, and has the monitors look at it again. False if it stays as it is.
template <Protocol P, class Network>
bool fold_judged(const Network& network, World<P>& world, bool may_restart) {
  const Monitors& monitors = network.monitors();
  if (world.commits.conflict().found) return false;
  const bool have_states = monitors.words() > 0;  // that of agreement has none
  if (have_states && !monitors.can_fold(world.monitors, network.sight_of(world))) return false;
  if (!may_restart) forget(world, network.contexts());
  if (!fold(world, network.cluster().seat_count, may_restart)) return false;
  if (have_states) monitors.folded(world.monitors, network.sight_of(world));
  return true;
}

// Describes a world relative to its rounds: rounds that nothing mentions are left out. Rules compare rounds and ask
// whether one follows another, which this preserves. Below the round of the slowest replica that is all there is to
// know. Above it, replicas that lag may run through the rounds they missed, so `kMaxGap` of them stay; how many more
// there were can still show later, and a search that left some out has not proven anything.
template <Protocol P>
class RoundGaps {
 public:
  static constexpr unsigned kMaxOldGap = 2;
  static constexpr unsigned kMaxGap = 6;

  // Says whether it was exact. Where rounds below that of the slowest replica are left out, `old_gap` stay.
  bool close(World<P>& world, unsigned seat_count, unsigned old_gap = kMaxOldGap) {
    used_.reset();
    used_.set(0);
    used_.set(world.network_round.number);
    unsigned slowest = ~0U;
    for (unsigned s = 0; s < seat_count; ++s) {
      mention(world.states[s]);
      slowest = std::min<unsigned>(slowest, P::current_round(world.states[s]).number);
    }
    for (unsigned i = 0; i < world.pending_count; ++i) mention(world.pending[i].post.message);
    map_ = Relabelling::identity_map();
    moves_together_ = true;
    unsigned last = 0;
    unsigned name = 0;
    for (unsigned round = 1; round < used_.size(); ++round) {
      if (!used_.test(round)) continue;
      const unsigned gap = round - last;
      moves_together_ = moves_together_ && (round <= slowest || gap <= kMaxGap);
      name += gap >= kMaxOldGap && round <= slowest ? old_gap : std::min(gap, kMaxGap);
      last = round;
      map_.round[round] = Round(name);
    }
    apply(world, seat_count);
    return moves_together_ || kIsSingleShot<P>;
  }
  // Whether no round was left out above that of the slowest replica: from there on all moved by one number.
  bool moves_together() const { return moves_together_; }

 private:
  template <class T>
  void mention(const T& value) {
    if constexpr (std::same_as<T, Round>) {
      used_.set(value.number);
    } else if constexpr (std::same_as<T, ValueId>) {
      used_.set(value.round().number);
    } else if constexpr (Described<T>) {
      for_each_field(value, [&](std::string_view, const auto& member) { mention(member); });
    } else if constexpr (requires { value.index(); }) {
      std::visit([&](const auto& alternative) { mention(alternative); }, value);
    } else if constexpr (requires { value.begin(); } && !std::same_as<T, IdentitySet> && !std::same_as<T, SeatSet>) {
      for (const auto& item : value) mention(item);
    }
  }
  void apply(World<P>& world, unsigned seat_count) const {
    for (unsigned s = 0; s < seat_count; ++s) relabel(world.states[s], map_);
    for (unsigned i = 0; i < world.pending_count; ++i) {
      auto& post = world.pending[i].post;
      relabel(post.message, map_);
      relabel(post.round, map_);
      relabel(post.subject, map_);
    }
    relabel(world.network_round, map_);
    const CommitLog commits = world.commits;
    world.commits.clear();
    for (unsigned h = 1; h <= commits.top().number; ++h) {
      ValueId value = commits.at(Height(h));
      relabel(value, map_);
      world.commits.assume(Height(h), value);
    }
  }

  std::bitset<256> used_;
  Relabelling map_;
  bool moves_together_ = true;
};

// A hash of a described value in which interchangeable identities count only by their colours.
class ColourHash {
 public:
  ColourHash(IdentitySet interchangeable, const std::array<std::uint64_t, kMaxSeats>& colours)
      : interchangeable_(interchangeable), colours_(colours) {}

  std::uint64_t value() const { return hash_; }
  void add(IdentitySet set) {
    std::uint64_t sum = (set - interchangeable_).bits();
    for (Identity identity : set& interchangeable_) sum += mix64(colours_[index_of(identity)] + 1);
    combine(sum);
  }
  template <class T>
    requires(std::has_unique_object_representations_v<T> && !Described<T> && sizeof(T) <= 8)
  void add(const T& value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    combine(bits);
  }
  template <Described T>
  void add(const T& object) {
    for_each_field(object, [&](std::string_view, const auto& member) { add(member); });
  }
  template <class T, std::size_t Capacity>
  void add(const BoundedVector<T, Capacity>& items) {
    for (const T& item : items) add(item);
    combine(items.size());
  }

 private:
  void combine(std::uint64_t bits) { hash_ = mix64(hash_ ^ bits); }

  IdentitySet interchangeable_;
  const std::array<std::uint64_t, kMaxSeats>& colours_;
  std::uint64_t hash_ = 0;
};

// The renaming that sorts the interchangeable seats by what they know. Any answer is sound; a good one merges more.
template <Protocol P>
std::size_t sorting_renaming(const World<P>& world, const Renamings& renamings) {
  const auto& seats = renamings.interchangeable();
  if (seats.size() < 2) return 0;
  std::array<std::uint64_t, kMaxSeats> colours{};
  for (int pass = 0; pass < 2; ++pass) {
    std::array<std::uint64_t, kMaxSeats> next{};
    for (Seat seat : seats) {
      ColourHash hash(renamings.interchangeable_identities(), colours);
      hash.add(world.states[index_of(seat)]);
      next[index_of(seat)] = hash.value();
    }
    colours = next;
  }
  std::array<std::uint8_t, kMaxSeats> order{};
  for (std::size_t i = 0; i < seats.size(); ++i) order[i] = static_cast<std::uint8_t>(i);
  std::sort(order.begin(), order.begin() + seats.size(), [&](std::uint8_t a, std::uint8_t b) {
    return std::pair(colours[index_of(seats[a])], a) < std::pair(colours[index_of(seats[b])], b);
  });
  return renamings.number_of({order.data(), seats.size()});
}

template <Protocol P>
void rename(World<P>& world, const Relabelling& map, unsigned seat_count) {
  const auto states = world.states;
  const auto timers = world.timers;
  std::array<Height, kMaxSeats> tops{};
  for (unsigned s = 0; s < seat_count; ++s) tops[s] = world.commits.top_of(static_cast<Seat>(s));
  for (unsigned s = 0; s < seat_count; ++s) {
    const unsigned to = index_of(map.seat[s]);
    world.states[to] = states[s];
    relabel(world.states[to], map);
    world.timers[to] = timers[s];
    world.commits.assume_top_of(map.seat[s], tops[s]);
  }
  relabel(world.down, map);
  for (unsigned i = 0; i < world.pending_count; ++i) {
    auto& post = world.pending[i].post;
    relabel(post.message, map);
    relabel(post.from, map);
    relabel(post.to, map);
    relabel(post.subject, map);
  }
}

template <class Message>
void write_pending(ByteWriter& writer, const Pending<Message>& item) {
  writer.write(item.post.message);
  writer.write(item.post.from);
  writer.write(item.post.to);
  writer.write(item.wait);
  writer.write(item.due);
}

// The name of all that there is in a world and can matter for how it goes on.
template <Protocol P>
Fingerprint name_of_world(ByteWriter& writer, const World<P>& world, unsigned seat_count) {
  std::array<Fingerprint, kMaxSeats + 2> parts{};
  for (unsigned s = 0; s < seat_count; ++s) {
    writer.clear();
    writer.write(world.states[s]);
    writer.write(world.timers[s]);
    writer.write(world.incarnation[s]);
    parts[s] = writer.fingerprint();
  }
  for (unsigned i = 0; i < world.pending_count; ++i) {
    writer.clear();
    writer.write(parts[kMaxSeats]);
    write_pending(writer, world.pending[i]);
    parts[kMaxSeats] = writer.fingerprint();
  }
  writer.clear();
  for (unsigned h = 0; h <= world.commits.top().number; ++h) writer.write(world.commits.at(Height(h)));
  writer.write(world.commits.conflict().found);
  writer.write(world.down);
  writer.write(world.amnesiac);
  writer.write(world.overflowed);
  parts[kMaxSeats + 1] = writer.fingerprint();
  return fingerprint_of(parts.data(), sizeof parts);
}

// Messages that wait are a set: the order in which they were sent does not matter, since batches are sorted.
template <Protocol P>
void sort_pending(World<P>& world) {
  std::sort(world.pending.begin(), world.pending.begin() + world.pending_count, [](const auto& a, const auto& b) {
    return std::tuple(a.post.round, a.post.subject, a.post.kind, a.post.from) <
           std::tuple(b.post.round, b.post.subject, b.post.kind, b.post.from);
  });
}

// Which neighbours among the interchangeable seats could change places without changing the world: bit i for the i-th
// and the next. They must be equal, and nobody may know one but not the other. It asks what renaming asks.
template <Protocol P>
std::uint32_t symmetry_of(const World<P>& world, const Renamings& renamings, unsigned seat_count) {
  const auto& seats = renamings.interchangeable();
  if (seats.size() < 2) return 0;
  std::uint32_t symmetry = 0;
  for (std::size_t i = 0; i + 1 < seats.size(); ++i) {
    const unsigned a = index_of(seats[i]);
    const unsigned b = index_of(seats[i + 1]);
    const bool equal = std::memcmp(&world.states[a], &world.states[b], sizeof world.states[a]) == 0 &&
                       world.timers[a] == world.timers[b] &&
                       world.commits.top_of(seats[i]) == world.commits.top_of(seats[i + 1]) &&
                       world.down.contains(seats[i]) == world.down.contains(seats[i + 1]);
    symmetry |= (equal ? 1U : 0U) << i;
  }
  const auto exclude = [&](IdentitySet set) {
    for (std::size_t i = 0; i + 1 < seats.size(); ++i) {
      const auto has = [&](Seat seat) { return set.contains(static_cast<Identity>(index_of(seat))); };
      if (has(seats[i]) != has(seats[i + 1])) symmetry &= ~(1U << i);
    }
  };
  for (unsigned s = 0; s < seat_count && symmetry != 0; ++s) for_each_name(world.states[s], exclude);
  for (unsigned p = 0; p < world.pending_count; ++p) {
    for_each_name(world.pending[p].post.message, exclude);
    for (std::size_t i = 0; i + 1 < seats.size(); ++i) {
      const SeatSet to = world.pending[p].post.to;
      const Seat from = world.pending[p].post.from;
      if (to.contains(seats[i]) != to.contains(seats[i + 1]) || from == seats[i] || from == seats[i + 1])
        symmetry &= ~(1U << i);
    }
  }
  return symmetry;
}

}  // namespace nika
