#include "nika/cli/pages.hpp"

#include <fmt/format.h>

#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/cli/built_in_page.hpp"
#include "nika/cli/console.hpp"
#include "nika/report/finding_page.hpp"
#include "nika/report/page_html.hpp"
#include "nika/report/run_page.hpp"
#include "nika/store/finding_files.hpp"

namespace nika::cli {
namespace {

std::string verdict_text_of(const Judgement& judgement) {
  const std::string name = title_of(*judgement.property);
  if (judgement.verdict == Verdict::kUnknown) return name + ": unknown: " + std::string(text_of(judgement.unjudged));
  return name + ": " + std::string(name_of(judgement.verdict));
}

struct TracedSide {
  const Runner* runner = nullptr;
  const Property* property = nullptr;
  TracedRun run;

  const Judgement& judgement() const { return run.outcome.judgements[0]; }
};

Result<TracedSide> traced_side(const Registry& registry, const Scenario& scenario, const Property& property) {
  const auto runner = registry.find(scenario.protocol);
  if (!runner) return tl::unexpected(runner.error());
  auto run = run_traced(**runner, scenario, only(property));
  if (!run) return tl::unexpected(run.error());
  return TracedSide{*runner, &property, *std::move(run)};
}

Result<store::Finding> finding_of_attack(const Registry& registry, const store::Attack& attack,
                                         const TracedSide& side) {
  if (side.judgement().verdict != Verdict::kViolated)
    return bad_input(fmt::format("{} does not break {}: there is nothing to draw", attack.name, attack.property));
  store::Finding finding = finding_of(*side.runner, attack.flawed, side.run, side.judgement());
  if (!stops(attack)) return finding;
  const auto repaired = repaired_side_of(registry, attack, attack.flawed);
  if (!repaired) return tl::unexpected(repaired.error());
  auto loop = told_loop_of(*side.runner, attack.flawed, *repaired, &side.run.trace, place_for(*side.property));
  if (!loop) return tl::unexpected(Error{attack.name + ": " + loop.error().message});
  finding.loop = *std::move(loop);
  return finding;
}

report::PageRun repaired_run_of(const store::Attack& attack, const TracedSide& side) {
  const report::TraceView view{side.run.cluster, side.runner->kinds(), side.run.trace, side.runner->notes(),
                               side.runner->leaves()};
  report::PageRun run = report::run_page_of(attack.repaired, view);
  run.title = "repaired";
  run.verdict = name_of(side.judgement().verdict);
  run.verdict_text = verdict_text_of(side.judgement());
  return run;
}

}  // namespace

Result<void> check_page_output(const std::string& file) {
  if (file.empty()) return bad_input("read no name of a file, expected one such as report.html");
  if (built_in_page().empty()) {
    return bad_input(
        "this program was built without the page of reports: Node.js and npm were missing then; install both (Debian: "
        "nodejs, npm) and build again with ./dev build");
  }
  return {};
}

Result<void> write_page(const report::Page& page, const std::string& file) {
  const auto html = report::html_of(page, built_in_page());
  if (!html) return tl::unexpected(html.error());
  return store::write_text_file(file, *html);
}

report::Page page_of_finding(const Registry& registry, const store::Finding& finding) {
  const auto runner = registry.find(finding.scenario.protocol);
  return report::page_of(finding, runner ? (*runner)->leaves() : std::span<const KindLeaves>());
}

Result<report::Page> page_of_attack(const Registry& registry, const store::Attack& attack) {
  const auto property = property_of(registry, attack);
  if (!property) return tl::unexpected(property.error());
  const auto flawed = traced_side(registry, attack.flawed, **property);
  if (!flawed) return tl::unexpected(Error{attack.name + ": " + flawed.error().message});
  const auto finding = finding_of_attack(registry, attack, *flawed);
  if (!finding) return tl::unexpected(finding.error());
  const auto repaired = traced_side(registry, attack.repaired, **property);
  if (!repaired) return tl::unexpected(Error{attack.name + ": " + repaired.error().message});
  report::Page page = report::page_of(*finding, flawed->runner->leaves());
  page.title = attack.name;
  page.runs.front().title = "flawed";
  page.runs.push_back(repaired_run_of(attack, *repaired));
  page.attack = report::attack_page_of(attack);
  return page;
}

std::string numbered_file(const std::string& file, std::size_t number) {
  if (number <= 1) return file;
  const std::size_t slash = file.rfind('/');
  const std::size_t dot = file.rfind('.');
  const bool has_ending = dot != std::string::npos && dot > 0 && (slash == std::string::npos || dot > slash + 1);
  const std::size_t at = has_ending ? dot : file.size();
  return fmt::format("{}-{}{}", file.substr(0, at), number, file.substr(at));
}

}  // namespace nika::cli
