// Judgements of many runs, added up: plain values that can be made in parts, in any order, and added to the same total.
#pragma once

#include <string_view>
#include <vector>

#include "nika/base/wide.hpp"
#include "nika/model/outcome.hpp"

namespace nika {

// A run that breaks a property, as a search meets it.
struct Sighting {
  std::size_t property = 0;  // its position among those asked for
  std::string_view kind{};   // of the violation
  Wide position = 0;         // in the work: it decides which one comes first
  Wide index = 0;            // of the schedule in its generator

  bool is_like(const Sighting& other) const { return property == other.property && kind == other.kind; }
};

// Of one property. All count scenarios.
struct PropertyTally {
  Wide violating = 0;
  Wide unknown = 0;
  std::array<Wide, kUnjudgedCount> unknown_because{};  // by Unjudged

  bool operator==(const PropertyTally&) const = default;
};

// Of faults of protocol rounds, counted for each receiver of a message.
struct FaultTally {
  Wide effective = 0;  // runs in which a message was changed
  Wide matched = 0;
  Wide changed = 0;
  Wide omitted = 0;
  Wide cut = 0;

  bool operator==(const FaultTally&) const = default;
};

struct Tally {
  Wide executed = 0;   // runs
  Wide scenarios = 0;  // that they stand for
  Wide violating = 0;  // scenarios that break any property
  Wide unknown = 0;    // scenarios in which nothing is broken, and something could not be judged
  Wide committed = 0;  // scenarios in which an honest seat committed anything
  Wide violating_runs = 0;
  FaultTally faults{};
  std::vector<PropertyTally> properties;  // in the order in which they were asked for

  explicit Tally(std::size_t property_count = 0) : properties(property_count) {}
  void add(const Outcome& outcome, Wide weight);
  void add(const FaultCounts& counts);
  void add(const Tally& part);
  bool operator==(const Tally&) const = default;
};

// The first so many of each property and kind, by position.
void keep_first(std::vector<Sighting>& sightings, unsigned of_each_kind);

}  // namespace nika
