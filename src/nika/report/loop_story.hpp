// The story of a run that goes on for ever: the rounds before the loop, those of the loop, marked, and what each seat
// holds at its two ends. Made from what is stored.
#pragma once

#include "nika/report/story.hpp"
#include "nika/store/loop_record.hpp"

namespace nika::report {

// The run that comes to the loop, as far as the recorded one or the loop tells it: where the loop tells more than was
// recorded, until it has come round.
Story story_of_loop(const Scenario& scenario, const TraceView& recorded, const store::LoopRecord& loop);

// As story_text(), with the loop drawn; what the run recorded behind the loop is left out, since it is the same again.
// A loop that is not proved is none, and one of a timed run has to tell its times.
std::string loop_story_text(const Story& story, const Cluster& cluster, const store::LoopRecord& loop,
                            std::size_t columns = kDefaultColumns);

// A line for each seat: its view, and what it has prepared, locked and executed; as far as that is known.
enum class End : std::uint8_t { kBefore, kAfter };
std::string holdings_text(const store::LoopRecord& loop, End end);

}  // namespace nika::report
