#include "nika/scenarios/guided/guide.hpp"

#include <algorithm>

#include "nika/base/random.hpp"

namespace nika::guided {
namespace {

// One schedule in so many starts from nothing, however much is known.
constexpr unsigned kFreshEvery = 10;

// Whole numbers, so that it comes out the same everywhere: fourfold for each disagreement, inversely to how often the
// state was seen.
std::uint64_t weight_of(std::uint32_t disagreement, std::uint32_t seen) {
  constexpr std::uint64_t kUnit = 1ULL << 20U;
  constexpr std::uint32_t kMostDisagreement = 8;
  return std::max<std::uint64_t>(1, (kUnit << 2U * std::min(disagreement, kMostDisagreement)) / (1 + seen));
}

}  // namespace

Genome Guide::propose(Wide number) const { return genome_of(parent_of(number), number); }

std::uint32_t Guide::parent_of(Wide number) const {
  Random random(mix64(mix64(seed_ ^ 0x6775696465ULL) ^ static_cast<std::uint64_t>(number)));
  if (offered_.empty() || random.below(kFreshEvery) == 0) return kNobody;
  const Offer& offer = offers_[offered_[random.below(offered_.size())]];
  const auto found = std::ranges::upper_bound(offer.sums, random.below(offer.sums.back()));
  return offer.states[static_cast<std::size_t>(found - offer.sums.begin())];
}

Guide::Start Guide::start_of(Wide number) const {
  const std::uint32_t parent = parent_of(number);
  return parent == kNobody ? Start{} : Start{parent, kept_[parent].rounds};
}

Genome Guide::genome_of(std::uint32_t parent, Wide draw) const {
  if (parent == kNobody) return drawn(genes_, draw);
  const Kept& state = kept_[parent];
  Genome genome = genome_of(state.parent, state.draw);
  redraw_after(genome, state.rounds, draw);
  return genome;
}

void Guide::learn(Wide first, std::span<const std::vector<Reached>> reached) {
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t parent = parent_of(first + i);
    if (parent != kNobody) ++kept_[parent].seen;  // it was gone through once more
    for (const Reached& state : reached[i]) note(first + i, parent, state);
  }
  weigh();
}

void Guide::note(Wide number, std::uint32_t parent, const Reached& reached) {
  if (reached.rounds == 0 || reached.rounds >= genes_) return;  // nothing is left to be drawn
  const auto [known, is_new] = known_.try_emplace(reached.state, static_cast<std::uint32_t>(kept_.size()));
  if (!is_new) {
    ++kept_[known->second].seen;
  } else if (kept_.size() == kMaxKept) {
    known_.erase(known);
  } else {
    kept_.push_back({number, parent, reached.disagreement, reached.rounds, 1});
  }
}

void Guide::weigh() {
  for (Offer& offer : offers_) {
    offer.states.clear();
    offer.sums.clear();
  }
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    Offer& offer = offers_[kept_[i].rounds];
    const std::uint64_t before = offer.sums.empty() ? 0 : offer.sums.back();
    offer.states.push_back(i);
    offer.sums.push_back(before + weight_of(kept_[i].disagreement, kept_[i].seen));
  }
  offered_.clear();
  for (unsigned rounds = 0; rounds < offers_.size(); ++rounds) {
    if (!offers_[rounds].states.empty()) offered_.push_back(rounds);
  }
}

}  // namespace nika::guided
