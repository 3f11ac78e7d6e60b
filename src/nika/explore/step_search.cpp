#include "nika/explore/step_search.hpp"

#include <algorithm>

namespace nika {

Result<void> check_steps(const StepSearchOptions& options, const Cluster& cluster) {
  const auto cast = make_cluster(options.base.node_count, options.base.copies, options.base.client_count);
  if (!cast) return tl::unexpected(cast.error());
  if (cast->node_count != cluster.node_count || cast->identity_of != cluster.identity_of ||
      cast->seat_count != cluster.seat_count || options.base.fault_count != cluster.fault_count) {
    return bad_input("the scenario to search from has another cast than the session");
  }
  return {};
}

bool StepTally::goes_on(const StepSearchOptions& options) {
  if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) result_.was_stopped = true;
  if (options.progress && result_.transitions % 65'536 == 1)
    options.progress({.worlds = result_.worlds, .expanded = result_.transitions});
  return !result_.was_stopped;
}

std::vector<std::size_t> StepTally::add(const Outcome& outcome, SeatSet committed) {
  result_.tally.add(outcome, 1);
  StepEnding ending;
  ending.committed = committed;
  std::vector<std::size_t> news;
  for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
    const Judgement& judgement = outcome.judgements[p];
    const std::string_view kind = judgement.evidence.kind;
    ending.judgements.push_back({judgement.verdict, judgement.unjudged, kind});
    if (judgement.verdict != Verdict::kViolated) continue;
    const auto is_alike = [&](const BrokenSteps& known) { return known.property == p && known.kind == kind; };
    if (std::ranges::none_of(result_.broken, is_alike)) news.push_back(p);
  }
  const auto at = std::ranges::lower_bound(result_.endings, ending);
  if (at == result_.endings.end() || *at != ending) result_.endings.insert(at, ending);
  return news;
}

void StepTally::conclude() {
  const auto is_unknown = [](const StepEnding& ending) {
    return std::ranges::any_of(ending.judgements,
                               [](const StepEnding::Part& part) { return part.verdict == Verdict::kUnknown; });
  };
  if (!result_.broken.empty()) {
    result_.verdict = Verdict::kViolated;
  } else if (result_.was_stopped) {
    result_.reason = "the search was stopped";
  } else if (result_.memory_was_full) {
    result_.reason = "there was no memory left to remember worlds";
  } else if (std::ranges::any_of(result_.endings, is_unknown)) {
    result_.reason = "some endings could not be judged";
  } else {
    result_.verdict = Verdict::kHolds;
  }
}

}  // namespace nika
