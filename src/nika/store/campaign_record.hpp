// What the file of a campaign holds, as plain values: what is to be run, how far it has come, what was counted, what
// was seen and what it shows. Positions number what is to be run, from 0 on. Knows nothing of how campaigns are run.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/base/wide.hpp"
#include "nika/model/outcome.hpp"

namespace nika::store {

// A program that has run a campaign.
struct ProgramRecord {
  std::string version;
  std::string fingerprint;  // of its file, 32 hexadecimal digits

  bool operator==(const ProgramRecord&) const = default;
};

// What a campaign is, said before anything is run. All but the part and the words decide what comes out.
struct CampaignPlan {
  std::string command;                  // "twins", "fuzz"
  std::string settings;                 // one JSON object with all that decides what comes out
  std::vector<std::string> properties;  // in the order of their counts
  Wide first = 0;                       // the positions that are to be run: first <= position < last
  Wide last = 0;
  Wide whole = 0;                  // all there would be without a shard
  std::vector<std::string> words;  // of the command line that made it, less those that a resumption may choose anew

  bool operator==(const CampaignPlan&) const = default;
};

struct PropertyCounts {
  Wide violating = 0;
  Wide unknown = 0;
  std::array<Wide, kUnjudgedCount> unknown_because{};

  bool operator==(const PropertyCounts&) const = default;
};

// Counts add up. Of faults: runs in which a message was changed, and messages.
struct Counts {
  Wide executed = 0;
  Wide scenarios = 0;
  Wide violating = 0;
  Wide unknown = 0;
  Wide committed = 0;
  Wide violating_runs = 0;
  Wide effective = 0;
  Wide matched = 0;
  Wide changed = 0;
  Wide omitted = 0;
  Wide cut = 0;
  std::vector<PropertyCounts> properties;

  // False, and nothing is added, if the sums have no place in 128 bits or the properties differ in number.
  bool add(const Counts& other);
  bool operator==(const Counts&) const = default;
};

// All positions from `first` to before `last` were run, and this is what was counted.
struct Stretch {
  Wide first = 0;
  Wide last = 0;
  Counts counts;

  bool operator==(const Stretch&) const = default;
};

// A run that breaks a property: one of the first of its kind.
struct SightingRecord {
  Wide position = 0;
  unsigned property = 0;
  Wide index = 0;        // of the schedule in its generator
  std::string kind;      // of the violation
  std::string scenario;  // as it was found, JSON

  bool operator==(const SightingRecord&) const = default;
};

// What became of a sighting when it was shrunk.
struct FindingRecord {
  Wide position = 0;
  unsigned property = 0;
  std::string name;     // of its class of renamings, 32 hexadecimal digits
  std::string finding;  // JSON, with scenario, original and trace; empty if another one of this name was told before

  bool operator==(const FindingRecord&) const = default;
};

// How much was done after so many seconds of one session, from its start to its end.
struct SpeedSample {
  unsigned session = 0;
  double seconds = 0;
  Wide executed = 0;  // of the campaign, whoever ran it
};

struct ConclusionRecord {
  std::string verdict;
  std::string reason;

  bool operator==(const ConclusionRecord&) const = default;
};

struct CampaignRecord {
  CampaignPlan plan;
  std::vector<ProgramRecord> programs;  // the first one made it
  std::vector<Stretch> stretches;       // ascending and disjoint
  std::vector<SightingRecord> sightings;
  std::vector<FindingRecord> findings;           // by position and property
  std::vector<std::string> lessons;              // what a guide has learnt, in its order
  std::optional<ConclusionRecord> conclusion{};  // once all is done
  std::vector<SpeedSample> speed{};

  Counts total() const;
  // How many positions are to be run, and how many of them were not. Where only the first violation counts, a campaign
  // is complete without the positions behind it.
  Wide asked() const { return plan.last - plan.first; }
  Wide missing() const;
  // Each finding of a sighting that still counts, of which none of the same property and name comes before.
  std::vector<const FindingRecord*> told() const;
};

std::string to_json(const Counts& counts);
// `file` is what errors call the text.
Result<Counts> counts_from_json(std::string_view text, std::string_view file);

}  // namespace nika::store
