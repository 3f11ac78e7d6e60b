// How runs with faults of protocol rounds ended that came to a world after their faults: from there on they are one
// run. Only the judgements of runs that break nothing are kept, a bounded number of them, and nothing is allocated
// while runs go on. It is exact: the name covers all that can matter for how a world goes on, and is judged.
#pragma once

#include <vector>

#include "nika/model/byte_writer.hpp"
#include "nika/model/schedule.hpp"
#include "nika/sim/world.hpp"

namespace nika {

// Whether none of these faults can come any more, whoever sends what. Outages end when the network heals.
template <Protocol P>
bool are_over(const Faults& faults, const World<P>& world, const Cluster& cluster, unsigned scheduled_rounds) {
  if (!world.block_names.empty()) return false;  // which the name of a world does not cover
  const bool heals = world.network_round.number >= scheduled_rounds;
  if (heals && !faults.go_on) return true;
  const auto& reached = world.hearsay.reached;
  if (!heals) {
    for (const Outage& outage : faults.outages) {
      for (unsigned s = 0; s < cluster.seat_count; ++s) {
        if (outage.partition.block_of[s] != Partition::kEverywhere && reached[s] <= outage.protocol_round) return false;
      }
    }
  }
  const unsigned watched = faults.watch == nullptr ? 0 : faults.watch->watches_until();
  if (watched > 0) {
    for (Seat seat : cluster.seats() - cluster.honest_seats()) {
      if (reached[index_of(seat)] <= watched) return false;
    }
  }
  const auto is_over = [&](const Lie& lie) { return reached[index_of(lie.from)] > lie.protocol_round; };
  return std::ranges::all_of(faults.lies, is_over);
}

// What can matter of commits and monitors for a future in which nothing is broken, see is_plain.
void write_judged(ByteWriter& writer, const CommitLog& commits, const MonitorStates& states,
                  const Properties& properties);

// Whether honest seats have committed one value at each height, and each value at one height. Then integrity is not
// broken, whatever each of them has committed itself: a commit would have to differ from the first one of its height,
// or to have the value of another height. A value may stand at two heights where leaders repeat it, or nobody made it.
bool is_plain(const CommitLog& commits, bool repeats_values);

// The name of a world, but for the time that has passed, and of all that is still to come of its schedule. Who was the
// first to commit at a height matters to a conflict only, and how far each seat has come to integrity only while that
// can be broken: futures that break nothing do without both.
template <Protocol P>
Fingerprint name_of_future(ByteWriter& writer, const World<P>& world, const Cluster& cluster,
                           const Properties& properties, std::uint64_t schedule) {
  using State = typename P::State;
  std::array<Fingerprint, kMaxSeats + 2> parts{};
  for (unsigned s = 0; s < cluster.seat_count; ++s) {
    if constexpr (std::has_unique_object_representations_v<State>) {
      parts[s] = fingerprint_of(&world.states[s], sizeof(State));
    } else {
      writer.clear();
      writer.write(world.states[s]);
      parts[s] = writer.fingerprint();
    }
  }
  for (unsigned i = 0; i < world.pending_count; ++i) {
    const Pending<typename P::Message>& item = world.pending[i];
    writer.clear();
    writer.write(parts[kMaxSeats]);
    writer.write(item.post.message);
    writer.write(item.post.from);
    writer.write(item.post.to);
    writer.write(item.wait);
    writer.write(item.wait == Wait::kForTick ? item.due - world.now_tick : item.due);
    parts[kMaxSeats] = writer.fingerprint();
  }
  writer.clear();
  for (unsigned s = 0; s < cluster.seat_count; ++s) {
    for (const Timer& timer : world.timers[s]) writer.write(timer.duration);
    writer.write(world.incarnation[s]);
  }
  for (unsigned s = 0; s < cluster.seat_count; ++s) writer.write(world.commits.top_of(static_cast<Seat>(s)));
  writer.write(world.down);
  writer.write(world.amnesiac);
  writer.write(world.network_round);
  writer.write(world.overflowed);
  write_judged(writer, world.commits, world.monitors, properties);
  writer.write(schedule);
  parts[kMaxSeats + 1] = writer.fingerprint();
  return fingerprint_of(parts.data(), sizeof parts);
}

class KnownFutures {
 public:
  // A run begins.
  void forget_path() { path_.clear(); }
  // It comes to a world. True, with the judgements, if it is known how that goes on.
  bool comes_to(const Fingerprint& world, Outcome& outcome, const Properties& properties) {
    if (known_.empty()) known_.resize(kPlaces);
    const Known known = known_[world.low % kPlaces];
    if (known.world != world) {
      (void)path_.push_back(world);
      return false;
    }
    keep(known);
    outcome.judgements.clear();
    for (std::size_t p = 0; p < properties.size(); ++p) {
      Judgement judgement =
          known.unjudged[p] == Unjudged::kJudged ? Judgement::holds() : Judgement::unknown(known.unjudged[p]);
      judgement.property = properties[p];
      (void)outcome.judgements.push_back(judgement);
    }
    outcome.rounds = known.rounds;
    outcome.overflowed = known.overflowed;
    outcome.has_committed = known.has_committed;
    return true;
  }
  // It has ended like this.
  void learn(const Outcome& outcome) {
    Known known;
    for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
      const Judgement& judgement = outcome.judgements[p];
      if (judgement.verdict == Verdict::kViolated || judgement.unjudged == Unjudged::kUnconfirmed) return;
      known.unjudged[p] = judgement.unjudged;
    }
    known.rounds = outcome.rounds;
    known.overflowed = outcome.overflowed;
    known.has_committed = outcome.has_committed;
    keep(known);
  }

 private:
  static constexpr std::size_t kPlaces = 1U << 17U;
  static constexpr std::size_t kLongestPath = 16;
  struct Known {
    Fingerprint world{};
    std::array<Unjudged, kMaxProperties> unjudged{};
    std::uint8_t rounds = 0;
    bool overflowed = false;
    bool has_committed = false;
  };

  // All worlds of the run come to this.
  void keep(Known known) {
    for (const Fingerprint& world : path_) {
      known.world = world;
      known_[world.low % kPlaces] = known;
    }
  }

  std::vector<Known> known_;  // by name; a later one takes the place of an earlier one
  BoundedVector<Fingerprint, kLongestPath> path_{};
};

}  // namespace nika
