// What of a campaign is done: which positions were run, what was counted there, and the first sightings of each kind.
// Parts are added in any order and come to the same; nothing is counted twice, as a part that overlaps is refused.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "nika/properties/tally.hpp"
#include "nika/scenarios/twins/range.hpp"

namespace nika {

class Ledger {
 public:
  struct Part {
    Wide last = 0;  // behind it
    Tally tally;
  };
  struct Options {
    std::size_t property_count = 0;
    unsigned sightings_of_each_kind = 1;
    // Nothing counts after the first part in which something is violated.
    bool stops_at_first = false;
  };

  explicit Ledger(const Options& options) : options_(options) {}

  // A whole part: what was counted from `range.begin` to before `range.end`, and all that was seen there or the first
  // of each kind. The texts of the kinds outlive the ledger.
  void add(const twins::Range& range, const Tally& tally, std::vector<Sighting> sightings);

  // Ascending; those that touch are one, however they were added.
  const std::map<Wide, Part>& parts() const { return parts_; }
  // By position.
  const std::vector<Sighting>& sightings() const { return sightings_; }
  Tally total() const;
  // What is left of the range that still counts, ascending.
  std::vector<twins::Range> gaps(const twins::Range& range) const;
  // Nothing counts from here on.
  Wide end() const { return end_; }
  // Changes whenever something is added.
  std::size_t version() const { return version_; }

 private:
  void cut_off();

  Options options_;
  std::map<Wide, Part> parts_;  // by their first position
  std::vector<Sighting> sightings_;
  Wide end_ = kMaxWide;
  std::size_t version_ = 0;
};

}  // namespace nika
