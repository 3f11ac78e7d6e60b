// A property is a value: a name, and a monitor. A monitor is plain state inside the world (so it is copied, compared
// and hashed with it) that sees what honest seats commit and every network round, tick or step that passes, and judges
// at the end. Monitors know nothing of each other and never change a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "nika/model/cluster.hpp"
#include "nika/model/commit_log.hpp"
#include "nika/model/links.hpp"
#include "nika/model/outcome.hpp"

namespace nika {

// What a protocol says of itself that properties have to know.
struct Promises {
  bool is_single_shot = false;        // one decision for each seat, instead of a growing log
  bool is_broadcast = false;          // only the leader of round 1 ever proposes
  std::uint8_t leaders_in_a_row = 1;  // honest ones that it takes to decide something
  std::uint8_t heal_rounds = 0;       // of healing, led by them, after which every honest seat has decided anew
};

// All that a monitor can see of a run at one moment.
struct Sight {
  Sight(const Cluster& the_cluster, const CommitLog& the_commits, const LeaderTable& the_leaders)
      : cluster(the_cluster), commits(the_commits), leaders(the_leaders) {}

  const Cluster& cluster;
  const CommitLog& commits;
  const LeaderTable& leaders;
  Promises promises{};
  Round now{};            // the network round; of a timed run, the highest view of an honest seat
  Round healing_since{};  // the first healing round; 0 if the network has not healed
  SeatSet down{};
  SeatSet amnesiac{};  // that lost their memory at some time
  bool overflowed = false;
  bool is_quiet = false;  // of an asynchronous run: all that was sent has arrived

  // What the replicas are, for those who know the protocol; nothing if it is another one.
  template <class P>
  std::span<const typename P::State> states() const {
    if (protocol_ != &kProtocolTag<P>) return {};
    return {static_cast<const typename P::State*>(states_), cluster.seat_count};
  }
  // Why this seat can never make a valid proposal again; nothing if it can, or if the protocol cannot tell.
  std::string_view blocked(Seat seat) const { return blocked_(*this, seat); }

  template <class P>
  void show(const typename P::State* states, const Context* contexts) {
    protocol_ = &kProtocolTag<P>;
    states_ = states;
    contexts_ = contexts;
    blocked_ = [](const Sight& sight, Seat seat) {
      return nika::blocked<P>(static_cast<const typename P::State*>(sight.states_)[index_of(seat)],
                              sight.contexts_[index_of(seat)]);
    };
  }

  // Identities that are no longer bound to the protocol, whoever else is.
  IdentitySet faulty() const {
    IdentitySet result = cluster.compromised;
    for (Seat seat : amnesiac) result.insert(cluster.identity(seat));
    return result;
  }
  bool is_within_threshold(IdentitySet faulty) const { return faulty.size() <= cluster.fault_count; }

 private:
  template <class P>
  static constexpr char kProtocolTag = 0;

  const void* protocol_ = nullptr;
  const void* states_ = nullptr;
  const Context* contexts_ = nullptr;
  std::string_view (*blocked_)(const Sight&, Seat) = [](const Sight&, Seat) { return std::string_view(); };
};

struct Property {
  std::string_view name;
  std::string_view summary;  // one line for people
  std::size_t bytes = 0;     // of the monitor in the world
  bool names_nobody =
      false;  // while the network has not healed, the monitor's state names no seat: nodes may be renamed
  void (*begin)(void* monitor, const Sight& sight) = nullptr;
  void (*committed)(void* monitor, const Sight& sight, Seat seat, Commit commit) = nullptr;  // by an honest seat
  void (*passed)(void* monitor, const Sight& sight) = nullptr;  // a network round, a tick or a step is over
  // Whether nothing that can still happen changes the judgement.
  bool (*is_settled)(const void* monitor, const Sight& sight) = nullptr;
  Judgement (*judge)(const void* monitor, const Sight& sight) = nullptr;
};

inline constexpr std::size_t kMonitorBytes = 256;  // of all monitors of a run together

// Makes a property of a monitor: a trivially copyable class with
//   Judgement judge(const Sight&) const;
// and, as far as it needs them,
//   void committed(const Sight&, Seat, Commit);  void passed(const Sight&);  bool is_settled(const Sight&) const;
//   static constexpr bool kNamesNobody = true;
template <class Monitor>
constexpr Property property_of(std::string_view name, std::string_view summary) {
  static_assert(std::is_trivially_copyable_v<Monitor> && sizeof(Monitor) <= kMonitorBytes);
  static_assert(std::is_empty_v<Monitor> || std::has_unique_object_representations_v<Monitor>,
                "a monitor is hashed as bytes and must have no padding");
  Property property{name, summary, std::is_empty_v<Monitor> ? 0 : sizeof(Monitor)};
  property.names_nobody = std::is_empty_v<Monitor>;
  if constexpr (requires { Monitor::kNamesNobody; }) property.names_nobody = Monitor::kNamesNobody;
  property.begin = [](void* monitor, const Sight&) { new (monitor) Monitor(); };
  if constexpr (requires(Monitor m, const Sight& s) { m.committed(s, Seat{}, Commit{}); }) {
    property.committed = [](void* m, const Sight& s, Seat seat, Commit commit) {
      static_cast<Monitor*>(m)->committed(s, seat, commit);
    };
  }
  if constexpr (requires(Monitor m, const Sight& s) { m.passed(s); }) {
    property.passed = [](void* m, const Sight& s) { static_cast<Monitor*>(m)->passed(s); };
  }
  property.is_settled = [](const void* m, const Sight& s) {
    if constexpr (requires(const Monitor monitor) { monitor.is_settled(s); }) {
      return static_cast<const Monitor*>(m)->is_settled(s);
    } else {
      return false;
    }
  };
  property.judge = [](const void* m, const Sight& s) { return static_cast<const Monitor*>(m)->judge(s); };
  return property;
}

// The properties that a run is judged by, in the order in which they were asked for.
using Properties = BoundedVector<const Property*, kMaxProperties>;

// The states of their monitors, one behind the other.
using MonitorStates = std::array<std::uint64_t, kMonitorBytes / 8>;

class Monitors {
 public:
  Monitors() = default;
  explicit Monitors(const Properties& properties);

  const Properties& properties() const { return properties_; }
  std::size_t words() const { return words_; }  // of the states
  bool listens() const { return listens_; }

  void begin(MonitorStates& states, const Sight& sight) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (properties_[i]->bytes > 0) properties_[i]->begin(states.data() + offsets_[i], sight);
    }
  }
  void committed(MonitorStates& states, const Sight& sight, Seat seat, Commit commit) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& property = *properties_[i];
      if (property.committed != nullptr) property.committed(states.data() + offsets_[i], sight, seat, commit);
    }
  }
  void passed(MonitorStates& states, const Sight& sight) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (properties_[i]->passed != nullptr) properties_[i]->passed(states.data() + offsets_[i], sight);
    }
  }
  // All that were asked for are settled; a full buffer settles everything.
  bool are_settled(const MonitorStates& states, const Sight& sight) const {
    if (sight.overflowed) return true;
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (!properties_[i]->is_settled(states.data() + offsets_[i], sight)) return false;
    }
    return true;
  }
  // A violation stands whatever happened after it; everything else is unknown once a buffer was full.
  void judge(const MonitorStates& states, const Sight& sight, Outcome& outcome) const;

 private:
  Properties properties_{};
  std::array<std::size_t, kMaxProperties> offsets_{};
  std::size_t words_ = 0;
  bool listens_ = false;  // whether commits are told one by one
};

}  // namespace nika
