#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"

namespace nika::byzzfuzz {
namespace {

// One configuration in so many is drawn anew, however much is known.
constexpr unsigned kFreshEvery = 4;

// Whole numbers, so that it comes out the same everywhere: twofold for each disagreement, inversely to how often the
// states were seen.
std::uint64_t weight_of(std::uint32_t disagreement, std::uint32_t seen) {
  constexpr std::uint64_t kUnit = 1ULL << 20U;
  constexpr std::uint32_t kMostDisagreement = 8;
  return std::max<std::uint64_t>(1, (kUnit << std::min(disagreement, kMostDisagreement)) / (1 + seen));
}

}  // namespace

FuzzGuide::FuzzGuide(const FuzzGenerator& generator) : generator_(generator) {
  NIKA_REQUIRE(generator.settings().sampling == Sampling::kUniform);
}

unsigned FuzzGuide::lie_count() const { return generator_.settings().faults == 0 ? 0 : generator_.settings().lies; }

void FuzzGuide::draw_anew(std::uint64_t number, FuzzGenome& genome, Draw& scratch) const {
  generator_.draw(number, scratch);
  genome.rotation = number;
  genome.outages.clear();
  for (const Outage& outage : scratch.outages)
    NIKA_REQUIRE(genome.outages.push_back({number, number, outage.protocol_round}));
  genome.lies.clear();
  const std::size_t kinds = generator_.lies().size();
  for (unsigned i = 0; i < lie_count(); ++i)
    NIKA_REQUIRE(genome.lies.push_back({number, number, scratch.lies[i * kinds].protocol_round}));
}

void FuzzGuide::propose(std::uint64_t number, FuzzGenome& genome, Draw& scratch) const {
  Random random(mix64(mix64(generator_.settings().seed ^ 0x66757a7aULL) ^ mix64(number)));
  const std::size_t faults = generator_.settings().outages + lie_count();
  if (number < kBlindRuns || sums_.empty() || faults == 0 || random.below(kFreshEvery) == 0)
    return draw_anew(number, genome, scratch);
  const auto found = std::ranges::upper_bound(sums_, random.below(sums_.back()));
  genome = kept_[static_cast<std::size_t>(found - sums_.begin())].genome;
  const std::size_t at = random.below(faults);
  const bool is_outage = at < genome.outages.size();
  FaultGene& gene = is_outage ? genome.outages[at] : genome.lies[at - genome.outages.size()];
  const Settings& settings = generator_.settings();
  switch (random.below(is_outage ? 2 : 3)) {
    case 0:
      gene.what = gene.whom = number;
      gene.round = static_cast<std::uint16_t>(settings.first_round + random.below(settings.fault_rounds()));
      break;
    case 1: gene.whom = number; break;
    default: gene.what = number;
  }
}

void FuzzGuide::draw_of(const FuzzGenome& genome, Draw& draw, Draw& scratch) const {
  generator_.draw(genome.rotation, draw);
  std::uint64_t drawn = genome.rotation;
  scratch = draw;
  const auto draw_number = [&](std::uint64_t number) -> const Draw& {
    if (number != drawn) generator_.draw(number, scratch);
    drawn = number;
    return scratch;
  };
  for (std::size_t i = 0; i < genome.outages.size(); ++i) {
    draw.outages[i] = draw_number(genome.outages[i].whom).outages[i];
    draw.outages[i].protocol_round = genome.outages[i].round;
  }
  const std::size_t kinds = generator_.lies().size();
  for (std::size_t i = 0; i < genome.lies.size(); ++i) {
    const FaultGene& gene = genome.lies[i];
    const auto lies = std::span(draw.lies).subspan(i * kinds, kinds);
    std::ranges::copy(std::span(draw_number(gene.what).lies).subspan(i * kinds, kinds), lies.begin());
    const Lie whom = draw_number(gene.whom).lies[i * kinds];
    for (Lie& lie : lies) {
      lie.from = whom.from;
      lie.to = whom.to;
      lie.protocol_round = gene.round;
    }
  }
}

void FuzzGuide::draw(std::uint64_t number, Draw& draw, Draw& scratch) const {
  FuzzGenome genome;
  propose(number, genome, scratch);
  draw_of(genome, draw, scratch);
}

void FuzzGuide::learn(std::uint64_t first, std::span<const std::vector<guided::Reached>> reached) {
  std::vector<FuzzTrial> trials(reached.size());
  Draw scratch;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    propose(first + i, trials[i].genome, scratch);
    trials[i].reached = reached[i];
  }
  learn(trials);
}

void FuzzGuide::learn(std::span<const FuzzTrial> trials) {
  for (const FuzzTrial& trial : trials) note(trial);
  weigh();
}

void FuzzGuide::note(const FuzzTrial& trial) {
  std::uint32_t own = kNobody;
  for (const guided::Reached& state : trial.reached) {
    const auto known = known_.find(state.state);
    if (known != known_.end()) {
      ++kept_[known->second].seen;
      continue;
    }
    if (own == kNobody) {
      if (kept_.size() == kMaxKept) return;
      own = static_cast<std::uint32_t>(kept_.size());
      kept_.push_back({trial.genome, 0, 1});
    }
    known_.emplace(state.state, own);
    untold_.push_back({state.state, own});
    kept_[own].disagreement = std::max(kept_[own].disagreement, state.disagreement);
  }
}

void FuzzGuide::weigh() {
  sums_.clear();
  std::uint64_t sum = 0;
  for (const Kept& kept : kept_) sums_.push_back(sum += weight_of(kept.disagreement, kept.seen));
}

}  // namespace nika::byzzfuzz
