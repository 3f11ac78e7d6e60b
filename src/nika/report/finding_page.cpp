#include "nika/report/finding_page.hpp"

#include <fmt/format.h>

#include "nika/report/finding_text.hpp"
#include "nika/report/loop_text.hpp"
#include "nika/report/run_page.hpp"
#include "nika/report/stored_view.hpp"

namespace nika::report {
namespace {

PageHolding page_of(const store::HoldingRecord& holding) {
  return {holding.view, holding.prepared, holding.locked, holding.executed};
}

std::vector<std::string> words_of(const Assumptions& assumptions) {
  std::vector<std::string> words;
  words.emplace_back(assumptions.healed ? "the network is healed: every message between honest nodes arrives at once"
                                        : "the network goes on losing messages between honest nodes");
  words.emplace_back(assumptions.fair ? "fair: every honest node leads in the loop"
                                      : "not fair: some honest node never leads in the loop");
  words.emplace_back(assumptions.order == Assumptions::Arrival::kAny
                         ? "whatever the order in which honest nodes handle what arrives together"
                         : "in this one order of arrival");
  switch (assumptions.liars) {
    case Assumptions::Liars::kSilent: words.emplace_back("honest nodes hear nothing of liars"); break;
    case Assumptions::Liars::kSelective: words.emplace_back("liars are heard in part only"); break;
    case Assumptions::Liars::kActive: words.emplace_back("all that liars send is heard"); break;
  }
  return words;
}

PageLoop page_of(const store::LoopRecord& loop) {
  PageLoop page;
  page.is_proved = loop.proved;
  page.is_shown = loop.proved && loop.run.has_value();
  page.before_first = loop.run ? loop.run->from : loop.first_round - 1;
  page.last = loop.run ? loop.run->to : loop.last_round();
  page.text = loop_text(loop);
  page.repaired = repaired_text(loop);
  page.assumptions = words_of(loop.assumptions);
  page.waiting = loop.waiting;
  for (const store::EndsRecord& ends : loop.ends)
    page.ends.push_back({ends.seat, page_of(ends.before), page_of(ends.after)});
  return page;
}

// Where a loop is told, its run up to where it has come round takes the place of the recorded one.
PageRun run_of(const store::Finding& finding, std::span<const KindLeaves> leaves) {
  const StoredView stored(finding);
  TraceView view = stored.view();
  view.leaves = leaves;
  if (!finding.loop || !finding.loop->proved || !finding.loop->run) return run_page_of(finding.scenario, view);
  const store::LoopRunRecord& loop = *finding.loop->run;
  const Trace events = store::events_of(loop, view.events);
  view.events = events;
  return run_page_of(finding.scenario, view, [&](unsigned round) { return loop.scheduled_round(round); });
}

}  // namespace

Page page_of(const store::Finding& finding, std::span<const KindLeaves> leaves) {
  Page page;
  page.program = finding.program;
  page.title = fmt::format("{}: {}", finding.scenario.protocol, finding.kind);
  page.event_layout = event_layout();
  PageRun run = run_of(finding, leaves);
  run.title = "recorded run";
  run.verdict = "violated";
  run.verdict_text = violation_text(finding);
  page.runs.push_back(std::move(run));
  PageFinding told;
  told.property = finding.property;
  told.kind = finding.kind;
  told.why = finding.evidence.why;
  told.since = finding.evidence.since;
  told.height = finding.evidence.height;
  told.seats = finding.evidence.seats;
  for (const store::ClaimRecord& claim : finding.evidence.claims) {
    PageClaim& page_claim = told.claims.emplace_back(PageClaim{claim.seat, claim.value, {}});
    for (const store::CommitEntry& entry : claim.history) page_claim.history.push_back({entry.height, entry.value});
  }
  told.shrinking = shrinking_text(finding);
  told.mark = store::mark_of(finding);
  if (finding.loop) told.loop = page_of(*finding.loop);
  page.finding = std::move(told);
  return page;
}

PageAttack attack_page_of(const store::Attack& attack) {
  PageAttack page{attack.source, attack.about, attack.repair, {}};
  for (std::size_t i = 0; i < attack.steps.size(); ++i) {
    PageStep& step = page.steps.emplace_back();
    step.text = attack.steps[i];
    if (i >= attack.step_times.size() || !attack.step_times[i]) continue;
    step.is_placed = true;
    step.first = attack.step_times[i]->first;
    step.last = attack.step_times[i]->last;
  }
  return page;
}

}  // namespace nika::report
