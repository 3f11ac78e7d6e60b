#include "nika/campaign/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "nika/base/version.hpp"
#include "nika/campaign/shrinker.hpp"
#include "nika/campaign/stored_campaign.hpp"
#include "nika/campaign/told_loops.hpp"
#include "nika/scenarios/shrink/canonical.hpp"
#include "nika/store/finding_of.hpp"
#include "nika/store/scenario_json.hpp"
#include "nika/store/trace_data.hpp"

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

// A scenario that cannot be made smaller, or the finding that was made of it before.
struct Findings::Small {
  Scenario scenario;
  Fingerprint name;
  std::uint64_t runs = 0;
  bool is_minimal = true;
  std::optional<store::Finding> finding{};
};

Result<Findings::Small> Findings::shrunk(const Property& property, const Scenario& scenario) const {
  Small small{scenario, {}, 0, true, {}};
  if (options_.shrinks) {
    auto result = shrink_fully(runner_, scenario, property, options_.stop);
    if (!result) return tl::unexpected(result.error());
    small.scenario = std::move(result->scenario);
    small.runs = result->runs;
    small.is_minimal = result->is_minimal;
  }
  small.name = name_of_class(runner_, small.scenario);
  return small;
}

Result<std::optional<Findings::Small>> Findings::remembered(const Sighting& sighting) const {
  const store::FindingRecord* const known =
      options_.campaign == nullptr ? nullptr : options_.campaign->finding_of(sighting);
  if (known == nullptr || known->finding.empty()) return std::nullopt;
  const auto words = [&](std::string_view) -> Result<store::Vocabulary> { return words_of(runner_); };
  auto read = store::recording_from_json(known->finding, "a finding of the campaign", words);
  if (!read) return tl::unexpected(read.error());
  if (!read->finding || read->scenario.protocol != runner_.name())
    return bad_input("a finding of the campaign is of another protocol");
  Small small{read->scenario, name_of_class(runner_, read->scenario), 0, true, {}};
  small.finding = std::move(read->finding);
  return small;
}

Result<void> Findings::add(const Property& property, const Scenario& scenario, std::optional<Wide> index) {
  auto small = shrunk(property, scenario);
  if (!small) return tl::unexpected(small.error());
  return tell(property, scenario, index, *std::move(small), nullptr);
}

Result<void> Findings::add(const Property& property, const Scenario& scenario, const Sighting& sighting) {
  auto known = remembered(sighting);
  if (!known) return tl::unexpected(known.error());
  auto small = *known ? Result<Small>(**std::move(known)) : shrunk(property, scenario);
  if (!small) return tl::unexpected(small.error());
  return tell(property, scenario, sighting.index, *std::move(small), &sighting);
}

Result<void> Findings::tell(const Property& property, const Scenario& scenario, std::optional<Wide> index, Small small,
                            const Sighting* sighting) {
  // What was stopped before it was as small as it can be is made anew when the campaign goes on.
  const bool is_kept = options_.campaign != nullptr && sighting != nullptr && small.is_minimal && !small.finding;
  const auto keep = [&](std::string text) -> Result<void> {
    if (!is_kept) return {};
    return options_.campaign->keep_finding(*sighting, store::text_of(small.name), std::move(text));
  };
  const auto is_same = [&](const ToldFinding& told) {
    return told.name == small.name && told.finding.property == title_of(property);
  };
  if (std::ranges::any_of(all_, is_same)) return keep("");
  std::optional<store::Finding> finding = std::move(small.finding);
  if (!finding) {
    auto made = finding_in(runner_, small.scenario, property);
    if (!made) return tl::unexpected(made.error());
    finding = *std::move(made);
    finding->shrink_runs = small.runs;
    finding->is_cut_short = !small.is_minimal;
    finding->original = scenario;
    set_origin(*finding, options_.settings, index);
    if (auto kept = keep(store::to_json(*finding, words_of(runner_))); !kept) return kept;
  }
  std::string file;
  if (!options_.directory.empty()) {
    if (auto stored = store(*finding, small.name, "")) file = std::move(stored->path);
  }
  all_.push_back({*std::move(finding), small.name, std::move(file), index});
  return {};
}

bool Findings::is_any_cut_short() const {
  return std::ranges::any_of(all_, [](const ToldFinding& told) { return told.finding.is_cut_short; });
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
