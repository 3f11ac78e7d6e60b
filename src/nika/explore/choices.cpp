#include "nika/explore/choices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/require.hpp"

namespace nika {

Result<void> check_explorable(const twins::Space& space, const SearchOptions& options) {
  const auto& settings = space.settings();
  if (settings.order == twins::OrderChoice::kSampled) {
    return bad_input(
        "--exhaustive needs a space that can be enumerated; --order sampled draws at random (use --order all)");
  }
  if (settings.step3.kind != twins::Selection::Kind::kAll) {
    return bad_input("--exhaustive covers the whole space; it cannot be combined with a selection of step 3");
  }
  if (!space.size()) return bad_input("the space has 2^128 scenarios or more; their number cannot be carried exactly");
  if (space.rounds() > kMaxExploredRounds) {
    return bad_input(fmt::format("--exhaustive covers at most {} rounds, not {}", kMaxExploredRounds, space.rounds()));
  }
  if (space.configurations().size() > 65535) {
    return bad_input(fmt::format("--exhaustive takes at most 65535 configurations of a round, not {}",
                                 space.configurations().size()));
  }
  if (options.unbounded && settings.clients > 0) {
    return bad_input("--rounds unbounded leaves out rounds; requests of clients carry numbers of their own");
  }
  if (options.unbounded && space.counts().scenarios != space.counts().all) {
    return bad_input("--rounds unbounded takes every configuration of a round, so that step 1 and 2 select nothing");
  }
  if (options.unbounded && settings.assignment != twins::Assignment::kReplacement) {
    return bad_input("--rounds unbounded needs --assignment replacement");
  }
  if (options.unbounded && (space.leader_sets().size() != 1 || !settings.crashes.empty())) {
    return bad_input("--rounds unbounded needs a single choice of leaders (such as --leaders A) and no crashes");
  }
  return {};
}

Choices::Choices(const twins::Space& space, bool renames)
    : space_(space), renamings_(space, renames), full_(full_links(space.cluster().seat_count)) {
  for (const Partition& partition : space.partitions())
    links_.push_back(links_of(partition, space.cluster().seat_count));
  for (const twins::Configuration& c : space.configurations()) {
    if (std::ranges::find(leader_sets_, c.leaders) == leader_sets_.end()) leader_sets_.push_back(c.leaders);
  }
  fill_rotations();
  const std::size_t pairs = renamings_.interchangeable().empty() ? 0 : renamings_.interchangeable().size() - 1;
  for (std::uint32_t symmetry = 0; symmetry < 1U << pairs; ++symmetry) {
    auto& by_leaders = choices_.emplace_back();
    for (std::uint16_t l = 0; l < leader_sets_.size(); ++l) by_leaders.push_back(orbits(l, symmetry));
  }
}

void Choices::fill_rotations() {
  const auto& rotations = space_.healings().rotations();
  for (std::size_t r = 0; r < rotations.size(); ++r) {
    const Identity first = rotations[r].empty() ? Identity{} : rotations[r].front();
    const auto known = std::ranges::find(first_healers_, first);
    const auto at = static_cast<std::size_t>(known - first_healers_.begin());
    if (known == first_healers_.end()) {
      first_healers_.push_back(first);
      rotations_by_first_.emplace_back();
    }
    rotations_by_first_[at].push_back(r);
  }
}

std::uint16_t Choices::renamed_first(std::size_t renaming, std::uint16_t first) const {
  if (renamings_.is_identity(renaming)) return first;
  const Identity renamed = renamings_.relabelling(renaming).identity[index_of(first_healers_[first])];
  const auto found = std::ranges::find(first_healers_, renamed);
  NIKA_REQUIRE(found != first_healers_.end());
  return static_cast<std::uint16_t>(found - first_healers_.begin());
}

// Whether a renaming moves seats only inside the runs of neighbours that `symmetry` joins.
bool Choices::preserves(std::size_t renaming, std::uint32_t symmetry) const {
  const auto& seats = renamings_.interchangeable();
  const auto run_of = [&](Seat seat) {
    unsigned run = 0;
    for (std::size_t i = 0; seats[i] != seat; ++i) run += (symmetry >> i & 1U) != 0 ? 0U : 1U;
    return run;
  };
  return std::ranges::all_of(
      seats, [&](Seat seat) { return run_of(seat) == run_of(renamings_.relabelling(renaming).seat[index_of(seat)]); });
}

std::vector<Choice> Choices::orbits(std::uint16_t leaders, std::uint32_t symmetry) const {
  std::vector<std::size_t> group;
  for (std::size_t g = 0; g < renamings_.count(); ++g) {
    if (preserves(g, symmetry)) group.push_back(g);
  }
  std::vector<std::uint32_t> weights(space_.configurations().size(), 0);
  for (std::uint32_t c = 0; c < weights.size(); ++c) {
    if (space_.configurations()[c].leaders != leader_sets_[leaders]) continue;
    std::uint32_t smallest = c;
    for (const std::size_t g : group) smallest = std::min(smallest, renamings_.renamed(g, c));
    ++weights[smallest];
  }
  std::vector<Choice> result;
  for (std::uint32_t c = 0; c < weights.size(); ++c) {
    if (weights[c] > 0) result.push_back({c, weights[c]});
  }
  return result;
}

bool Choices::allows(const Node& node, unsigned done, std::uint32_t configuration) const {
  if (done == 0) return true;
  switch (space_.settings().assignment) {
    case twins::Assignment::kReplacement: return true;
    case twins::Assignment::kStatic: return node.prefix[0] == configuration;
    case twins::Assignment::kNoReplacement: break;
  }
  return std::find(node.prefix.begin(), node.prefix.begin() + done, configuration) == node.prefix.begin() + done;
}

Wide Choices::completions(const Node& node, unsigned done, std::uint16_t next_leaders) const {
  const unsigned rounds = space_.rounds();
  if (done == rounds) return 1;
  if (space_.settings().assignment == twins::Assignment::kStatic) {
    return leaders(node.prefix[0]) == leader_sets_[next_leaders] ? 1 : 0;
  }
  const std::size_t total = space_.configurations().size();
  const bool distinct = space_.settings().assignment == twins::Assignment::kNoReplacement;
  Wide count = 0;
  for (const Choice& choice : choices_[0][next_leaders]) count += allows(node, done, choice.configuration) ? 1U : 0U;
  for (unsigned r = done + 1; r < rounds; ++r) count *= distinct ? (total > r ? total - r : 0) : total;
  return count;
}

}  // namespace nika
