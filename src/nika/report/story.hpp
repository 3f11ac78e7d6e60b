// A recorded run told round by round and seat by seat, without the messages themselves.
#pragma once

#include <string>
#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/report/trace_text.hpp"

namespace nika::report {

struct SeatStory {
  Seat seat{};
  std::vector<std::string> deeds;  // "votes for A1", in the order of time
};

// One round, or one tick of a timed run.
struct RoundStory {
  unsigned number = 0;
  std::string time;  // "2.5Δ" in a timed run; then nothing is said of leaders and network
  bool heals = false;
  std::string leaders;           // "A", "A B"
  std::string network;           // "{A* B | A'* C D}"
  std::string note;              // of the scenario
  std::vector<SeatStory> seats;  // those that did something, in the order of their names
};

std::vector<RoundStory> story_of(const Scenario& scenario, const TraceView& view);
std::string story_text(const std::vector<RoundStory>& rounds, const Cluster& cluster);

}  // namespace nika::report
