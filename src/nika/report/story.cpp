#include "nika/report/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "nika/report/round_choices.hpp"
#include "nika/report/schedule_words.hpp"

namespace nika::report {
namespace {

std::string note_of(const TraceView& view, const Event& event) {
  std::string text(name_of(event.kind, view.notes));
  if (!event.value.is_genesis()) text += " " + name_of(view.cluster, event.value);
  if (!event.other.is_genesis()) text += ", " + name_of(view.cluster, event.other);
  return text;
}

// Nothing for what only the full trace tells.
std::string deed_of(const TraceView& view, const Event& event) {
  const auto value = [&] { return name_of(view.cluster, event.value); };
  const auto other = [&] { return name_of(view.cluster, event.other); };
  switch (event.kind) {
    case EventKind::kProposed: return fmt::format("proposes {} on {}", value(), other());
    case EventKind::kVoted: return "votes for " + value();
    case EventKind::kCertified: return "certifies " + value();
    case EventKind::kTimedOut: return fmt::format("times out of round {}", event.round.number);
    case EventKind::kTimeoutCertified: return fmt::format("certifies the timeout of round {}", event.round.number);
    case EventKind::kCommitted: return fmt::format("COMMITS {} at height {}", value(), event.height.number);
    case EventKind::kDuplicateVote: return "rejects a repeated vote for " + value();
    case EventKind::kEquivocatingVote: return fmt::format("rejects a vote for {} after one for {}", value(), other());
    case EventKind::kAskedForBlock: return "asks for " + value();
    case EventKind::kFetchedBlock: return "fetches " + value();
    default: return event.kind >= EventKind::kFirstOwn ? note_of(view, event) : "";
  }
}

// Rounds, ticks and steps: the events of one time each. What replicas do when they start belongs to the first.
std::vector<std::span<const Event>> by_time(std::span<const Event> events) {
  std::vector<std::span<const Event>> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= events.size(); ++i) {
    if (i < events.size() && events[i].time == events[i - 1].time) continue;
    parts.push_back(events.subspan(begin, i - begin));
    begin = i;
  }
  return parts;
}

void add_deeds(RoundStory& round, const TraceView& view, std::span<const Event> events, bool tells_views) {
  for (const Event& event : events) {
    std::string deed = tells_views && event.kind == EventKind::kEnteredRound
                           ? fmt::format("enters view {}", event.round.number)
                           : deed_of(view, event);
    if (deed.empty()) continue;
    auto place = std::ranges::lower_bound(round.seats, event.seat, {}, &SeatStory::seat);
    if (place == round.seats.end() || place->seat != event.seat) place = round.seats.insert(place, {event.seat, {}});
    place->deeds.push_back(std::move(deed));
  }
}

void add_all(std::vector<std::string>& lines, std::vector<std::string> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

RoundStory round_of(const Scenario& scenario, const TraceView& view, unsigned number) {
  RoundStory round;
  round.heals = number > scenario.rounds.size();
  RoundPlan plan;
  if (!round.heals) {
    plan = scenario.rounds[number - 1];
  } else if (!scenario.heal_leaders.empty()) {
    const std::size_t turn = (number - scenario.rounds.size() - 1) % scenario.heal_leaders.size();
    plan.leaders.insert(scenario.heal_leaders[turn]);
  }
  for (Identity id : plan.leaders) round.leaders += (round.leaders.empty() ? "" : " ") + name_of(id);
  round.network = to_text(view.cluster, plan);
  round.choices = choices_of(scenario, view, number);
  round.note = plan.note;
  return round;
}

std::vector<RoundStory> rounds_of(const Scenario& scenario, const TraceView& view,
                                  const ScheduledRound& scheduled_round) {
  std::vector<RoundStory> rounds;
  MessageWatch messages(view);
  for (const std::span<const Event> part : by_time(view.events)) {
    const unsigned number = std::max<unsigned>(part.front().time, 1);
    if (rounds.empty() || rounds.back().number != number) {
      rounds.push_back(round_of(scenario, view, scheduled_round ? scheduled_round(number) : number));
      rounds.back().number = number;
    }
    add_all(rounds.back().choices, messages.watch(part));
    add_deeds(rounds.back(), view, part, false);
  }
  return rounds;
}

// Ticks in which messages only pass by are left out.
std::vector<RoundStory> ticks_of(const Timing& timing, const TraceView& view) {
  std::vector<RoundStory> ticks;
  MessageWatch messages(view, timing.delta_ticks);
  for (const std::span<const Event> part : by_time(view.events)) {
    RoundStory tick;
    tick.number = part.front().time;
    tick.time = fmt::format("{:g}Δ", static_cast<double>(tick.number) / std::max<unsigned>(timing.delta_ticks, 1));
    tick.choices = messages.watch(part);
    add_deeds(tick, view, part, true);
    if (!tick.seats.empty() || !tick.choices.empty()) ticks.push_back(std::move(tick));
  }
  return ticks;
}

// What a liar says in a step of its own: the n-th step of a run is the n-th of its scenario.
std::string said_in(const Scenario& scenario, const TraceView& view, unsigned number) {
  if (number == 0 || number > scenario.steps->size()) return "";
  const Step& step = (*scenario.steps)[number - 1];
  return step.says ? words_of(view.cluster, step.from, *step.says, {view.kinds, view.leaves}) : "";
}

// Every step, also one that brings nothing about: the order of the steps is what the schedule chose. Messages have the
// names that they have in scenarios: their sender, and how many that has sent.
std::vector<RoundStory> steps_of(const Scenario& scenario, const TraceView& view) {
  std::vector<RoundStory> steps;
  std::map<std::uint32_t, unsigned> of_sender;
  std::array<unsigned, kMaxSeats> sent{};
  for (const std::span<const Event> part : by_time(view.events)) {
    RoundStory step;
    step.number = part.front().time;
    step.time = step.number == 0 ? "start" : fmt::format("step {}", step.number);
    for (const Event& event : part) {
      if (event.kind == EventKind::kSent) of_sender[event.message] = ++sent[index_of(event.seat)];
      if (event.kind == EventKind::kDelivered && event.message == 0) {
        step.choices.push_back(
            fmt::format("{} hears a lie: {}", name_of(view.cluster, event.seat), said_in(scenario, view, step.number)));
      } else if (event.kind == EventKind::kDelivered) {
        step.choices.push_back(
            fmt::format("{} gets {}#{}, {}", name_of(view.cluster, event.seat), name_of(view.cluster, event.peer),
                        of_sender[event.message],
                        event.message_kind < view.kinds.size() ? view.kinds[event.message_kind] : "message"));
      } else if (event.kind == EventKind::kExpired) {
        step.choices.push_back(fmt::format("the timer of {} runs out", name_of(view.cluster, event.seat)));
      }
    }
    add_deeds(step, view, part, false);
    steps.push_back(std::move(step));
  }
  return steps;
}

// What is not told round by round: a run by a clock or by steps has no network rounds.
std::vector<std::string> setting_of(const Scenario& scenario, const TraceView& view) {
  std::vector<std::string> lines;
  if (const std::string inputs = inputs_of(view.cluster, scenario); !inputs.empty())
    lines.push_back("inputs: " + inputs);
  for (const Outage& outage : scenario.outages)
    lines.push_back(
        fmt::format("outage in protocol round {}: {}", outage.protocol_round, words_of(view.cluster, outage)));
  for (const Lie& lie : scenario.lies) {
    lines.push_back(fmt::format("lie in protocol round {}: {}", lie.protocol_round,
                                words_of(view.cluster, lie, {view.kinds, view.leaves})));
  }
  if (!scenario.timing && !scenario.is_asynchronous()) return lines;
  if (scenario.timing) lines.push_back("clock: " + words_of(view.cluster, *scenario.timing));
  std::string leaders;
  for (const RoundPlan& plan : scenario.rounds) {
    leaders += leaders.empty() ? "" : ", ";
    bool first = true;
    for (Identity id : plan.leaders) {
      leaders += (first ? "" : " ") + name_of(id);
      first = false;
    }
  }
  lines.push_back(fmt::format("leaders by {}: {}", unit_of(scenario), leaders));
  for (const Rule& rule : scenario.rules) {
    std::string line = fmt::format("rule: {}: {}", nika::report::rounds_of(rule, unit_of(scenario)),
                                   words_of(view.cluster, rule, view.kinds));
    lines.push_back(rule.note.empty() ? line : fmt::format("{} ({})", line, rule.note));
  }
  return lines;
}

std::string heading_of(const RoundStory& round, std::size_t columns) {
  if (!round.time.empty()) {
    const bool is_step = round.time.find("Δ") == std::string::npos;
    return (is_step ? "" : "at ") + round.time + '\n';
  }
  const std::string first = fmt::format("{} {}  leader {}  ", round.heals ? "healing round" : "round", round.number,
                                        round.leaders.empty() ? "nobody" : round.leaders);
  return wrapped(round.network + (round.choices.empty() ? "" : ", but"), "  ", first, columns);
}

}  // namespace

Story story_of(const Scenario& scenario, const TraceView& view, const ScheduledRound& scheduled_round) {
  Story story;
  story.setting = setting_of(scenario, view);
  story.rounds = scenario.timing              ? ticks_of(*scenario.timing, view)
                 : scenario.is_asynchronous() ? steps_of(scenario, view)
                                              : rounds_of(scenario, view, scheduled_round);
  return story;
}

std::string setting_text(const Story& story, std::size_t columns) {
  std::string text;
  for (const std::string& line : story.setting) text += wrapped(line, "  ", "", columns);
  return text.empty() ? text : text + '\n';
}

std::string round_text(const RoundStory& round, const Cluster& cluster, std::size_t columns) {
  std::string text = heading_of(round, columns);
  for (const std::string& choice : round.choices) text += wrapped(choice, "      ", "  - ", columns);
  if (!round.note.empty()) text += wrapped(fmt::format("({})", round.note), "   ", "  ", columns);
  for (const SeatStory& seat : round.seats) {
    text += wrapped(fmt::format("{}", fmt::join(seat.deeds, ", ")), "       ",
                    fmt::format("  {:<4} ", name_of(cluster, seat.seat)), columns);
  }
  return text + '\n';
}

std::string story_text(const Story& story, const Cluster& cluster, std::size_t columns) {
  std::string text = setting_text(story, columns);
  for (const RoundStory& round : story.rounds) text += round_text(round, cluster, columns);
  return text;
}

}  // namespace nika::report
