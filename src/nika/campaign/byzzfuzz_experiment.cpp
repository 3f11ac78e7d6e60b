#include "nika/campaign/byzzfuzz_experiment.hpp"

#include <algorithm>
#include <cmath>

#include "nika/base/require.hpp"
#include "nika/campaign/fuzz_campaign.hpp"
#include "nika/properties/all.hpp"

namespace nika::byzzfuzz {
namespace {

// In the order of the fields of Violations.
constexpr std::string_view kJudged = "termination,validity,integrity,agreement";

std::vector<std::string> bugs_of(const Table& table, const Runner& runner) {
  if (table.bug_set.empty()) return {std::string(table.bug)};
  const auto set = std::ranges::find(runner.bug_sets(), table.bug_set, &BugSet::name);
  NIKA_REQUIRE(set != runner.bug_sets().end());
  return {set->bugs.begin(), set->bugs.end()};
}

Settings settings_of(const Table& table, const Runner& runner, const TableRow& row, const ExperimentOptions& options) {
  Settings settings;
  settings.nodes = table.nodes;
  settings.faults = (table.nodes - 1) / runner.resilience();
  if (!table.unls.empty()) settings.unls = parse_unls(table.unls).value();
  for (const char name : table.liars) settings.liars.insert(static_cast<Identity>(name - 'A'));
  settings.lies = row.lies;
  settings.outages = row.outages;
  settings.liars_lead = !table.liars.empty();
  settings.first_round = table.first_round;
  settings.last_round = table.first_round + table.fault_rounds - 1;
  settings.scope = row.scope;
  settings.mutations = row.scope == Scope::kBaseline ? Mutations::kAll : options.mutations;
  settings.sampling = options.sampling;
  settings.withholds = table.withholds;
  settings.runs = options.runs > 0 ? options.runs : table.runs;
  settings.seed = options.seed;
  return settings;
}

}  // namespace

Result<RowResult> run_row(const Registry& registry, const Table& table, const TableRow& row,
                          const ExperimentOptions& options) {
  const auto runner = registry.find(table.protocol);
  if (!runner) return tl::unexpected(runner.error());
  auto properties = parse_properties(kJudged, registry.properties());
  if (!properties) return tl::unexpected(properties.error());
  FuzzRequest request;
  request.settings = settings_of(table, **runner, row, options);
  request.settings.bugs = bugs_of(table, **runner);
  request.runner = *runner;
  request.properties = *std::move(properties);
  request.threads = options.threads;
  request.max_findings = 0;
  set_protocol(request.settings, **runner, request.properties);
  if (auto sound = check(request.settings); !sound) return tl::unexpected(sound.error());
  FuzzWatch watch;
  watch.stop = options.stop;
  if (options.progress)
    watch.progress = [&](const FuzzProgress& p) { options.progress(static_cast<std::uint64_t>(p.executed)); };
  const auto outcome = run_fuzz(request, watch);
  if (!outcome) return tl::unexpected(outcome.error());
  const Tally& tally = outcome->tally;
  const auto violating = [&](std::size_t p) { return static_cast<std::uint64_t>(tally.properties[p].violating); };
  RowResult result;
  result.runs = static_cast<std::uint64_t>(tally.executed);
  result.found = {violating(0), violating(1), violating(2), violating(3), static_cast<std::uint64_t>(tally.violating)};
  result.unknown = static_cast<std::uint64_t>(tally.unknown);
  result.effective = static_cast<std::uint64_t>(tally.faults.effective);
  result.seconds = outcome->seconds;
  result.was_stopped = result.runs < request.settings.runs;
  return result;
}

Interval interval_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  constexpr double kZ = 1.959964;  // of 95 %
  const auto n = static_cast<double>(whole);
  const double share = static_cast<double>(part) / n;
  const double middle = (share + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double width = kZ / (1 + kZ * kZ / n) * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return {std::max(0.0, middle - width), std::min(1.0, middle + width)};
}

}  // namespace nika::byzzfuzz
