#include "nika/campaign/runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/campaign/coin_judge.hpp"
#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {

Result<SearchResult> Session::search(const twins::Space&, const SearchOptions&) {
  return bad_input("this protocol's worlds cannot be copied, so that a space cannot be covered: run it one by one");
}

Result<StepSearchResult> Session::search_steps(const StepSearchOptions&) {
  return bad_input("only an asynchronous network, one of steps, has orders of delivery to search through");
}

Result<Cluster> Runner::check(const Setup& setup) const {
  Cluster cluster = setup.cluster;
  const auto bits = bug_bits(setup.bugs, bugs(), name());
  if (!bits) return tl::unexpected(bits.error());
  cluster.bugs = *bits;
  // Partitions would break what a synchronous protocol assumes, and whatever they brought about would be no finding.
  if (is_synchronous() && setup.network != NetworkModel::kTicks) {
    return bad_input(fmt::format(
        "{} is a synchronous protocol: it runs in scenarios with \"timing\" only, and partitions are none", name()));
  }
  if (cluster.has_unls() && !has_unls()) {
    return bad_input(fmt::format("in {} everybody counts everybody: it has no unique node lists", name()));
  }
  if (cluster.client_count() != clients())
    return bad_input(fmt::format("{} has {} clients, not {}", name(), clients(), cluster.client_count()));
  return cluster;
}

const Runner* repair_of(const Runner& runner, const std::vector<std::string>& bugs) {
  if (!bugs.empty()) return &runner;
  const Runner* const other = runner.repaired();
  if (other == nullptr || !std::ranges::equal(other->kinds(), runner.kinds()) || other->clients() != runner.clients())
    return nullptr;
  return other;
}

Result<Setup> setup_for(const Runner& runner, const Scenario& scenario, const Properties& properties) {
  auto cluster = cluster_of(scenario, runner.bugs());
  if (!cluster) return tl::unexpected(cluster.error());
  if (auto sound = check_lies(scenario, *cluster); !sound) return tl::unexpected(sound.error());
  if (auto sound = check_synchrony(scenario); !sound) return tl::unexpected(sound.error());
  if (auto sound = check_healing(scenario); !scenario.timing && !sound) return tl::unexpected(sound.error());
  if (!runner.tosses_coins() && (!scenario.coins.empty() || !scenario.turns.empty()))
    return bad_input(fmt::format("{} tosses no coins: it has neither \"coins\" nor \"turns\"", runner.name()));
  const NetworkModel network = scenario.timing              ? NetworkModel::kTicks
                               : scenario.is_asynchronous() ? NetworkModel::kSteps
                                                            : NetworkModel::kRounds;
  return Setup{*cluster, scenario.bugs, properties, network};
}

Result<std::unique_ptr<Session>> session_for(const Runner& runner, const Scenario& scenario,
                                             const Properties& properties) {
  const auto setup = setup_for(runner, scenario, properties);
  if (!setup) return tl::unexpected(setup.error());
  return runner.open(*setup);
}

Result<Outcome> run_scenario(const Runner& runner, const Scenario& scenario, const Properties& properties,
                             Trace* trace) {
  const auto setup = setup_for(runner, scenario, properties);
  if (!setup) return tl::unexpected(setup.error());
  const auto session = runner.open(*setup);
  if (!session) return tl::unexpected(session.error());
  RecordedSchedule schedule(scenario);
  Outcome outcome = (*session)->run(schedule, trace);
  if (has_candidate(outcome)) LassoJudge(runner, *setup).judge(**session, schedule, outcome);
  judge_turns(**session, scenario, outcome);
  return outcome;
}

Result<Outcome> run_what_is_there(const Runner& runner, Scenario& scenario, const Properties& properties) {
  if (!scenario.steps) return run_scenario(runner, scenario, properties);
  const auto session = session_for(runner, scenario, properties);
  if (!session) return tl::unexpected(session.error());
  RecordedSchedule schedule(scenario, true);
  StepRecorder recorder(schedule, cast_of(scenario)->seat_count);
  const Outcome outcome = (*session)->run(recorder);
  scenario.steps = recorder.steps();
  return outcome;
}

}  // namespace nika
