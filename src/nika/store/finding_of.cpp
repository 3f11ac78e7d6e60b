#include "nika/store/finding_of.hpp"

#include <algorithm>

#include "nika/base/require.hpp"
#include "nika/model/property.hpp"

namespace nika::store {
namespace {

// A seat can contradict itself. Where another honest seat committed what it committed first, those two are told.
Seat first_seat_of(const JudgedRun& run) {
  const Evidence& evidence = run.judgement.evidence;
  const Claim& first = evidence.claims[0];
  if (evidence.claims.size() < 2 || first.seat != evidence.claims[1].seat) return first.seat;
  for (const Event& event : run.trace) {
    const bool agrees = event.kind == EventKind::kCommitted && event.height == evidence.height &&
                        event.value == first.value && run.cluster.is_honest(event.seat);
    if (agrees && event.seat != first.seat) return event.seat;
  }
  return first.seat;
}

// In a timed run it counts whether the network heals, and not for how many rounds.
Scenario told(Scenario scenario) {
  if (scenario.timing) scenario.heal_rounds = std::min<std::uint8_t>(scenario.heal_rounds, 1);
  return scenario;
}

std::vector<std::string> texts_of(std::span<const std::string_view> words) { return {words.begin(), words.end()}; }

}  // namespace

std::vector<CommitEntry> history_of(const Cluster& cluster, std::span<const Event> trace, Seat seat) {
  std::vector<CommitEntry> history;
  for (const Event& event : trace) {
    if (event.kind != EventKind::kCommitted || event.seat != seat) continue;
    CommitEntry entry{event.height.number, name_of(cluster, event.value)};
    if (std::ranges::find(history, entry) == history.end()) history.push_back(std::move(entry));
  }
  std::ranges::stable_sort(history, {}, &CommitEntry::height);
  return history;
}

Finding finding_of(const JudgedRun& run) {
  NIKA_REQUIRE(run.judgement.verdict == Verdict::kViolated && run.judgement.property != nullptr);
  const Evidence& evidence = run.judgement.evidence;
  Finding finding;
  finding.property = title_of(*run.judgement.property);
  finding.kind = evidence.kind;
  finding.scenario = told(run.scenario);
  finding.original = finding.scenario;
  finding.evidence.why = evidence.why;
  finding.evidence.since = evidence.since.number;
  finding.evidence.height = evidence.height.number;
  SeatSet seats = evidence.seats;
  if (!evidence.claims.empty() && seats.contains(evidence.claims[0].seat)) seats.insert(first_seat_of(run));
  for (Seat seat : seats) finding.evidence.seats.push_back(name_of(run.cluster, seat));
  for (std::size_t i = 0; i < evidence.claims.size(); ++i) {
    const Seat seat = i == 0 ? first_seat_of(run) : evidence.claims[i].seat;
    const ValueId value = evidence.claims[i].value;
    finding.evidence.claims.push_back({name_of(run.cluster, seat),
                                       value.is_genesis() ? "" : name_of(run.cluster, value),
                                       history_of(run.cluster, run.trace, seat)});
  }
  finding.trace = {texts_of(run.kinds), texts_of(run.notes), {run.trace.begin(), run.trace.end()}};
  return finding;
}

}  // namespace nika::store
