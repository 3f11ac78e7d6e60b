#include "nika/campaign/stored_campaign.hpp"

#include <algorithm>

#include "nika/base/program_fingerprint.hpp"
#include "nika/base/version.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika {
namespace {

// Speed is told more often at first; a night has a few thousand samples.
constexpr double kSampleSeconds = 1;
constexpr double kLaterSampleSeconds = 10;
constexpr double kLater = 60;

store::CampaignPlan plan_of(const CampaignPlace& place, const CampaignDesign& design) {
  store::CampaignPlan plan;
  plan.command = design.command;
  plan.settings = design.settings;
  for (const Property* property : design.properties) plan.properties.push_back(title_of(*property));
  plan.first = design.part.begin;
  plan.last = design.part.end;
  plan.whole = design.whole;
  plan.words = place.words;
  return plan;
}

}  // namespace

store::Counts counts_of(const Tally& tally) {
  store::Counts counts{tally.executed,       tally.scenarios,      tally.violating,        tally.unknown,
                       tally.committed,      tally.violating_runs, tally.faults.effective, tally.faults.matched,
                       tally.faults.changed, tally.faults.omitted, tally.faults.cut,       {}};
  for (const PropertyTally& p : tally.properties)
    counts.properties.push_back({p.violating, p.unknown, p.unknown_because});
  return counts;
}

Tally tally_of(const store::Counts& counts) {
  Tally tally(counts.properties.size());
  tally.executed = counts.executed;
  tally.scenarios = counts.scenarios;
  tally.violating = counts.violating;
  tally.unknown = counts.unknown;
  tally.committed = counts.committed;
  tally.violating_runs = counts.violating_runs;
  tally.faults = {counts.effective, counts.matched, counts.changed, counts.omitted, counts.cut};
  for (std::size_t p = 0; p < counts.properties.size(); ++p) {
    const store::PropertyCounts& c = counts.properties[p];
    tally.properties[p] = {c.violating, c.unknown, c.unknown_because};
  }
  return tally;
}

Result<std::unique_ptr<StoredCampaign>> StoredCampaign::open(const CampaignPlace& place, const Runner& runner,
                                                             const CampaignDesign& design) {
  std::unique_ptr<StoredCampaign> campaign(new StoredCampaign(runner, design.ledger));
  if (place.file.empty()) return campaign;
  const store::ProgramRecord program{std::string(version()), program_fingerprint()};
  auto file = store::CampaignFile::open(place.file, plan_of(place, design), program, place.takes_other_program);
  if (!file) return tl::unexpected(file.error());
  campaign->file_ = *std::move(file);
  if (auto loaded = campaign->load(campaign->file_->take_found()); !loaded) return tl::unexpected(loaded.error());
  return campaign;
}

Result<void> StoredCampaign::load(store::CampaignRecord record) {
  for (store::SightingRecord& sighting : record.sightings)
    sightings_[{sighting.position, sighting.property}] = std::move(sighting);
  for (const store::Stretch& stretch : record.stretches) {
    std::vector<Sighting> seen;
    const auto inside = [&](const auto& entry) {
      return entry.first.first >= stretch.first && entry.first.first < stretch.last;
    };
    for (const auto& entry : sightings_) {
      if (!inside(entry)) continue;
      kinds_.push_back(entry.second.kind);
      seen.push_back({entry.first.second, kinds_.back(), entry.first.first, entry.second.index});
    }
    ledger_.add({stretch.first, stretch.last}, tally_of(stretch.counts), std::move(seen));
  }
  for (store::FindingRecord& finding : record.findings)
    findings_[{finding.position, finding.property}] = std::move(finding);
  lessons_ = std::move(record.lessons);
  // Of parts that were merged some are none of the first any more.
  if (ledger_.sightings().size() == sightings_.size()) return {};
  return keep(ledger_, [](const Sighting&) { return Scenario(); });
}

Result<Scenario> StoredCampaign::scenario_of(const Sighting& sighting, const ScenarioOf& told) const {
  const auto found = sightings_.find({sighting.position, sighting.property});
  if (found == sightings_.end()) return told(sighting);
  const auto words = [&](std::string_view) -> Result<store::Vocabulary> { return words_of(runner_); };
  auto scenario = store::scenario_from_json(found->second.scenario, "a scenario of the campaign", words);
  if (scenario && scenario->protocol != runner_.name())
    return bad_input("a scenario of the campaign is of another protocol");
  return scenario;
}

Result<void> StoredCampaign::keep(const Ledger& ledger, const ScenarioOf& told, std::vector<std::string> lessons) {
  if (!file_) return {};
  store::CampaignProgress progress;
  for (const auto& [first, part] : ledger.parts())
    progress.stretches.push_back({first, part.last, counts_of(part.tally)});
  std::map<Key, store::SightingRecord> now;
  for (const Sighting& s : ledger.sightings()) {
    const Key key{s.position, s.property};
    auto known = sightings_.extract(key);
    store::SightingRecord record{s.position, static_cast<unsigned>(s.property), s.index, std::string(s.kind), {}};
    record.scenario = known ? std::move(known.mapped().scenario) : store::to_json(told(s), words_of(runner_));
    progress.sightings.push_back(record);
    now.emplace(key, std::move(record));
  }
  sightings_ = std::move(now);
  progress.lessons = std::move(lessons);
  progress.sample = sample(ledger);
  return file_->save(progress);
}

std::optional<store::SpeedSample> StoredCampaign::sample(const Ledger& ledger) {
  const double seconds = watch_.seconds();
  if (seconds < next_sample_) return std::nullopt;
  next_sample_ = seconds + (seconds < kLater ? kSampleSeconds : kLaterSampleSeconds);
  return store::SpeedSample{file_->session(), seconds, ledger.total().executed};
}

const store::FindingRecord* StoredCampaign::finding_of(const Sighting& sighting) const {
  const auto found = findings_.find({sighting.position, sighting.property});
  return found == findings_.end() ? nullptr : &found->second;
}

Result<void> StoredCampaign::keep_finding(const Sighting& sighting, std::string name, std::string finding) {
  if (!file_) return {};
  return file_->save(store::FindingRecord{sighting.position, static_cast<unsigned>(sighting.property), std::move(name),
                                          std::move(finding)});
}

Result<void> StoredCampaign::conclude(std::string_view verdict, const std::string& reason) {
  if (!file_) return {};
  return file_->save(store::ConclusionRecord{std::string(verdict), reason});
}

}  // namespace nika
