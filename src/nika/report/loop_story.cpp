#include "nika/report/loop_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/printable.hpp"

namespace nika::report {
namespace {

std::string marked(const std::string& text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line) result += c == '\n' ? "|" : "| ";
    begins_line = c == '\n';
    result += c;
  }
  return result;
}

std::string rounds_text(unsigned first, unsigned last) {
  return first == last ? fmt::format("round {}", first) : fmt::format("rounds {} to {}", first, last);
}

// The rounds of a loop can lie behind those that were run: it was found by going on.
std::string unrecorded_text(unsigned first, unsigned last) {
  if (first > last) return "";
  return fmt::format("{}: not recorded; the schedule goes on in turns\n\n", rounds_text(first, last));
}

std::string end_of_loop(const store::LoopRecord& loop, unsigned recorded) {
  std::string text =
      fmt::format("+-- after round {} all is as it was after round {}, but for the numbers of rounds\n{}",
                  loop.last_round(), loop.first_round - 1, holdings_text(loop, End::kAfter));
  if (recorded > loop.last_round())
    text += fmt::format("    {} {} the same again\n", rounds_text(loop.last_round() + 1, recorded),
                        recorded == loop.last_round() + 1 ? "is" : "are");
  return text + '\n';
}

// Where the run is not the recorded one to the end of the loop: what takes the place of its schedule.
std::string repeated_text(const store::LoopRecord& loop) {
  if (!loop.run || loop.run->since.value_or(~0U) > loop.run->to) return "";
  const store::LoopRunRecord& run = *loop.run;
  const std::string_view unit = loop.counts_views ? "view" : "round";
  const std::string again = run.period == 1
                                ? fmt::format("{} {} comes", unit, run.scheduled)
                                : fmt::format("{}s {} to {} come", unit, run.scheduled - run.period + 1, run.scheduled);
  return fmt::format("from {} {} on: {} again and again\n\n", unit, run.scheduled + 1, again);
}

std::string views_text(const store::LoopRecord& loop) {
  return loop.length == 1 ? fmt::format("view {}", loop.first_round)
                          : fmt::format("views {} to {}", loop.first_round, loop.last_round());
}

// When somebody enters a view, which is when a loop begins and ends, is always part of the story.
std::string time_of(const Story& story, unsigned tick) {
  const auto found = std::ranges::find(story.rounds, tick, &RoundStory::number);
  return found == story.rounds.end() ? fmt::format("tick {}", tick) : found->time;
}

std::string timed_loop_text(const Story& story, const Cluster& cluster, const store::LoopRecord& loop,
                            std::size_t columns) {
  const store::LoopRunRecord& run = *loop.run;
  const std::string from = time_of(story, run.from);
  const std::string to = time_of(story, run.to);
  std::string text = setting_text(story, columns) + repeated_text(loop);
  std::string inside;
  for (const RoundStory& tick : story.rounds) {
    if (tick.number <= run.from) text += round_text(tick, cluster, columns);
    if (tick.number > run.from && tick.number <= run.to)
      inside += marked(round_text(tick, cluster, columns > 2 ? columns - 2 : columns));
  }
  text += fmt::format("+-- the loop: {} for ever, as it begins at {}\n{}|\n{}", views_text(loop), from,
                      holdings_text(loop, End::kBefore), inside);
  text += fmt::format("+-- at {} all is as it was at {}, but for the time and the numbers of views\n{}", to, from,
                      holdings_text(loop, End::kAfter));
  const RoundStory& last = story.rounds.back();
  if (last.number > run.to) text += fmt::format("    until {} it is the same again\n", last.time);
  return text + '\n';
}

}  // namespace

std::string holdings_text(const store::LoopRecord& loop, End end) {
  std::string text;
  bool tells_progress = false;
  for (const store::EndsRecord& ends : loop.ends) tells_progress = tells_progress || !ends.before.prepared.empty();
  for (const store::EndsRecord& ends : loop.ends) {
    const store::HoldingRecord& held = end == End::kBefore ? ends.before : ends.after;
    std::string line = fmt::format("    {:<4} view {:<4}", printable(ends.seat), held.view);
    if (tells_progress) {
      line += fmt::format(" prepared {:<8} locked {:<8} executed {}", printable(held.prepared), printable(held.locked),
                          printable(held.executed));
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

Story story_of_loop(const Scenario& scenario, const TraceView& recorded, const store::LoopRecord& loop) {
  if (!loop.run) return story_of(scenario, recorded);
  TraceView view = recorded;
  Trace events;
  if (loop.run->since) {
    events = store::events_of(*loop.run, recorded.events);
    view.events = events;
  }
  return story_of(scenario, view, [&](unsigned round) { return loop.run->scheduled_round(round); });
}

std::string loop_story_text(const Story& story, const Cluster& cluster, const store::LoopRecord& loop,
                            std::size_t columns) {
  if (!loop.proved || (loop.counts_views && !loop.run)) return story_text(story, cluster, columns);
  if (loop.counts_views && !story.rounds.empty()) return timed_loop_text(story, cluster, loop, columns);
  const unsigned recorded = story.rounds.empty() ? 0 : story.rounds.back().number;
  const std::size_t inner = columns > 2 ? columns - 2 : columns;
  const std::string begin =
      fmt::format("+-- the loop: {} for ever, as it begins\n{}|\n", loop.length == 1 ? "this round" : "these rounds",
                  holdings_text(loop, End::kBefore));
  std::string text = setting_text(story, columns) + repeated_text(loop);
  bool has_begun = false;
  for (const RoundStory& round : story.rounds) {
    if (round.number > loop.last_round()) break;
    if (round.number >= loop.first_round && !has_begun) text += begin;
    has_begun = has_begun || round.number >= loop.first_round;
    text += has_begun ? marked(round_text(round, cluster, inner)) : round_text(round, cluster, columns);
  }
  if (!has_begun) text += unrecorded_text(recorded + 1, loop.first_round - 1) + begin;
  text += marked(unrecorded_text(std::max(recorded + 1, loop.first_round), loop.last_round()));
  return text + end_of_loop(loop, recorded);
}

}  // namespace nika::report
