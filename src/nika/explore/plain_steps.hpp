// Every order of every delivery, world by world through the network itself: what the reduced search is compared with,
// and what judges properties that may look at more than commits. Worlds that differ by the numbers of messages alone
// are one.
#pragma once

#include <memory>

#include "nika/explore/level.hpp"
#include "nika/explore/step_search.hpp"
#include "nika/model/byte_writer.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/sim/run.hpp"
#include "nika/sim/step_network.hpp"

namespace nika {

template <Protocol P>
class PlainSteps {
 public:
  PlainSteps(const Cluster& cluster, const Properties& properties, const StepSearchOptions& options)
      : options_(options), schedule_(options.base), network_(cluster, properties), tally_(properties.size(), result_) {}

  StepSearchResult run() {
    places_.emplace_back(std::make_unique<Place>());
    places_[0]->timeouts_left = options_.timeouts;
    network_.start(places_[0]->world, schedule_);
    seen_.insert(name_of(*places_[0]));
    enter(*places_[0]);
    for (std::size_t depth = 1; depth > 0;) {
      Place& place = *places_[depth - 1];
      if (place.next == place.choices.size() || !tally_.goes_on(options_)) {
        --depth;
        continue;
      }
      if (depth == places_.size()) places_.emplace_back(std::make_unique<Place>());
      Place& child = *places_[depth];
      child.world.copy_from(place.world, network_.cluster().seats());
      child.taken = place.choices[place.next++];
      child.timeouts_left = place.timeouts_left - (child.taken.message == 0 ? 1 : 0);
      network_.take(child.world, child.taken);
      network_.monitors().passed(child.world.monitors, network_.sight_of(child.world));
      ++result_.transitions;
      if (!is_new(child)) continue;
      ++depth;
      depth_ = depth;
      enter(child);
    }
    tally_.conclude();
    return std::move(result_);
  }

 private:
  struct Place {
    World<P> world{};
    StepChoice taken{};  // that led here
    std::vector<StepChoice> choices;
    std::size_t next = 0;
    unsigned timeouts_left = 0;
  };

  // About 64 bytes for a fingerprint in a set.
  bool is_new(const Place& place) {
    if ((result_.worlds + 1) * 64 + places_.size() * sizeof(Place) > options_.memory_bytes)
      result_.memory_was_full = true;
    return !result_.memory_was_full && seen_.insert(name_of(place));
  }

  void enter(Place& place) {
    ++result_.worlds;
    place.next = 0;
    place.choices.clear();
    const bool is_settled = nika::is_settled(network_, place.world);
    for (const StepChoice& choice : network_.choices_of(place.world)) {
      if (!is_settled && (choice.message != 0 || place.timeouts_left > 0)) place.choices.push_back(choice);
    }
    // A timer may run out, but need not.
    if (!is_settled && place.world.pending_count > 0) return;
    judge(network_, place.world, outcome_);
    for (const std::size_t property : tally_.add(outcome_, place.world.commits.seats())) {
      Scenario scenario = options_.base;
      scenario.steps.emplace();
      StepNames names;
      for (std::size_t d = 1; d < depth_; ++d) {
        names.learn(places_[d - 1]->choices);
        scenario.steps->push_back(names(places_[d]->taken));
      }
      result_.broken.push_back({property, outcome_.judgements[property].evidence.kind, std::move(scenario)});
    }
  }

  Fingerprint name_of(const Place& place) {
    const World<P>& world = place.world;
    Fingerprint on_its_way;  // a sum, since the messages are a set
    for (unsigned i = 0; i < world.pending_count; ++i) {
      const auto& post = world.pending[i].post;
      for (Seat to : post.to) {
        writer_.clear();
        writer_.write(to);
        writer_.write(network_.cluster().identity(post.from));
        writer_.write(post.message);
        const Fingerprint name = writer_.fingerprint();
        on_its_way.low += name.low;
        on_its_way.high += name.high;
      }
    }
    writer_.clear();
    writer_.write(on_its_way);
    for (Seat seat : network_.cluster().seats()) {
      writer_.write(world.states[index_of(seat)]);
      writer_.write(world.commits.top_of(seat));
    }
    for (unsigned h = 1; h <= world.commits.top().number; ++h) writer_.write(world.commits.at(Height(h)));
    writer_.write(world.commits.conflict().found);
    writer_.write(world.overflowed);
    writer_.write(place.timeouts_left);
    for (Seat seat : network_.cluster().seats()) {
      for (const Timer& timer : world.timers[index_of(seat)]) writer_.write(timer.duration != 0);
    }
    writer_.write_raw(world.monitors.data(), sizeof(world.monitors[0]) * world.monitor_words);
    return writer_.fingerprint();
  }

  const StepSearchOptions& options_;
  RecordedSchedule schedule_;
  StepNetwork<P> network_;
  StepSearchResult result_;
  StepTally tally_;
  Seen seen_;
  std::vector<std::unique_ptr<Place>> places_;  // the run that is being tried
  std::size_t depth_ = 1;
  Outcome outcome_{};
  ByteWriter writer_;
};

}  // namespace nika
