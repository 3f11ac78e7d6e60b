#include "nika/campaign/hot_loops.hpp"

namespace nika {
namespace {

// A protocol decides on and on if it still does after half of so many times.
constexpr unsigned kTimesOfRepaired = 32;

bool is_hot_here(const Sight& sight) { return sight.tells_progress() && is_hot(sight); }

}  // namespace

std::optional<HotLoop> find_hot_loop(Looping& looping, Schedule& schedule, std::span<const PartialSystemState> trail,
                                     const Preference& prefers) {
  std::optional<HotLoop> first;
  for (unsigned last = 1; last <= trail.size(); ++last) {
    if (!trail[last - 1].is_hot) continue;
    for (unsigned period = 1; period <= last; ++period) {
      const LoopPart part{last - period + 1, last, period};
      const auto loop = looping.find_loop(schedule, part, is_hot_here);
      if (!loop || !loop->proved) continue;
      HotLoop hot{part, *loop};
      if (!prefers || prefers(hot)) return hot;
      if (!first) first = hot;
    }
  }
  return first;
}

bool decides_on_and_on(Looping& other, Schedule& schedule, const HotLoop& hot) {
  return other.last_decision(schedule, hot.part, hot.loop, kTimesOfRepaired) > kTimesOfRepaired / 2;
}

unsigned repeat_hot_loop(Looping& looping, Schedule& schedule, const HotLoop& hot, unsigned times) {
  return looping.repeat_loop(schedule, hot.part, hot.loop, times, is_hot_here);
}

}  // namespace nika
