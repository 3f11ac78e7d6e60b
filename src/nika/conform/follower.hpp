// Follows a run of a protocol in a threshold automaton: after each step of a replica its processes must be where rules
// of the automaton lead, and these rules must account for what it has sent. Knows nothing of protocols.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nika/automata/interpreter.hpp"

namespace nika::conform {

// Locations of an automaton by their position in Automaton::locations.
class LocationSet {
 public:
  static constexpr std::size_t kMost = 64;
  constexpr LocationSet() = default;
  constexpr LocationSet(std::initializer_list<std::uint32_t> locations) {
    for (const std::uint32_t location : locations) bits_ |= std::uint64_t{1} << location;
  }
  static constexpr LocationSet all() { return LocationSet(~std::uint64_t{0}); }
  constexpr bool contains(std::uint32_t location) const { return (bits_ >> location & 1U) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool intersects(LocationSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr void insert(std::uint32_t location) { bits_ |= std::uint64_t{1} << location; }
  constexpr LocationSet operator-(LocationSet other) const { return LocationSet(bits_ & ~other.bits_); }
  constexpr bool operator==(const LocationSet&) const = default;

 private:
  constexpr explicit LocationSet(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

// A replica is one process of the automaton, or several: one for each role that the automaton tells apart.
inline constexpr unsigned kMaxRoles = 4;
using Roles = std::array<LocationSet, kMaxRoles>;

// What is seen of one step of a replica.
struct Seen {
  Roles before{LocationSet::all(), LocationSet::all(), LocationSet::all(),
               LocationSet::all()};  // where it may have been
  Roles
      through{};  // a role that moves has been in one of these on its way, or where it began; none: it does not matter
  Roles after{};  // where it is now
};
struct Move {
  Seen seen{};
  std::vector<std::uint8_t> sent{};  // by shared variable: how much it has added
};

// The values of the parameters, and how often each rule was taken.
struct Followed {
  const automata::Automaton* automaton = nullptr;
  automata::Configuration parameters;  // with as many zeros behind them as there are other variables
  unsigned role_count = 1;
  std::vector<std::uint64_t> taken;  // by rule
};

// An error says which number of the parameters does not satisfy an assumption, or what the automaton has that cannot
// be followed: guards over locations, or more locations than a set has room for.
Result<Followed> followed(const automata::Automaton& automaton, std::span<const std::int64_t> parameters,
                          unsigned role_count);
// Whether so many replicas may begin there, each anywhere in the sets of its roles.
Result<void> check_start(const Followed& followed, const Roles& start, unsigned replicas);

class Follower {
 public:
  // All replicas begin there, and nothing has been sent.
  void begin(const Followed& followed, const Roles& start, unsigned replicas);
  // Each begins where its own sets say.
  void begin(const Followed& followed, std::span<const Roles> starts);
  // The rules of the shortest way that explains the move are counted in `followed`. Nothing is known any more after a
  // move that no rules explain.
  bool take(Followed& followed, unsigned replica, const Move& move);
  // Whether some role of the replica may be at this location, by its position.
  bool may_be_in(const Followed& followed, unsigned replica, std::uint32_t location) const;
  // Of the last move that was taken: the rules, in their order.
  const std::vector<std::uint32_t>& rules_taken() const { return rules_taken_; }
  // Why it could not take the move, in one line.
  const std::string& objection() const { return objection_; }

 private:
  using Place = std::array<std::uint8_t, kMaxRoles>;  // of each role
  // A way to explain a move, as far as it goes.
  struct Way {
    Place place{};
    Roles visited{};
    std::vector<std::uint8_t> sent;
    std::uint32_t rule = 0;        // the last one
    std::size_t previous = kNone;  // way
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  static std::vector<Place> places_in(const Followed& followed, const Roles& start);
  static bool is_in(const Followed& followed, const Place& place, const Roles& sets);
  bool stays(const Followed& followed, const std::vector<Place>& places, const Move& move) const;
  bool explains(const Followed& followed, const Way& way, const Move& move) const;
  void extend(const Followed& followed, std::size_t way, const Move& move);
  bool add_way(Way way);
  void object(const Followed& followed, const std::vector<Place>& places, const Move& move);

  automata::Configuration now_;             // parameters and what was sent; counters of locations stay 0
  std::vector<std::vector<Place>> places_;  // by replica: wherever it may be
  std::vector<Way> ways_;
  std::vector<std::uint32_t> rules_taken_;
  std::string objection_;
};

}  // namespace nika::conform
