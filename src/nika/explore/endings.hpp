// How scenarios end, in little room: distinct endings are few, worlds are many, and each remembers a number.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>

#include "nika/base/require.hpp"
#include "nika/model/outcome.hpp"

namespace nika {

// The number of an ending.
struct Ending {
  std::uint16_t number = 0;
};

class Endings {
 public:
  Ending number_of(const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    const auto same = std::ranges::find_if(known_, [&](const Outcome& o) { return is_same(o, outcome); });
    const auto number = same - known_.begin();
    NIKA_REQUIRE(number < 65535);
    if (same == known_.end()) known_.push_back(outcome);
    return {static_cast<std::uint16_t>(number)};
  }
  // Verdicts, kinds and reasons are those of the ending; evidence is of some run that ended like it.
  const Outcome& operator[](Ending ending) {
    const std::lock_guard lock(mutex_);
    return known_[ending.number];
  }

 private:
  static bool is_same(const Outcome& a, const Outcome& b) {
    const auto alike = [](const Judgement& one, const Judgement& other) {
      return one.verdict == other.verdict && one.unjudged == other.unjudged && one.evidence.kind == other.evidence.kind;
    };
    return a.has_committed == b.has_committed && a.judgements.size() == b.judgements.size() &&
           std::equal(a.judgements.begin(), a.judgements.end(), b.judgements.begin(), alike);
  }

  std::mutex mutex_;
  std::deque<Outcome> known_;  // places stay
};

}  // namespace nika
