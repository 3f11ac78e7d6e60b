#include "nika/campaign/loops.hpp"

#include <algorithm>

#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

Result<std::unique_ptr<Session>> session_of(const Runner& runner, const Scenario& scenario) {
  if (!can_loop(scenario)) return bad_input("a loop is looked for in scenarios of network rounds or ticks only");
  return session_for(runner, scenario, {});
}

bool fits(const LoopPart& part) {
  return part.first >= 1 && part.period >= 1 && part.first + part.period <= part.last + 1 && part.last <= kMaxRound;
}

// The last view that something is said of which is not said of all later ones too.
unsigned last_told_view(const Scenario& scenario) {
  auto last = static_cast<unsigned>(scenario.rounds.size());
  for (const Rule& rule : scenario.rules) {
    const Round told = rule.last_round == Round(kMaxRound) ? rule.first_round.previous() : rule.last_round;
    last = std::max<unsigned>(last, told.number);
  }
  return last;
}

}  // namespace

// Faults of protocol rounds do not come again when network rounds do.
bool can_loop(const Scenario& scenario) {
  return !scenario.is_asynchronous() && scenario.lies.empty() && scenario.outages.empty();
}

std::vector<LoopPart> loop_parts_of(const Scenario& scenario) {
  const auto scheduled = static_cast<unsigned>(scenario.rounds.size());
  std::vector<LoopPart> parts;
  if (scenario.timing && !scenario.heal_leaders.empty()) {
    const unsigned told = last_told_view(scenario);
    const auto turn = static_cast<unsigned>(scenario.heal_leaders.size());
    parts.push_back({told + 1, told + turn, turn});
  } else if (scenario.heal_rounds > 0 && !scenario.timing) {
    const auto turn = std::max(static_cast<unsigned>(scenario.heal_leaders.size()), 1U);
    parts.push_back({scheduled + 1, scheduled + std::max<unsigned>(scenario.heal_rounds, turn), turn});
  } else {
    for (unsigned length = 1; length <= scheduled; ++length) {
      parts.push_back({scheduled - length + 1, scheduled, length});
    }
  }
  std::erase_if(parts, [](const LoopPart& part) { return !fits(part); });
  return parts;
}

Result<std::optional<Loop>> find_loop(const Runner& runner, const Scenario& scenario,
                                      const std::vector<LoopPart>& parts, OrderProof orders) {
  const auto session = session_of(runner, scenario);
  if (!session) return tl::unexpected(session.error());
  std::optional<Loop> seen;
  if ((*session)->looping() == nullptr) return seen;
  for (const LoopPart& part : parts) {
    if (!fits(part)) return bad_input("the rounds of a loop are rounds of the scenario");
    RecordedSchedule schedule(scenario);
    auto loop = (*session)->looping()->find_loop(schedule, part, {});
    if (loop && loop->proved) {
      RecordedSchedule again(scenario);
      if (orders == OrderProof::kTried && (*session)->looping()->runs_in_any_order(again, *loop))
        loop->assumptions.order = Assumptions::Arrival::kAny;
      return loop;
    }
    if (!seen) seen = loop;
  }
  return seen;
}

Result<std::optional<Loop>> find_loop(const Runner& runner, const Scenario& scenario, OrderProof orders) {
  return find_loop(runner, scenario, loop_parts_of(scenario), orders);
}

Result<unsigned> repeat_loop(const Runner& runner, const Scenario& scenario, const LoopPart& part, const Loop& loop,
                             unsigned times) {
  const auto session = session_of(runner, scenario);
  if (!session) return tl::unexpected(session.error());
  if (!fits(part)) return bad_input("the rounds of a loop are rounds of the scenario");
  if ((*session)->looping() == nullptr) return 0U;
  RecordedSchedule schedule(scenario);
  return (*session)->looping()->repeat_loop(schedule, part, loop, times, {});
}

}  // namespace nika
