#include "nika/cli/finding_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "nika/report/trace_text.hpp"

namespace nika::cli {

Result<TracedRun> run_traced(const Runner& runner, const Scenario& scenario, Properties properties) {
  auto cluster = cluster_of(scenario, runner.bugs());
  if (!cluster) return tl::unexpected(cluster.error());
  TracedRun run{*cluster, {}, {}};
  const auto outcome = runner.run(scenario, &run.trace, properties);
  if (!outcome) return tl::unexpected(outcome.error());
  run.outcome = *outcome;
  return run;
}

namespace {

// A seat can contradict itself. Where another honest seat committed what it committed first, those two are told.
Seat first_seat_of(const TracedRun& run) {
  const Conflict& conflict = run.outcome.conflict;
  if (conflict.first_seat != conflict.second_seat) return conflict.first_seat;
  for (const Event& event : run.trace) {
    const bool agrees = event.kind == EventKind::kCommitted && event.height == conflict.height &&
                        event.value == conflict.first_value && run.cluster.is_honest(event.seat);
    if (agrees && event.seat != conflict.second_seat) return event.seat;
  }
  return conflict.first_seat;
}

store::StandstillText text_of(const Cluster& cluster, const Standstill& standstill) {
  store::StandstillText text;
  text.since = standstill.since.number;
  for (Seat seat : standstill.undecided) text.undecided.push_back(name_of(cluster, seat));
  if (standstill.blocked.empty()) return text;
  text.blocked_seat = name_of(cluster, standstill.blocked_seat);
  text.blocked = standstill.blocked;
  return text;
}

}  // namespace

store::Vocabulary words_of(const Runner& runner) { return {runner.kinds(), runner.bugs()}; }

store::VocabularyOf words_in(const Registry& registry) {
  return [&registry](std::string_view protocol) -> Result<store::Vocabulary> {
    const auto runner = registry.find(protocol);
    if (!runner) return tl::unexpected(runner.error());
    return words_of(**runner);
  };
}

Result<store::Finding> finding_of(const Runner& runner, const Discovery& discovery, const std::string& settings_json) {
  const Property property = property_of(discovery.kind);
  const auto run = run_traced(runner, discovery.scenario, only(property));
  if (!run) return tl::unexpected(run.error());
  const report::TraceView view{run->cluster, runner.kinds(), run->trace};
  const Conflict& conflict = run->outcome.conflict;
  const auto side = [&](Seat seat, ValueId value) {
    return store::ConflictSide{name_of(run->cluster, seat), name_of(run->cluster, value),
                               report::history_of(view, seat)};
  };
  store::Finding finding;
  finding.property = name_of(property);
  finding.kind = name_of(discovery.kind);
  finding.scenario = discovery.scenario;
  if (property == Property::kAgreement) {
    finding.height = conflict.height.number;
    finding.first = side(first_seat_of(*run), conflict.first_value);
    finding.second = side(conflict.second_seat, conflict.second_value);
  } else {
    finding.standstill = text_of(run->cluster, run->outcome.standstill);
  }
  finding.trace = report::mark_of(view);
  finding.shrink_runs = discovery.shrink_runs;
  finding.original = discovery.original.scenario;
  if (!settings_json.empty()) {
    const auto& index = discovery.original.index;
    finding.origin = store::Origin{index ? to_string(*index) : "", settings_json};
  }
  return finding;
}

Result<void> check_findings_directory(const std::string& directory) {
  std::error_code failed;
  std::filesystem::path existing = std::filesystem::absolute(directory, failed);
  while (!std::filesystem::exists(existing, failed) && existing.has_relative_path()) existing = existing.parent_path();
  if (!std::filesystem::is_directory(existing, failed))
    return bad_input(
        fmt::format("{}: findings cannot be stored there: {} is no directory", directory, existing.string()));
  if (::access(existing.c_str(), W_OK | X_OK) != 0)
    return bad_input(
        fmt::format("{}: findings cannot be stored there: {} cannot be written to", directory, existing.string()));
  return {};
}

Result<StoredFinding> store_finding(const Runner& runner, const Discovery& discovery, const std::string& settings_json,
                                    const std::string& directory) {
  auto finding = finding_of(runner, discovery, settings_json);
  if (!finding) return tl::unexpected(finding.error());
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return bad_input(fmt::format("{}: cannot be made: {}", directory, failed.message()));
  std::string name = finding->scenario.protocol;
  for (const std::string& bug : finding->scenario.bugs) name += "-" + bug;
  name += fmt::format("-{}-{:08x}.json", finding->property, static_cast<std::uint32_t>(discovery.name.high >> 32U));
  const std::string file = (std::filesystem::path(directory) / name).string();
  if (auto written = store::write_text_file(file, store::to_json(*finding, words_of(runner))); !written) {
    return tl::unexpected(written.error());
  }
  return StoredFinding{*std::move(finding), file, discovery.original.index};
}

}  // namespace nika::cli
