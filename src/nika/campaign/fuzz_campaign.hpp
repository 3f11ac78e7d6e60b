// A ByzzFuzz campaign: settings and properties in, counts, a conclusion and findings out. Never prints.
#pragma once

#include <functional>

#include "nika/campaign/findings.hpp"
#include "nika/campaign/stored_campaign.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/scenarios/byzzfuzz/settings.hpp"

namespace nika {

struct FuzzRequest {
  byzzfuzz::Settings settings;
  const Runner* runner = nullptr;
  Properties properties;
  unsigned threads = 1;
  bool is_exhaustive = false;  // for search_fuzz
  Wide most_runs = 0;          // of search_fuzz, each thread its share; 0: as many as it takes
  bool stops_at_first = false;
  std::string findings;  // the directory
  unsigned max_findings = 1;
  bool shrinks = true;
  CampaignPlace place;
  double seconds = 0;  // after which it stops; 0: never
};

struct FuzzProgress {
  Wide executed = 0;
  Wide asked = 0;
  Wide violating = 0;
  Tally tally;
  bool is_shrinking = false;
};

struct FuzzWatch {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const FuzzProgress&)> progress;
};

struct FuzzOutcome {
  double seconds = 0;
  Tally tally;
  Conclusion conclusion = Conclusion::kUnknown;
  std::string reason;                   // why it is unknown
  std::optional<FirstViolation> first;  // of search_fuzz only on one thread: others run beside it
  std::vector<ToldFinding> findings;
  std::optional<Error> storing_error;
  bool can_go_on = false;  // it was stopped, and its file takes it up again

  Wide judged() const { return tally.scenarios - tally.unknown; }
};

// What the settings take from the protocol. More than agreement needs the healing that the protocol asks for.
void set_protocol(byzzfuzz::Settings& settings, const Runner& runner, const Properties& properties);

// From the tally, of so many runs or configurations that were asked for. A sample never shows that something holds.
void conclude(FuzzOutcome& outcome, Wide asked, bool is_whole);

// With what was done of it before, if it is kept in a file. Guided ones are another command there.
Result<std::unique_ptr<StoredCampaign>> open_campaign(const FuzzRequest& request);

// What was run: the first runs of each kind that were seen to break something, and what they were.
struct FuzzSightings {
  std::vector<Sighting> sightings;
  StoredCampaign::ScenarioOf scenario_of;
  bool was_stopped = false;
};
// Shrinks and stores them, and concludes: how every drawn campaign ends.
Result<void> add_findings(FuzzOutcome& outcome, const FuzzRequest& request, const FuzzWatch& watch,
                          const FuzzSightings& seen, Findings& findings, StoredCampaign& campaign);

Result<FuzzOutcome> run_fuzz(const FuzzRequest& request, const FuzzWatch& watch);

}  // namespace nika
