#include "nika/cli/recorded_run.hpp"

#include <fmt/format.h>

namespace nika::cli {

void add_property_option(Command& command, std::string& property) {
  command.option("--property", property,
                 "agreement, termination or all (default: what a finding or attack breaks, agreement for a scenario)",
                 "WHICH");
}

Result<RecordedRun> run_recorded(const std::string& file, const Registry& registry, const std::string& property) {
  auto recording = store::read_recording(file, words_in(registry));
  if (!recording) return tl::unexpected(recording.error());
  const auto runner = registry.find(recording->scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  const std::string recorded = recording->property.empty() ? "agreement" : recording->property;
  const auto properties = parse_properties(property.empty() ? recorded : property);
  if (!properties) return tl::unexpected(properties.error());
  auto run = run_traced(**runner, recording->scenario, *properties);
  if (!run) return tl::unexpected(Error{file + ": " + run.error().message});
  return RecordedRun{*runner, *properties, *std::move(recording), *std::move(run)};
}

Result<store::Finding> finding_shown_by(const RecordedRun& recorded) {
  Discovery discovery;
  discovery.kind = kind_of(recorded.run.outcome);
  discovery.scenario = recorded.recording.scenario;
  discovery.original.scenario = recorded.recording.scenario;
  return finding_of(*recorded.runner, discovery, "");
}

namespace {

Json json_of(const Cluster& cluster, const Standstill& standstill) {
  Json json{{"since", standstill.since.number}, {"undecided", Json::array()}, {"blocked", nullptr}};
  for (Seat seat : standstill.undecided) json["undecided"].push_back(name_of(cluster, seat));
  if (!standstill.blocked.empty()) {
    json["blocked"] = Json{{"seat", name_of(cluster, standstill.blocked_seat)}, {"why", standstill.blocked}};
  }
  return json;
}

}  // namespace

Json json_of(const std::string& command, const std::string& file, const RecordedRun& recorded) {
  const Outcome& outcome = recorded.run.outcome;
  const store::TraceMark mark = report::mark_of(recorded.view());
  Json json;
  json["command"] = command;
  json["file"] = file;
  json["protocol"] = recorded.recording.scenario.protocol;
  json["bugs"] = recorded.recording.scenario.bugs;
  json["verdict"] = name_of(outcome.verdict);
  const bool violated = outcome.verdict == Verdict::kViolated;
  json["property"] = violated ? name_of(outcome.property) : name_of(recorded.properties);
  json["rounds"] = outcome.rounds;
  json["events"] = mark.events;
  json["trace_fingerprint"] = mark.fingerprint;
  json["recorded_fingerprint"] = nullptr;
  json["identical"] = nullptr;
  if (recorded.recording.finding) {
    json["recorded_fingerprint"] = recorded.recording.finding->trace.fingerprint;
    json["identical"] = !recorded.differs_from_record();
  }
  json["conflict"] = nullptr;
  json["standstill"] = nullptr;
  if (violated && outcome.property == Property::kTermination) {
    json["standstill"] = json_of(recorded.run.cluster, outcome.standstill);
  } else if (violated) {
    const Conflict& conflict = outcome.conflict;
    const auto side = [&](Seat seat, ValueId value) {
      return Json{{"seat", name_of(recorded.run.cluster, seat)}, {"value", name_of(recorded.run.cluster, value)}};
    };
    json["conflict"] = Json{{"height", conflict.height.number},
                            {"first", side(conflict.first_seat, conflict.first_value)},
                            {"second", side(conflict.second_seat, conflict.second_value)}};
  }
  return json;
}

int refuse_difference(const std::string& file, const RecordedRun& recorded) {
  const store::TraceMark now = report::mark_of(recorded.view());
  const store::TraceMark& then = recorded.recording.finding->trace;
  print_error(fmt::format("{}: the trace is not the recorded one: {} events with fingerprint {}, recorded {} with {}",
                          file, now.events, now.fingerprint, then.events, then.fingerprint));
  return kExitInternal;
}

}  // namespace nika::cli
