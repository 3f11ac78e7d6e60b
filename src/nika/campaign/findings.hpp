// From runs that break a property to what is worth telling: each made small, those that differ only by names told once,
// and stored as they are found. What cannot be stored is still told.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/campaign/registry.hpp"
#include "nika/properties/tally.hpp"
#include "nika/store/finding_files.hpp"

namespace nika {

class StoredCampaign;

// A scenario run once more, with all that happened.
struct TracedRun {
  Cluster cluster;
  Outcome outcome;
  Trace trace;
};
Result<TracedRun> run_traced(const Runner& runner, const Scenario& scenario, const Properties& properties);

// The words of one protocol, for writing files; of all and of the properties, for reading them.
store::Vocabulary words_of(const Runner& runner);
store::VocabularyOf words_in(const Registry& registry);

// What the run shows of a judgement that is a violation.
store::Finding finding_of(const Runner& runner, const Scenario& scenario, const TracedRun& run,
                          const Judgement& judgement);

// The name of a scenario's class of renamings.
Fingerprint name_of_class(const Runner& runner, const Scenario& scenario);

struct FindingOptions {
  std::string directory;  // nothing is stored if it is empty
  std::string settings;   // of the campaign, one JSON object; may be empty
  bool shrinks = true;
  const std::atomic<bool>* stop = nullptr;  // findings are then kept as small as they are
  StoredCampaign* campaign = nullptr;       // what is made of a sighting is kept there, and not made again
};

struct ToldFinding {
  store::Finding finding;
  Fingerprint name;           // of its class of renamings
  std::string file;           // empty if it was not stored
  std::optional<Wide> index;  // in the space of the campaign
};

class Findings {
 public:
  // The runner outlives it.
  Findings(const Runner& runner, FindingOptions options) : runner_(runner), options_(std::move(options)) {}
  ~Findings() { drop_provisional(); }
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  // At once, before it is known whether it will be told, so that nothing is lost with the process: as it was found, one
  // for each property and kind. What was stored this way is removed when the findings are complete.
  void store_provisionally(const Property& property, const Scenario& scenario, std::optional<Wide> index);

  // Shrinks it, unless one that differs only by names was told already. An error if the scenario does not break the
  // property when it is run.
  Result<void> add(const Property& property, const Scenario& scenario, std::optional<Wide> index);
  // The same of a sighting, of the campaign if there is one.
  Result<void> add(const Property& property, const Scenario& scenario, const Sighting& sighting);
  // Whether any is larger than it could be, because shrinking was stopped.
  bool is_any_cut_short() const;

  const std::vector<ToldFinding>& all() const { return all_; }
  // Why a finding could not be stored; nothing if all were.
  const std::optional<Error>& storing_error() const { return storing_error_; }

 private:
  struct Small;
  Result<Small> shrunk(const Property& property, const Scenario& scenario) const;
  // What was made of it before.
  Result<std::optional<Small>> remembered(const Sighting& sighting) const;
  Result<void> tell(const Property& property, const Scenario& scenario, std::optional<Wide> index, Small small,
                    const Sighting* sighting);
  // Where it is; nothing if it could not be stored.
  std::optional<store::StoredFinding> store(const store::Finding& finding, const Fingerprint& name,
                                            std::string_view mark);
  void drop_provisional();

  const Runner& runner_;
  const FindingOptions options_;
  std::vector<ToldFinding> all_;
  std::vector<std::string> provisional_;  // files that were not there before
  std::vector<std::pair<std::string, std::string>> provisional_kinds_;
  std::optional<Error> storing_error_;
};

}  // namespace nika
