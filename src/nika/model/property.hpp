// A property is a value: a name, and a monitor. A monitor is plain state inside the world (so it is copied, compared
// and hashed with it) that sees what honest seats commit and every network round, tick or step that passes, and judges
// at the end. Monitors know nothing of each other and never change a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
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
  std::uint8_t resilience = 3;        // more than so many times f nodes are needed
  std::uint8_t decision_deltas = 0;   // of a timed run: Δ in the view of an honest leader until all have decided anew
  bool is_responsive = true;          // every view of an honest leader decides once the network has healed
  bool repeats_values = false;        // a leader proposes its value again, height after height
  bool outlasts_liars = true;         // heal_rounds are enough whatever liars do in them
};

// What only the protocol can tell of its replicas. One for each protocol; where it is, it is known which it is.
struct Insight {
  using States = const void*;
  std::string_view (*blocked)(States, const Context*, unsigned seat) = nullptr;
  Progress (*progress)(States, const Context*, unsigned seat) = nullptr;  // null: the protocol does not tell
  bool (*extends)(States, unsigned seat, Held block, Held ancestor) = nullptr;
  int (*certificate_votes)(const Context*) = nullptr;
  Round (*current_round)(States, unsigned seat) = nullptr;
  unsigned (*requests)(States, unsigned seat) = nullptr;  // see Sight; null: the protocol does not tell
};
template <class P>
constexpr Insight insight_of() {
  using State = typename P::State;
  Insight insight;
  insight.blocked = [](const void* states, const Context* contexts, unsigned seat) {
    return nika::blocked<P>(static_cast<const State*>(states)[seat], contexts[seat]);
  };
  if constexpr (kTellsProgress<P>) {
    insight.progress = [](const void* states, const Context* contexts, unsigned seat) {
      return nika::progress<P>(static_cast<const State*>(states)[seat], contexts[seat]);
    };
  }
  insight.extends = [](const void* states, unsigned seat, Held block, Held ancestor) {
    return nika::extends<P>(static_cast<const State*>(states)[seat], block, ancestor);
  };
  insight.certificate_votes = [](const Context* contexts) { return nika::certificate_votes<P>(contexts[0]); };
  if constexpr (requires(const State& state) { P::current_round(state); }) {
    insight.current_round = [](const void* states, unsigned seat) {
      return P::current_round(static_cast<const State*>(states)[seat]);
    };
  }
  if constexpr (requires(const State& state) { P::requests(state); }) {
    insight.requests = [](const void* states, unsigned seat) -> unsigned {
      return P::requests(static_cast<const State*>(states)[seat]);
    };
  }
  return insight;
}
template <class P>
inline constexpr Insight kInsight = insight_of<P>();

// All that a monitor can see of a run at one moment.
struct Sight {
  Sight(const Cluster& the_cluster, const CommitLog& the_commits, const LeaderTable& the_leaders)
      : cluster(the_cluster), commits(the_commits), leaders_(the_leaders) {}

  const Cluster& cluster;
  const CommitLog& commits;
  Promises promises{};
  Round now{};             // the network round; of a timed run, the highest view of an honest seat
  Round healing_since{};   // the first healing round; 0 if the network has not healed
  Round last_round{};      // of the schedule, if it has rounds
  std::uint32_t time = 0;  // network rounds, ticks or steps that have passed
  Ticks delta_ticks = 0;   // Δ of a timed run, 0 in others
  SeatSet down{};
  SeatSet amnesiac{};  // that lost their memory at some time
  bool overflowed = false;
  bool is_asynchronous = false;  // in steps: there are no rounds
  bool is_quiet = false;         // of an asynchronous run: all that was sent has arrived
  bool is_at_rest = false;       // nothing is on its way and no timer runs; found out only for a property that asks

  // Who led a round that has begun; the first one begins with the run. Who will lead later may still be chosen.
  IdentitySet leaders_of(Round round) const {
    NIKA_REQUIRE(round <= std::max(now, Round(1)));
    return leaders_[round.number];
  }

  // Whether honest nodes lead a round, and nobody else.
  bool is_led_by_honest(Round round, IdentitySet faulty) const {
    const IdentitySet leaders = leaders_of(round);
    return !leaders.empty() && (leaders & faulty).empty();
  }
  // Of a timed run: the ticks after which the view of an honest leader has decided; 0 if the protocol does not say.
  std::uint32_t decision_ticks() const { return std::uint32_t{promises.decision_deltas} * delta_ticks; }

  // What the replicas are, for those who know the protocol; nothing if it is another one.
  template <class P>
  std::span<const typename P::State> states() const {
    if (insight_ != &kInsight<P>) return {};
    return {static_cast<const typename P::State*>(states_), cluster.seat_count};
  }
  // Why this seat can never make a valid proposal again; nothing if it can, or if the protocol cannot tell.
  std::string_view blocked(Seat seat) const {
    return insight_ == nullptr ? std::string_view() : insight_->blocked(states_, contexts_, index_of(seat));
  }
  // What it has prepared, locked and executed, of a protocol that tells.
  bool tells_progress() const { return insight_ != nullptr && insight_->progress != nullptr; }
  Progress progress(Seat seat) const { return insight_->progress(states_, contexts_, index_of(seat)); }
  // Whether a block that the seat holds is a descendant of another one, or the same.
  bool extends(Seat seat, Held block, Held ancestor) const {
    return insight_->extends(states_, index_of(seat), block, ancestor);
  }
  int certificate_votes() const { return insight_->certificate_votes(contexts_); }
  // The view that the seat is in.
  bool tells_rounds() const { return insight_ != nullptr && insight_->current_round != nullptr; }
  Round current_round(Seat seat) const { return insight_->current_round(states_, index_of(seat)); }
  // How many requests a client has made, of a protocol that tells. Where there are no clients: how many values a
  // replica has named, of a protocol that numbers them otherwise than by views.
  bool tells_requests() const { return insight_ != nullptr && insight_->requests != nullptr; }
  unsigned requests(Seat seat) const { return insight_->requests(states_, index_of(seat)); }

  template <class P>
  void show(const typename P::State* states, const Context* contexts) {
    show(kInsight<P>, states, contexts);
  }
  void show(const Insight& insight, const void* states, const Context* contexts) {
    insight_ = &insight;
    states_ = states;
    contexts_ = contexts;
  }

  // Replicas that are no longer bound to the protocol, whoever else is.
  IdentitySet faulty() const {
    IdentitySet result = cluster.compromised;
    for (Seat seat : amnesiac - cluster.client_seats()) result.insert(cluster.identity(seat));
    return result;
  }
  // The same, with those that are down.
  IdentitySet faulty_or_down() const {
    IdentitySet result = faulty();
    for (Seat seat : down - cluster.client_seats()) result.insert(cluster.identity(seat));
    return result;
  }
  // Why nothing is promised while these are faulty; kJudged if something is.
  Unjudged excess_of(IdentitySet faulty) const {
    if (!has_threshold()) return Unjudged::kNoSuchThreshold;
    return is_within_threshold(faulty) ? Unjudged::kJudged : Unjudged::kTooManyFaulty;
  }
  bool is_within_threshold(IdentitySet faulty) const { return faulty.size() <= cluster.fault_count; }
  // Whether there are enough nodes for the f that is assumed.
  bool has_threshold() const { return cluster.node_count > promises.resilience * cluster.fault_count; }

 private:
  const LeaderTable& leaders_;
  const Insight* insight_ = nullptr;
  const void* states_ = nullptr;
  const Context* contexts_ = nullptr;
};

struct Property {
  std::string_view name;
  std::string_view summary;  // one line for people
  std::size_t bytes = 0;     // of the monitor in the world
  bool names_nobody =
      false;  // while the network has not healed, the monitor's state names no seat: nodes may be renamed
  void (*begin)(void* monitor, const Sight& sight) = nullptr;
  void (*committed)(void* monitor, const Sight& sight, Seat seat, Commit commit) = nullptr;  // by an honest seat
  void (*passed)(void* monitor, const Sight& sight, unsigned limit) = nullptr;  // a round, a tick or a step is over
  // Whether nothing that can still happen changes the judgement.
  bool (*is_settled)(const void* monitor, const Sight& sight, unsigned limit) = nullptr;
  Judgement (*judge)(const void* monitor, const Sight& sight, unsigned limit) = nullptr;
  // Whether what the monitor remembers can be taken from a world anew in which heights are counted anew, and how. Null:
  // never; see explore/canonical.hpp.
  bool (*can_fold)(const void* monitor, const Sight& sight) = nullptr;
  void (*folded)(void* monitor, const Sight& sight) = nullptr;
  unsigned limit = 0;             // how much is too much, for a property that counts something
  std::string_view limit_name{};  // what it counts; empty if there is no limit
  unsigned usual_limit = 0;       // if nobody says another
  bool only_by_name = false;      // "all" does not mean this one
  bool asks_for_rest = false;     // wants Sight::is_at_rest

  // The same property with another limit. The result must outlive every run that is judged by it.
  constexpr Property with_limit(unsigned other) const {
    Property result = *this;
    result.limit = other;
    return result;
  }
};

inline constexpr std::size_t kMonitorBytes = 512;  // of all monitors of a run together

// Makes a property of a monitor: a trivially copyable class with
//   Judgement judge(const Sight&) const;
// and, as far as it needs them,
//   void committed(const Sight&, Seat, Commit);  void passed(const Sight&);  bool is_settled(const Sight&) const;
// where each of the last two, and judge, may also want the property's limit as a second argument, and
//   bool can_fold(const Sight&) const;  void folded(const Sight&);
//   static constexpr bool kNamesNobody = true;  static constexpr bool kOnlyByName = true;
//   static constexpr bool kAsksForRest = true;
//   static constexpr unsigned kUsualLimit = 5;  static constexpr std::string_view kLimitName = "rounds";
template <class Monitor>
constexpr Property property_of(std::string_view name, std::string_view summary) {
  static_assert(std::is_trivially_copyable_v<Monitor> && sizeof(Monitor) <= kMonitorBytes);
  static_assert(std::is_empty_v<Monitor> || std::has_unique_object_representations_v<Monitor>,
                "a monitor is hashed as bytes and must have no padding");
  Property property{name, summary, std::is_empty_v<Monitor> ? 0 : sizeof(Monitor)};
  property.names_nobody = std::is_empty_v<Monitor>;
  if constexpr (requires { Monitor::kNamesNobody; }) property.names_nobody = Monitor::kNamesNobody;
  if constexpr (requires { Monitor::kOnlyByName; }) property.only_by_name = Monitor::kOnlyByName;
  if constexpr (requires { Monitor::kAsksForRest; }) property.asks_for_rest = Monitor::kAsksForRest;
  if constexpr (requires { Monitor::kUsualLimit; }) {
    property.limit = property.usual_limit = Monitor::kUsualLimit;
    property.limit_name = Monitor::kLimitName;
  }
  property.begin = [](void* monitor, const Sight&) { new (monitor) Monitor(); };
  if constexpr (requires(Monitor m, const Sight& s) { m.committed(s, Seat{}, Commit{}); }) {
    property.committed = [](void* m, const Sight& s, Seat seat, Commit commit) {
      static_cast<Monitor*>(m)->committed(s, seat, commit);
    };
  }
  if constexpr (requires(Monitor m, const Sight& s) { m.passed(s); }) {
    property.passed = [](void* m, const Sight& s, unsigned) { static_cast<Monitor*>(m)->passed(s); };
  } else if constexpr (requires(Monitor m, const Sight& s) { m.passed(s, 0U); }) {
    property.passed = [](void* m, const Sight& s, unsigned limit) { static_cast<Monitor*>(m)->passed(s, limit); };
  }
  if constexpr (requires(Monitor m, const Sight& s) { m.folded(s); }) {
    property.can_fold = [](const void* m, const Sight& s) { return static_cast<const Monitor*>(m)->can_fold(s); };
    property.folded = [](void* m, const Sight& s) { static_cast<Monitor*>(m)->folded(s); };
  }
  property.is_settled = [](const void* m, const Sight& s, [[maybe_unused]] unsigned limit) {
    if constexpr (requires(const Monitor monitor) { monitor.is_settled(s); }) {
      return static_cast<const Monitor*>(m)->is_settled(s);
    } else if constexpr (requires(const Monitor monitor) { monitor.is_settled(s, limit); }) {
      return static_cast<const Monitor*>(m)->is_settled(s, limit);
    } else {
      return false;
    }
  };
  property.judge = [](const void* m, const Sight& s, [[maybe_unused]] unsigned limit) {
    if constexpr (requires(const Monitor monitor) { monitor.judge(s); }) {
      return static_cast<const Monitor*>(m)->judge(s);
    } else {
      return static_cast<const Monitor*>(m)->judge(s, limit);
    }
  };
  return property;
}

// Its name, and its limit if that is not the usual one: "temperature", "temperature:3".
std::string title_of(const Property& property);

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
  bool watch() const { return watch_; }
  bool ask_for_rest() const { return asks_for_rest_; }

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
      const Property& property = *properties_[i];
      if (property.passed != nullptr) property.passed(states.data() + offsets_[i], sight, property.limit);
    }
  }
  bool can_fold(const MonitorStates& states, const Sight& sight) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& property = *properties_[i];
      if (property.can_fold != nullptr && !property.can_fold(states.data() + offsets_[i], sight)) return false;
    }
    return true;
  }
  void folded(MonitorStates& states, const Sight& sight) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& property = *properties_[i];
      if (property.folded != nullptr) property.folded(states.data() + offsets_[i], sight);
    }
  }
  // All that were asked for are settled; a full buffer settles everything.
  bool are_settled(const MonitorStates& states, const Sight& sight) const {
    if (sight.overflowed) return true;
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& property = *properties_[i];
      if (!property.is_settled(states.data() + offsets_[i], sight, property.limit)) return false;
    }
    return true;
  }
  // A violation stands whatever happened after it; everything else is unknown once a buffer was full.
  void judge(const MonitorStates& states, const Sight& sight, Outcome& outcome) const;

 private:
  Properties properties_{};
  std::array<std::size_t, kMaxProperties> offsets_{};
  std::size_t words_ = 0;
  bool listens_ = false;        // whether commits are told one by one
  bool watch_ = false;          // whether any of them sees what passes
  bool asks_for_rest_ = false;  // whether any of them wants to know that nothing can happen any more
};

}  // namespace nika
