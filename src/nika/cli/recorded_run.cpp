#include "nika/cli/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/campaign/told_loops.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/totality.hpp"
#include "nika/report/finding_text.hpp"
#include "nika/report/loop_text.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::cli {
namespace {

bool breaks_progress(const Judgement& judgement) {
  return judgement.verdict == Verdict::kViolated && is_about_progress(judgement.property->name);
}

// Where nothing was committed these two hold whatever the protocol is: nothing is shown.
void mind_commits(Outcome& outcome) {
  if (outcome.has_committed) return;
  for (Judgement& judgement : outcome.judgements) {
    const Property* const property = judgement.property;
    if (judgement.verdict != Verdict::kHolds || (property != &kAgreement && property != &kTotality)) continue;
    judgement = Judgement::unknown(Unjudged::kNobodyCanDecide);
    judgement.property = property;
  }
}

}  // namespace

void add_property_option(Command& command, PropertyArguments& asked) {
  command.option("--property", asked.property,
                 "properties with commas, or all (default: what a finding or attack breaks, agreement for a scenario)",
                 "WHICH");
  add_limit_options(command, asked);
}

Result<RecordedRun> run_recorded(const std::string& file, const Registry& registry, const PropertyArguments& asked) {
  auto recording = store::read_recording(file, words_in(registry));
  if (!recording) return tl::unexpected(recording.error());
  const auto runner = registry.find(recording->scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  const std::string recorded = recording->property.empty() ? "agreement" : recording->property;
  PropertyArguments arguments = asked;
  if (arguments.property.empty()) arguments.property = recorded;
  const auto properties = properties_of(arguments, registry.properties());
  if (!properties) return tl::unexpected(properties.error());
  auto run = run_traced(**runner, recording->scenario, *properties);
  if (!run) return tl::unexpected(Error{file + ": " + run.error().message});
  mind_commits(run->outcome);
  const bool is_as_recorded = names_of(*properties) == recorded;
  RecordedRun result{*runner, *properties, *std::move(recording), *std::move(run), is_as_recorded};
  const auto* broken = std::ranges::find_if(result.run.outcome.judgements, breaks_progress);
  if (broken == result.run.outcome.judgements.end()) return result;
  const Scenario& scenario = result.recording.scenario;
  auto loop = told_loop_of(**runner, scenario, repaired_side_of(**runner, scenario), &result.run.trace,
                           place_for(*broken->property));
  if (!loop) return tl::unexpected(Error{file + ": " + loop.error().message});
  result.loop = *std::move(loop);
  return result;
}

std::optional<store::Finding> RecordedRun::finding() const {
  const Judgement* violation = run.outcome.violation();
  if (violation == nullptr) return std::nullopt;
  store::Finding finding = finding_of(*runner, recording.scenario, run, *violation);
  if (breaks_progress(*violation)) finding.loop = loop;
  return finding;
}

std::string RecordedRun::difference() const {
  if (!recording.finding || !is_as_recorded) return "";
  const auto shown = finding();
  if (!shown) return fmt::format("it breaks {} no more", recording.finding->property);
  return store::difference_between(*recording.finding, *shown);
}

// How the run came to it is for findings.
Json json_of_loop(const std::optional<store::LoopRecord>& loop) {
  if (!loop) return nullptr;
  Json json = Json::parse(store::to_json(*loop));
  json.erase("run");
  return json;
}

void print_loop(const std::optional<store::LoopRecord>& loop, std::string_view indent) {
  if (!loop) return;
  fmt::print("{}{}\n", indent, report::loop_text(loop));
  if (loop->repaired) fmt::print("{}{}\n", indent, report::repaired_text(loop));
}

Json json_of_evidence(const store::EvidenceRecord& evidence) {
  Json claims = Json::array();
  for (const store::ClaimRecord& claim : evidence.claims)
    claims.push_back(Json{{"seat", claim.seat}, {"value", claim.value}});
  return Json{{"why", evidence.why.empty() ? Json(nullptr) : Json(evidence.why)},
              {"since", evidence.since},
              {"height", evidence.height},
              {"seats", evidence.seats},
              {"claims", claims}};
}

namespace {

Json json_of(const RecordedRun& recorded, const Judgement& judgement) {
  Json json{{"property", title_of(*judgement.property)}, {"verdict", name_of(judgement.verdict)}};
  json["reason"] = judgement.verdict == Verdict::kUnknown ? Json(text_of(judgement.unjudged)) : Json(nullptr);
  json["kind"] = nullptr;
  json["evidence"] = nullptr;
  if (judgement.verdict == Verdict::kViolated) {
    const store::Finding finding = finding_of(*recorded.runner, recorded.recording.scenario, recorded.run, judgement);
    json["kind"] = finding.kind;
    json["evidence"] = json_of_evidence(finding.evidence);
  }
  return json;
}

}  // namespace

void print_judgements(const RecordedRun& recorded) {
  const Paint paint;
  for (const Judgement& judgement : recorded.run.outcome.judgements) {
    if (judgement.verdict == Verdict::kViolated) {
      const store::Finding finding = finding_of(*recorded.runner, recorded.recording.scenario, recorded.run, judgement);
      fmt::print("{}: {}\n{}", paint.verdict(judgement.verdict, "VIOLATED"), report::violation_text(finding),
                 report::histories_text(finding, "  "));
    } else if (judgement.verdict == Verdict::kUnknown) {
      fmt::print("{}: {}: {}\n", paint.verdict(judgement.verdict, "UNKNOWN"), title_of(*judgement.property),
                 text_of(judgement.unjudged));
    } else {
      fmt::print("{}: {}\n", paint.verdict(judgement.verdict, "HOLDS"), title_of(*judgement.property));
    }
  }
}

Json json_of(const std::string& command, const std::string& file, const RecordedRun& recorded) {
  const Outcome& outcome = recorded.run.outcome;
  Json json;
  json["command"] = command;
  json["file"] = file;
  json["protocol"] = recorded.recording.scenario.protocol;
  json["bugs"] = recorded.recording.scenario.bugs;
  json["verdict"] = name_of(outcome.verdict());
  json["property"] = names_of(recorded.properties);
  json["judgements"] = Json::array();
  for (const Judgement& judgement : outcome.judgements) json["judgements"].push_back(json_of(recorded, judgement));
  json["committed"] = outcome.has_committed;
  json["rounds"] = outcome.rounds;
  json["events"] = recorded.run.trace.size();
  json["trace_fingerprint"] = store::text_of(store::fingerprint_of(recorded.run.trace));
  json["recorded_fingerprint"] = nullptr;
  json["identical"] = nullptr;
  if (recorded.recording.finding && recorded.is_as_recorded) {
    json["recorded_fingerprint"] = store::text_of(store::fingerprint_of(recorded.recording.finding->trace.events));
    json["identical"] = recorded.difference().empty();
  }
  json["loop"] = json_of_loop(recorded.loop);
  return json;
}

int refuse_difference(const std::string& file, const RecordedRun& recorded) {
  print_error(fmt::format("{}: this is not the recorded run: {}", file, recorded.difference()));
  return kExitInternal;
}

}  // namespace nika::cli
