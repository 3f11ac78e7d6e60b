#include "nika/campaign/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "nika/base/version.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/told_loops.hpp"
#include "nika/scenarios/shrink/canonical.hpp"
#include "nika/store/finding_of.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika {

Result<TracedRun> run_traced(const Runner& runner, const Scenario& scenario, const Properties& properties) {
  auto cluster = cluster_of(scenario, runner.bugs());
  if (!cluster) return tl::unexpected(cluster.error());
  TracedRun run{*cluster, {}, {}};
  const auto outcome = run_scenario(runner, scenario, properties, &run.trace);
  if (!outcome) return tl::unexpected(outcome.error());
  run.outcome = *outcome;
  return run;
}

store::Vocabulary words_of(const Runner& runner) {
  return {runner.kinds(), runner.bugs(), {}, runner.clients(), runner.leaves()};
}

store::VocabularyOf words_in(const Registry& registry) {
  return [&registry](std::string_view protocol) -> Result<store::Vocabulary> {
    const auto runner = registry.find(protocol);
    if (!runner) return tl::unexpected(runner.error());
    store::Vocabulary words = words_of(**runner);
    words.properties = registry.property_names();
    return words;
  };
}

store::Finding finding_of(const Runner& runner, const Scenario& scenario, const TracedRun& run,
                          const Judgement& judgement) {
  store::Finding finding =
      store::finding_of({scenario, run.cluster, judgement, run.trace, runner.kinds(), runner.notes()});
  finding.program = fmt::format("nika {}", version());
  return finding;
}

Fingerprint name_of_class(const Runner& runner, const Scenario& scenario) {
  const std::string text = store::to_json(shrink::canonical_form(scenario), words_of(runner));
  return fingerprint_of(text.data(), text.size());
}

namespace {

Result<store::Finding> finding_in(const Runner& runner, const Scenario& scenario, const Property& property) {
  const auto run = run_traced(runner, scenario, only(property));
  if (!run) return tl::unexpected(run.error());
  const Judgement* violation = run->outcome.violation();
  if (violation == nullptr) {
    return bad_input(
        fmt::format("internal error: a search reports that {} is broken, but running the scenario shows "
                    "nothing of it",
                    property.name));
  }
  store::Finding finding = finding_of(runner, scenario, *run, *violation);
  if (!is_about_progress(property.name)) return finding;
  auto loop = told_loop_of(runner, scenario, repaired_side_of(runner, scenario), &run->trace, place_for(property));
  if (!loop) return tl::unexpected(loop.error());
  finding.loop = *std::move(loop);
  return finding;
}

void set_origin(store::Finding& finding, const std::string& settings, std::optional<Wide> index) {
  if (!settings.empty()) finding.origin = store::Origin{index ? to_string(*index) : "", settings};
}

}  // namespace

void Findings::store_provisionally(const Property& property, const Scenario& scenario, std::optional<Wide> index) {
  if (options_.directory.empty()) return;
  auto finding = finding_in(runner_, scenario, property);
  if (!finding) return;  // it will be an error when the findings are made
  const std::pair key(finding->property, finding->kind);
  if (std::ranges::find(provisional_kinds_, key) != provisional_kinds_.end()) return;
  provisional_kinds_.push_back(key);
  set_origin(*finding, options_.settings, index);
  const auto stored = store(*finding, name_of_class(runner_, scenario), "-as-found");
  if (stored && stored->is_new) provisional_.push_back(stored->path);
}

Result<void> Findings::add(const Property& property, const Scenario& scenario, std::optional<Wide> index) {
  Scenario smallest = scenario;
  std::uint64_t runs = 0;
  bool is_minimal = true;
  if (options_.shrinks) {
    auto shrunk = shrink_fully(runner_, scenario, property, options_.stop);
    if (!shrunk) return tl::unexpected(shrunk.error());
    smallest = std::move(shrunk->scenario);
    runs = shrunk->runs;
    is_minimal = shrunk->is_minimal;
  }
  const Fingerprint name = name_of_class(runner_, smallest);
  const auto is_same = [&](const ToldFinding& told) {
    return told.name == name && told.finding.property == title_of(property);
  };
  if (std::ranges::any_of(all_, is_same)) return {};
  auto finding = finding_in(runner_, smallest, property);
  if (!finding) return tl::unexpected(finding.error());
  finding->shrink_runs = runs;
  finding->is_cut_short = !is_minimal;
  finding->original = scenario;
  set_origin(*finding, options_.settings, index);
  std::string file;
  if (!options_.directory.empty()) {
    if (auto stored = store(*finding, name, "")) file = std::move(stored->path);
  }
  all_.push_back({*std::move(finding), name, std::move(file), index});
  return {};
}

std::optional<store::StoredFinding> Findings::store(const store::Finding& finding, const Fingerprint& name,
                                                    std::string_view mark) {
  auto stored = store::store_finding(finding, words_of(runner_), name, options_.directory, mark);
  if (stored) return *std::move(stored);
  storing_error_ = stored.error();
  return std::nullopt;
}

// Only when the findings that take their place are there.
void Findings::drop_provisional() {
  if (storing_error_) return;
  for (const std::string& file : provisional_) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
}

}  // namespace nika
