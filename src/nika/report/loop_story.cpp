#include "nika/report/loop_story.hpp"

#include <fmt/format.h>

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

std::string loop_story_text(const Story& story, const Cluster& cluster, const store::LoopRecord& loop,
                            std::size_t columns) {
  if (!loop.proved) return story_text(story, cluster, columns);
  const unsigned recorded = story.rounds.empty() ? 0 : story.rounds.back().number;
  const std::size_t inner = columns > 2 ? columns - 2 : columns;
  const std::string begin =
      fmt::format("+-- the loop: {} for ever, as it begins\n{}|\n", loop.length == 1 ? "this round" : "these rounds",
                  holdings_text(loop, End::kBefore));
  std::string text = setting_text(story, columns);
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
