// A Twins campaign: settings and properties in, counts, a conclusion and findings out, all of them plain values. It
// counts, samples, sweeps or covers a space, and never prints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "nika/campaign/findings.hpp"
#include "nika/campaign/stored_campaign.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/scenarios/twins/classes.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika {

struct TwinsRequest {
  twins::Settings settings;
  const Runner* runner = nullptr;
  Properties properties;
  std::string range;  // "a..b", or nothing
  std::string shard;  // "i/n", or nothing
  std::optional<twins::Symmetry> symmetry;
  bool exhaustive = false;
  bool unbounded = false;
  std::uint64_t memory_bytes = 0;
  unsigned threads = 1;
  std::string in;  // a file of indices, or nothing
  bool stops_at_first = false;
  std::string findings;  // the directory
  unsigned max_findings = 1;
  bool shrinks = true;
  CampaignPlace place;
  double seconds = 0;  // after which it stops; 0: never
};

struct TwinsProgress {
  Wide executed = 0;
  Wide asked = 0;
  Wide violating = 0;
  Tally tally;
  std::optional<SearchProgress> search;  // of an exhaustive search, instead
  bool is_shrinking = false;
};

struct TwinsWatch {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const TwinsProgress&)> progress;
};

struct TwinsOutcome {
  twins::Counts counts;
  std::string scenarios;  // asked for, decimal; empty in an unbounded search
  std::string classes;    // decimal; empty without --symmetry
  bool weights_are_exact = true;
  bool is_whole = false;  // all of the space was asked for
  double seconds = 0;
  Tally tally;
  Conclusion conclusion = Conclusion::kUnknown;
  std::string reason;                   // why it is unknown, or what else must be said
  std::optional<FirstViolation> first;  // where schedules were run one by one
  std::optional<SearchResult> search;
  std::optional<StepSearchResult> steps;  // of a search through all orders of delivery
  std::vector<ToldFinding> findings;
  std::optional<Error> storing_error;
  bool can_go_on = false;  // it was stopped, and its file takes it up again

  Wide judged() const { return tally.scenarios - tally.unknown; }
};

// The counts alone; runs nothing.
Result<TwinsOutcome> count_twins(const TwinsRequest& request);
Result<TwinsOutcome> run_twins(const TwinsRequest& request, const TwinsWatch& watch);
// Writes the scenarios as a file of indices instead, and tells how many they are.
Result<Wide> write_twins(const TwinsRequest& request, const std::string& file);

}  // namespace nika
