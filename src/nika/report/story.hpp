// A recorded run told round by round: what the schedule did, then what each seat did, without the ordinary messages.
// Made from a scenario and the trace of its run; runs nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/report/trace_text.hpp"
#include "nika/report/wrapped.hpp"

namespace nika::report {

struct SeatStory {
  Seat seat{};
  std::vector<std::string> deeds;  // "votes for A1", in the order of time
};

// One round, one tick of a timed run or one step of an asynchronous one.
struct RoundStory {
  unsigned number = 0;
  std::string time;  // "2.5Δ" or "step 7"; nothing is then said of leaders and network
  bool heals = false;
  std::string leaders;               // "A", "A B"
  std::string network;               // "{A* B | A'* C D}": the links of messages that no rule is about
  std::vector<std::string> choices;  // all else that the schedule did: rules in force, orders, crashes, late messages
  std::string note;                  // of the scenario
  std::vector<SeatStory> seats;      // those that did something, in the order of their names
};

struct Story {
  std::vector<std::string> setting;  // what is true of the whole run: inputs, and of a timed run its clock and rules
  std::vector<RoundStory> rounds;
};

// Which round of the schedule a network round was run by; nothing if each was run by its own.
using ScheduledRound = std::function<unsigned(unsigned round)>;

Story story_of(const Scenario& scenario, const TraceView& view, const ScheduledRound& scheduled_round = {});
std::string story_text(const Story& story, const Cluster& cluster, std::size_t columns = kDefaultColumns);
// What is true of the whole run, and one round, as story_text() tells them.
std::string setting_text(const Story& story, std::size_t columns);
std::string round_text(const RoundStory& round, const Cluster& cluster, std::size_t columns);

}  // namespace nika::report
