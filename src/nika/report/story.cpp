#include "nika/report/story.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika::report {
namespace {

// Nothing for what only the full trace tells.
std::string deed_of(const Cluster& cluster, const Event& event) {
  const auto value = [&] { return name_of(cluster, event.value); };
  const auto other = [&] { return name_of(cluster, event.other); };
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
    case EventKind::kCrashed: return "crashes";
    case EventKind::kRecovered: return "recovers";
    case EventKind::kNetworkRound:
    case EventKind::kTick:
    case EventKind::kEnteredRound:
    case EventKind::kDelivered:
    case EventKind::kLost: break;
  }
  return "";
}

RoundStory round_of(const Scenario& scenario, const Cluster& cluster, unsigned number) {
  RoundStory round;
  round.number = number;
  round.heals = number > scenario.rounds.size();
  RoundPlan plan;
  if (!round.heals) {
    plan = scenario.rounds[number - 1];
  } else if (!scenario.heal_leaders.empty()) {
    const std::size_t turn = (number - scenario.rounds.size() - 1) % scenario.heal_leaders.size();
    plan.leaders.insert(scenario.heal_leaders[turn]);
  }
  for (Identity id : plan.leaders) round.leaders += (round.leaders.empty() ? "" : " ") + name_of(id);
  round.network = to_text(cluster, plan);
  round.note = plan.note;
  return round;
}

RoundStory tick_of(const Timing& timing, unsigned tick) {
  RoundStory story;
  story.number = tick;
  story.time = fmt::format("{:g}Δ", static_cast<double>(tick) / timing.delta_ticks);
  return story;
}

void add_deed(RoundStory& round, Seat seat, std::string deed) {
  auto place = std::ranges::lower_bound(round.seats, seat, {}, &SeatStory::seat);
  if (place == round.seats.end() || place->seat != seat) place = round.seats.insert(place, {seat, {}});
  place->deeds.push_back(std::move(deed));
}

// Tick by tick; ticks in which messages only pass by are left out.
std::vector<RoundStory> timed_story_of(const Timing& timing, const TraceView& view) {
  std::vector<RoundStory> ticks{tick_of(timing, 0)};
  for (const Event& event : view.events) {
    if (event.kind == EventKind::kTick && event.round.number > 0) {
      if (ticks.back().seats.empty()) ticks.pop_back();
      ticks.push_back(tick_of(timing, event.round.number));
    }
    std::string deed = event.kind == EventKind::kEnteredRound ? fmt::format("enters view {}", event.round.number)
                                                              : deed_of(view.cluster, event);
    if (!deed.empty()) add_deed(ticks.back(), event.seat, std::move(deed));
  }
  return ticks;
}

}  // namespace

std::vector<RoundStory> story_of(const Scenario& scenario, const TraceView& view) {
  if (scenario.timing) return timed_story_of(*scenario.timing, view);
  // What replicas do when they start belongs to the first round.
  std::vector<RoundStory> rounds{round_of(scenario, view.cluster, 1)};
  for (const Event& event : view.events) {
    if (event.kind == EventKind::kNetworkRound && event.round.number > 1) {
      rounds.push_back(round_of(scenario, view.cluster, event.round.number));
    }
    std::string deed = deed_of(view.cluster, event);
    if (!deed.empty()) add_deed(rounds.back(), event.seat, std::move(deed));
  }
  return rounds;
}

std::string story_text(const std::vector<RoundStory>& rounds, const Cluster& cluster) {
  std::string text;
  for (const RoundStory& round : rounds) {
    if (round.time.empty()) {
      text += fmt::format("{} {}  leader {}  {}\n", round.heals ? "healing round" : "round", round.number,
                          round.leaders, round.network);
    } else {
      text += fmt::format("at {}\n", round.time);
    }
    if (!round.note.empty()) text += fmt::format("  ({})\n", round.note);
    for (const SeatStory& seat : round.seats) {
      text += fmt::format("  {:<4} {}\n", name_of(cluster, seat.seat), fmt::join(seat.deeds, ", "));
    }
    text += '\n';
  }
  return text;
}

}  // namespace nika::report
