#include "nika/properties/lasso.hpp"

#include <algorithm>

#include "nika/properties/partial_trail.hpp"

namespace nika {

void LassoMonitor::passed(const Sight& sight) {
  if (closed_in != Round(0) || sight.is_asynchronous || !sight.tells_progress() || sight.now <= last) return;
  last = sight.now;
  const PartialSystemState state = partial_system_state(sight);
  if (!state.is_hot) {
    hot = {};
    count = 0;
    return;
  }
  const auto digest = static_cast<std::uint32_t>(state.digest);
  if (std::find(hot.begin(), hot.begin() + count, digest) != hot.begin() + count) closed_in = sight.now;
  std::ranges::rotate(hot, hot.end() - 1);
  hot[0] = digest;
  count = static_cast<std::uint8_t>(std::min<std::size_t>(count + 1U, kStates));
}

Judgement LassoMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (!sight.tells_progress()) return Judgement::unknown(Unjudged::kTellsNoProgress);
  if (sight.is_asynchronous) return Judgement::unknown(Unjudged::kNoRounds);
  return closed_in == Round(0) ? Judgement::holds() : Judgement::unknown(Unjudged::kUnconfirmed);
}

}  // namespace nika
