// Follows runs by a map: a small class that says where a replica is by its state, and what its messages count for; the
// concept below lists what it has. Runs of the protocol are watched between any two steps, and never changed.
#pragma once

#include <fmt/format.h>

#include "nika/conform/names.hpp"
#include "nika/conform/pair.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"
#include "nika/sim/step_network.hpp"

namespace nika::conform {

// A map is made of the automaton's names. A Key is what is followed by itself, such as one value of several.
template <class Map>
concept MapOfReplicas =
    requires(const Map& map, Names& names, const Event& event, const typename Map::Key& key, Seat seat,
             const typename Map::Protocol::State& state, const Context& context, std::span<const Event> window) {
      { Map::kModel } -> std::convertible_to<std::string_view>;
      { Map::kRoles } -> std::convertible_to<unsigned>;
      { Map(names) };
      // What a message that was sent is about, and which shared variable it counts for, once for each sender.
      { map.key_of(event) } -> std::same_as<std::optional<typename Map::Key>>;
      { map.variable_of(event) } -> std::same_as<std::optional<std::uint32_t>>;
      { map.start() } -> std::same_as<Roles>;
      // Where its roles may have been before, were on their way, and are now; `window` is what has happened since.
      { map.seen(key, seat, state, window) } -> std::same_as<Seen>;
    };

// Between two looks each replica handles only what was sent before the first: which of them did so first does not
// matter, and guards must hold without what the others have sent since.
template <MapOfReplicas Map>
class Observer final : public Arranger<typename Map::Protocol> {
  using P = typename Map::Protocol;
  using Key = typename Map::Key;

 public:
  using typename Arranger<P>::Letters;
  Observer(const Map& map, const Followed& followed, const Cluster& cluster)
      : map_(map), followed_(followed), honest_(cluster.honest_seats() & SeatSet::first(cluster.seat_count)) {
    move_.sent.resize(followed_.automaton->shared.size());
  }

  Trace trace{};
  FollowedRun result{};

  void begin() {
    trace.clear();
    follower_count_ = 0;
    result = {};
  }
  void arrange(const World<P>& world, Seat, Letters) override { look(world); }
  void look(const World<P>& world) {
    if (!world.amnesiac.empty()) result.was_cut_short = true;
    if (!result.misfit && !result.was_cut_short) follow(world);
    trace.clear();
  }
  const std::vector<std::uint64_t>& taken() const { return followed_.taken; }

 private:
  struct One {
    Key key{};
    Follower follower{};
    std::array<std::uint64_t, kMaxSeats> has_sent{};  // shared variables, by position
  };

  void follow(const World<P>& world) {
    for (const Event& event : trace) {
      if (!honest_.contains(event.seat)) continue;
      result.steps += event.kind == EventKind::kDelivered || event.kind == EventKind::kExpired ? 1 : 0;
      if (event.kind == EventKind::kSent) know(event);
    }
    for (std::size_t i = 0; i < follower_count_ && !result.misfit; ++i) {
      unsigned replica = 0;
      for (Seat seat : honest_) move(world, ones_[i], seat, replica++);
    }
  }
  void know(const Event& event) {
    const auto key = map_.key_of(event);
    if (!key) return;
    for (std::size_t i = 0; i < follower_count_; ++i) {
      if (ones_[i].key == *key) return;
    }
    if (follower_count_ == ones_.size()) ones_.emplace_back();
    One& one = ones_[follower_count_++];
    one.key = *key;
    one.has_sent = {};
    one.follower.begin(followed_, map_.start(), static_cast<unsigned>(honest_.size()));
  }
  void move(const World<P>& world, One& one, Seat seat, unsigned replica) {
    if (result.misfit) return;
    const unsigned s = index_of(seat);
    std::ranges::fill(move_.sent, std::uint8_t{0});
    for (const Event& event : trace) {
      if (event.kind != EventKind::kSent || event.seat != seat || map_.key_of(event) != one.key) continue;
      const auto variable = map_.variable_of(event);
      if (!variable || (one.has_sent[s] >> *variable & 1U) != 0) continue;
      one.has_sent[s] |= std::uint64_t{1} << *variable;
      ++move_.sent[*variable];
      ++result.moves;
    }
    move_.seen = map_.seen(one.key, seat, world.states[s], trace);
    if (!one.follower.take(followed_, replica, move_))
      result.misfit = Misfit{seat, trace.empty() ? 0 : trace.back().time, one.follower.objection()};
  }

  const Map& map_;
  Followed followed_;
  const SeatSet honest_;
  std::vector<One> ones_;
  std::size_t follower_count_ = 0;
  Move move_;
};

template <MapOfReplicas Map, class Network>
class SessionFor final : public Session {
  using P = typename Map::Protocol;

 public:
  SessionFor(const Map& map, const Followed& followed, const Cluster& cluster)
      : map_(map), network_(cluster, only(kAgreement)), observer_(map_, followed, cluster) {}

  // To its end: what a property has settled does not settle whether a later step fits. A full buffer loses a message,
  // which networks of the automaton may not: such a run is followed until then.
  FollowedRun run(Schedule& schedule) override {
    observer_.begin();
    network_.trace = &observer_.trace;
    network_.arranger = &observer_;
    network_.start(*world_, schedule);
    observer_.look(*world_);
    while (!observer_.result.misfit && !world_->overflowed && network_.advance(*world_, schedule))
      observer_.look(*world_);
    observer_.result.was_cut_short |= world_->overflowed;
    return observer_.result;
  }
  const std::vector<std::uint64_t>& taken() const override { return observer_.taken(); }

 private:
  const Map map_;
  Network network_;
  Observer<Map> observer_;
  std::unique_ptr<World<P>> world_ = std::make_unique<World<P>>();
};

}  // namespace nika::conform
