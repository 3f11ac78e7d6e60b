#include "nika/campaign/overlap_study.hpp"

#include "nika/campaign/sweep.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"

namespace nika {
namespace {

// 80 % of a list, rounded up, and how many of it a quorum can do without.
constexpr unsigned quorum_of(unsigned size) { return (4 * size + 4) / 5; }
constexpr unsigned left_out_of(unsigned size) { return size - quorum_of(size); }

Wide choose(unsigned n, unsigned k) {
  Wide result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

}  // namespace

OverlapClaims claims_about(const lists::Overlap& overlap, unsigned liars) {
  const unsigned shared = overlap.shared;
  const unsigned longer = overlap.second_size();
  OverlapClaims claims;
  claims.white_paper = 5 * shared >= longer;
  claims.armknecht = 5 * shared > 2 * longer;
  claims.chase_macbrough = 2 * shared > longer + 2 * (left_out_of(longer) + liars);
  claims.quorums = shared > left_out_of(overlap.first_size()) + left_out_of(longer) + liars;
  return claims;
}

Result<OverlapCount> count_forks(const Runner& runner, const std::vector<std::string>& bugs, const OverlapSpace& space,
                                 const OverlapOptions& options) {
  lists::TwoLists lists{space.overlap, space.has_liar, 0};
  const unsigned both = lists.honest_shared();
  // Where the lists are the same there is nothing to choose between.
  const bool are_same = space.overlap.shared == space.overlap.nodes;
  OverlapCount count;
  for (unsigned k = are_same ? both : 0; k <= both; ++k) {
    lists.first_counters = k;
    const lists::TwoListsGenerator generator(lists, runner.name(), bugs);
    RangeWork work({0, *generator.size()});
    SweepOptions sweeping;
    sweeping.threads = options.threads;
    sweeping.stop = options.stop;
    const auto swept = sweep(runner, {generator.cluster(), bugs, only(kAgreement)}, generator, work, sweeping);
    if (!swept) return tl::unexpected(swept.error());
    const Wide ways = are_same ? Wide(1) : choose(both, k);
    count.scenarios += ways * swept->tally.scenarios;
    count.forks += ways * swept->tally.violating;
    count.unknown += ways * swept->tally.unknown;
    count.runs += swept->tally.executed;
    if (!count.first_fork && !swept->sightings.empty())
      count.first_fork = generator.scenario(swept->sightings.front().index);
    if (swept->was_stopped) {
      count.was_stopped = true;
      return count;
    }
  }
  return count;
}

}  // namespace nika
