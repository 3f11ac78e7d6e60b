// For the tests of this folder: a run that is made up, fact by fact, and shown to one property.
#pragma once

#include <array>

#include "nika/model/property.hpp"
#include "nika/properties/all.hpp"

namespace nika {

inline constexpr ValueId kFirst{Round(1), Seat{0}, 0};
inline constexpr ValueId kSecond{Round(1), Seat{4}, 0};

// What a made-up protocol, of which three votes make a certificate, tells of a replica. A block extends those of its
// own seat that are lower.
struct PlantedSeat {
  Progress progress{};
  Round view{};
  unsigned requests = 0;  // told by kCountingInsight
};
inline constexpr Insight kPlantedInsight{
    .blocked = [](const void*, const Context*, unsigned) { return std::string_view(); },
    .progress = [](const void* seats, const Context*,
                   unsigned seat) { return static_cast<const PlantedSeat*>(seats)[seat].progress; },
    .extends = [](const void*, unsigned, Held block,
                  Held ancestor) { return block.value == ancestor.value && block.height >= ancestor.height; },
    .certificate_votes = [](const Context*) { return 3; },
    .current_round = [](const void* seats, unsigned seat) { return static_cast<const PlantedSeat*>(seats)[seat].view; },
};
inline constexpr Insight kCountingInsight = [] {
  Insight insight = kPlantedInsight;
  insight.requests = [](const void* seats, unsigned seat) {
    return static_cast<const PlantedSeat*>(seats)[seat].requests;
  };
  return insight;
}();

// Four nodes, A with a twin; nothing was committed, and B leads every round. A protocol that decides within two rounds
// of healing, unless told otherwise.
class PlantedRun {
 public:
  explicit PlantedRun(const Property& property, unsigned node_count = 4) : monitors_(only(property)) {
    const std::array<std::uint8_t, 1> copies{2};
    cluster = *make_cluster(node_count, copies);
    leaders.fill(IdentitySet{Identity{1}});
    promises.heal_rounds = 2;
    monitors_.begin(states_, sight());
  }

  void commit(Seat seat, unsigned height, ValueId value) {
    commits.record(seat, {Height(height), value});
    monitors_.committed(states_, sight(), seat, {Height(height), value});
  }
  void commit_all(unsigned height, ValueId value = kFirst) {
    for (Seat seat : cluster.honest_seats()) commit(seat, height, value);
  }
  // From now on every honest node leads every round, which is as fair as it gets.
  void all_lead() { leaders.fill(cluster.identities() - cluster.compromised); }
  // Rounds that the network is not healed in, and rounds that it is.
  void pass(unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) pass_one();
  }
  // Some of several ticks in one view.
  void tick(unsigned ticks = 1) {
    for (unsigned i = 0; i < ticks; ++i) {
      ++time;
      monitors_.passed(states_, sight());
    }
  }
  void heal(unsigned rounds) {
    if (healing_since == Round(0)) healing_since = now.next();
    pass(rounds);
  }

  bool can_fold() const { return monitors_.can_fold(states_, sight()); }
  // Heights are counted anew, so that the last one is this.
  void fold(unsigned top) {
    commits.clear();
    for (unsigned height = 1; height <= top; ++height) commits.assume(Height(height), kFirst);
    monitors_.folded(states_, sight());
  }

  Sight sight() const {
    Sight result(cluster, commits, leaders);
    result.promises = promises;
    result.now = now;
    result.healing_since = healing_since;
    result.last_round = last_round;
    result.down = down;
    result.amnesiac = amnesiac;
    result.overflowed = overflowed;
    result.is_asynchronous = is_asynchronous;
    result.is_quiet = is_quiet;
    result.is_at_rest = is_at_rest;
    result.time = time;
    result.delta_ticks = delta_ticks;
    if (insight != nullptr) result.show(*insight, seats.data(), nullptr);
    return result;
  }
  Judgement judged() const {
    Outcome outcome;
    monitors_.judge(states_, sight(), outcome);
    return outcome.judgements[0];
  }
  bool is_settled() const { return monitors_.are_settled(states_, sight()); }
  Verdict verdict() const { return judged().verdict; }
  Unjudged unjudged() const { return judged().unjudged; }

  Cluster cluster;
  CommitLog commits;
  LeaderTable leaders{};
  Promises promises{};
  Round now{};
  Round healing_since{};
  Round last_round{};
  SeatSet down{};
  SeatSet amnesiac{};
  bool overflowed = false;
  bool is_asynchronous = false;
  bool is_quiet = false;
  bool is_at_rest = false;
  Ticks delta_ticks = 0;                       // of a timed run
  std::uint32_t time = 0;                      // counts rounds unless it is set
  std::array<PlantedSeat, kMaxSeats> seats{};  // what a protocol tells of them
  const Insight* insight = &kPlantedInsight;   // that protocol; without it, none tells anything

 private:
  void pass_one() {
    now = now.next();
    ++time;
    monitors_.passed(states_, sight());
  }

  Monitors monitors_;
  MonitorStates states_{};
};

}  // namespace nika
