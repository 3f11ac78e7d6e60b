#include "nika/campaign/ledger.hpp"

#include <algorithm>

#include "nika/base/require.hpp"

namespace nika {

void Ledger::add(const twins::Range& range, const Tally& tally, std::vector<Sighting> sightings) {
  ++version_;
  if (range.size() == 0 || range.begin >= end_) return;
  auto next = parts_.lower_bound(range.begin);
  NIKA_REQUIRE(next == parts_.end() || range.end <= next->first);
  NIKA_REQUIRE(next == parts_.begin() || std::prev(next)->second.last <= range.begin);
  if (options_.stops_at_first && tally.violating_runs > 0) end_ = range.end;
  auto own = parts_.emplace_hint(next, range.begin, Part{range.end, tally});
  if (own != parts_.begin() && std::prev(own)->second.last == range.begin) {
    auto before = std::prev(own);
    before->second.last = range.end;
    before->second.tally.add(tally);
    parts_.erase(own);
    own = before;
  }
  if (next != parts_.end() && next->first == own->second.last && next->first < end_) {
    own->second.last = next->second.last;
    own->second.tally.add(next->second.tally);
    parts_.erase(next);
  }
  std::ranges::move(sightings, std::back_inserter(sightings_));
  cut_off();
  keep_first(sightings_, options_.sightings_of_each_kind);
}

void Ledger::cut_off() {
  parts_.erase(parts_.lower_bound(end_), parts_.end());
  std::erase_if(sightings_, [this](const Sighting& s) { return s.position >= end_; });
}

Tally Ledger::total() const {
  Tally total(options_.property_count);
  for (const auto& [first, part] : parts_) total.add(part.tally);
  return total;
}

std::vector<twins::Range> Ledger::gaps(const twins::Range& range) const {
  std::vector<twins::Range> gaps;
  Wide from = range.begin;
  const Wide end = std::min(range.end, end_);
  for (const auto& [first, part] : parts_) {
    if (first >= end) break;
    if (first > from) gaps.push_back({from, first});
    from = std::max(from, part.last);
  }
  if (from < end) gaps.push_back({from, end});
  return gaps;
}

}  // namespace nika
