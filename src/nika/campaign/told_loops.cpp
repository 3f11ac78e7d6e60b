#include "nika/campaign/told_loops.hpp"

#include <algorithm>

#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

// Of a trace that was recorded, all of it can be compared.
Result<std::optional<LoopEnds>> ends_of(const Runner& runner, const Scenario& scenario, const Loop& loop,
                                        const Trace* recorded) {
  const auto session = session_for(runner, scenario, {});
  if (!session) return tl::unexpected(session.error());
  RecordedSchedule schedule(scenario);
  const std::uint32_t until = recorded == nullptr || recorded->empty() ? 0 : recorded->back().time;
  return (*session)->looping()->ends_of_loop(schedule, loop, until);
}

// The round; 0 if it does not decide.
Result<unsigned> decides_in(const RepairedSide& repaired, const Loop& loop) {
  const auto session = session_for(*repaired.runner, repaired.scenario, {});
  if (!session) return tl::unexpected(session.error());
  if ((*session)->looping() == nullptr) return 0U;
  RecordedSchedule schedule(repaired.scenario);
  return (*session)->looping()->decides_in_loop(schedule, loop).value_or(0);
}

// What goes on for ever if its own rounds do may decide once the network heals: it is a loop all the same, and says
// what it needs.
Result<std::optional<Loop>> loop_of_hot_rounds(const Runner& runner, const Scenario& scenario,
                                               const std::optional<Loop>& otherwise, OrderProof orders) {
  const auto setup = setup_for(runner, scenario, only(kLasso));
  if (!setup) return tl::unexpected(setup.error());
  const auto session = runner.open(*setup);
  if (!session) return tl::unexpected(session.error());
  RecordedSchedule schedule(scenario);
  const auto hot = LassoJudge(runner, *setup).loop_of(**session, schedule);
  if (!hot) return otherwise;
  return find_loop(runner, scenario, {hot->part}, orders);
}

}  // namespace

bool is_about_progress(std::string_view property) { return property != kAgreement.name; }

std::optional<RepairedSide> repaired_side_of(const Runner& runner, const Scenario& scenario) {
  const Runner* const repair = repair_of(runner, scenario.bugs);
  if (repair == nullptr) return std::nullopt;
  RepairedSide side{repair, scenario};
  side.scenario.protocol = repair->name();
  side.scenario.bugs.clear();
  return side;
}

LoopPlace place_for(const Property& property) {
  return &property == &kConfirmedLasso ? LoopPlace::kWhereItIsHot : LoopPlace::kAtItsEnd;
}

Result<std::optional<Loop>> endless_loop_of(const Runner& runner, const Scenario& scenario, OrderProof orders,
                                            LoopPlace place) {
  if (!can_loop(scenario)) return std::optional<Loop>();
  if (place == LoopPlace::kWhereItIsHot) {
    auto loop = loop_of_hot_rounds(runner, scenario, std::nullopt, orders);
    if (!loop || (*loop && (*loop)->proved)) return loop;
  }
  auto loop = find_loop(runner, scenario, orders);
  if (!loop || (*loop && (*loop)->proved)) return loop;
  return loop_of_hot_rounds(runner, scenario, *loop, orders);
}

Result<std::optional<store::LoopRecord>> told_loop_of(const Runner& runner, const Scenario& scenario,
                                                      const std::optional<RepairedSide>& repaired,
                                                      const Trace* recorded, LoopPlace place) {
  std::optional<store::LoopRecord> record;
  const auto loop = endless_loop_of(runner, scenario, OrderProof::kTried, place);
  if (!loop) return tl::unexpected(loop.error());
  if (!*loop) return record;
  const auto ends = ends_of(runner, scenario, **loop, recorded);
  if (!ends) return tl::unexpected(ends.error());
  const auto cluster = cluster_of(scenario, runner.bugs());
  if (!cluster) return tl::unexpected(cluster.error());
  record = store::record_of(**loop, *ends, *cluster);
  record->counts_views = scenario.timing.has_value();
  if (recorded != nullptr && *ends && (*loop)->proved) record->run = store::run_of(**loop, **ends, *recorded);
  if (!repaired || !(*loop)->proved) return record;
  const auto round = decides_in(*repaired, **loop);
  if (!round) return tl::unexpected(round.error());
  record->repaired = store::RepairedRecord{repaired->scenario.protocol, repaired->scenario.bugs, *round};
  return record;
}

}  // namespace nika
