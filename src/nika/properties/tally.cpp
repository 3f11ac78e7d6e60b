#include "nika/properties/tally.hpp"

#include <algorithm>

namespace nika {

void Tally::add(const Outcome& outcome, Wide weight) {
  ++executed;
  scenarios += weight;
  if (outcome.has_committed) committed += weight;
  add(outcome.faults);
  for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
    const Judgement& judgement = outcome.judgements[p];
    if (judgement.verdict == Verdict::kHolds) continue;
    PropertyTally& tally = properties[p];
    if (judgement.verdict == Verdict::kViolated) {
      tally.violating += weight;
    } else {
      tally.unknown += weight;
      tally.unknown_because[static_cast<std::size_t>(judgement.unjudged)] += weight;
    }
  }
  const Verdict verdict = outcome.verdict();
  if (verdict == Verdict::kUnknown) unknown += weight;
  if (verdict != Verdict::kViolated) return;
  violating += weight;
  ++violating_runs;
}

void Tally::add(const FaultCounts& counts) {
  if (counts == FaultCounts{}) return;
  if (counts.changed > 0) ++faults.effective;
  faults.matched += counts.matched;
  faults.changed += counts.changed;
  faults.omitted += counts.omitted;
  faults.cut += counts.cut;
}

void Tally::add(const Tally& part) {
  executed += part.executed;
  scenarios += part.scenarios;
  violating += part.violating;
  unknown += part.unknown;
  committed += part.committed;
  violating_runs += part.violating_runs;
  faults.effective += part.faults.effective;
  faults.matched += part.faults.matched;
  faults.changed += part.faults.changed;
  faults.omitted += part.faults.omitted;
  faults.cut += part.faults.cut;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    properties[p].violating += part.properties[p].violating;
    properties[p].unknown += part.properties[p].unknown;
    for (std::size_t w = 0; w < properties[p].unknown_because.size(); ++w)
      properties[p].unknown_because[w] += part.properties[p].unknown_because[w];
  }
}

void keep_first(std::vector<Sighting>& sightings, unsigned of_each_kind) {
  std::ranges::sort(sightings, {}, [](const Sighting& s) { return std::pair(s.position, s.property); });
  std::vector<Sighting> kept;
  for (const Sighting& sighting : sightings) {
    const auto alike = std::ranges::count_if(kept, [&](const Sighting& k) { return k.is_like(sighting); });
    if (alike < of_each_kind) kept.push_back(sighting);
  }
  sightings = std::move(kept);
}

}  // namespace nika
