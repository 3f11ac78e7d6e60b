// A campaign that can be taken up again: its ledger, its findings and what a guide has learnt are in a file while it
// runs. A plain run is the same without a file: then nothing is read or written, and all else is as it is.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nika/campaign/ledger.hpp"
#include "nika/campaign/runner.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/store/campaign_file.hpp"

namespace nika {

// Where a campaign is kept.
struct CampaignPlace {
  std::string file;                // empty: nowhere
  std::vector<std::string> words;  // of the command line that takes it up again
  bool takes_other_program = false;
};

struct CampaignDesign {
  std::string command;
  std::string settings;  // one JSON object: all that decides what comes out, beside the properties and the positions
  Properties properties;
  twins::Range part;  // the positions that are to be run
  Wide whole = 0;     // how many there would be without a shard
  Ledger::Options ledger;
};

store::Counts counts_of(const Tally& tally);
Tally tally_of(const store::Counts& counts);

class StoredCampaign {
 public:
  using ScenarioOf = std::function<Scenario(const Sighting&)>;

  // The runner outlives it.
  static Result<std::unique_ptr<StoredCampaign>> open(const CampaignPlace& place, const Runner& runner,
                                                      const CampaignDesign& design);

  bool is_stored() const { return file_.has_value(); }
  Ledger& ledger() { return ledger_; }
  // How a sighting of the ledger was found: as it was stored, or as it is told anew.
  Result<Scenario> scenario_of(const Sighting& sighting, const ScenarioOf& told) const;

  // All that is new in the ledger, and what was learnt since the last time.
  Result<void> keep(const Ledger& ledger, const ScenarioOf& told, std::vector<std::string> lessons = {});
  // Of earlier sessions; the memory is given to the caller.
  std::vector<std::string> take_lessons() { return std::move(lessons_); }

  // What was made of the sighting before; null if nothing was.
  const store::FindingRecord* finding_of(const Sighting& sighting) const;
  Result<void> keep_finding(const Sighting& sighting, std::string name, std::string finding);
  // All of it is done, and this is what it shows.
  Result<void> conclude(std::string_view verdict, const std::string& reason);

 private:
  using Key = std::pair<Wide, std::size_t>;  // position and property
  StoredCampaign(const Runner& runner, const Ledger::Options& options) : runner_(runner), ledger_(options) {}
  Result<void> load(store::CampaignRecord record);
  std::optional<store::SpeedSample> sample(const Ledger& ledger);

  const Runner& runner_;
  Ledger ledger_;
  std::optional<store::CampaignFile> file_;
  std::map<Key, store::SightingRecord> sightings_;
  std::map<Key, store::FindingRecord> findings_;
  std::vector<std::string> lessons_;
  std::deque<std::string> kinds_;  // that sightings of earlier sessions refer to
  Watch watch_;
  double next_sample_ = 0;
};

}  // namespace nika
