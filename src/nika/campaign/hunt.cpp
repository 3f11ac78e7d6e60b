#include "nika/campaign/hunt.hpp"

#include <algorithm>

#include "nika/campaign/guided_search.hpp"
#include "nika/campaign/sweep.hpp"

namespace nika {
namespace {

constexpr Wide kFirstBatch = 16'384;
constexpr Wide kLargestBatch = 262'144;
constexpr Wide kWorthGuiding = 65'536;  // scenarios; fewer are all tried
constexpr unsigned kMaxOfEachKind = 8;
constexpr std::string_view kGuideNames[] = {"none", "coverage"};

class BlindHunt final : public Hunt {
 public:
  BlindHunt(const Runner& runner, guided::Draws draws, const HuntOptions& options)
      : runner_(runner), draws_(std::move(draws)), options_(options) {}

  const Runner& runner() const override { return runner_; }
  Wide size() const override { return draws_.size(); }
  Wide tried() const override { return tried_; }

  // After a batch that breaks the property somewhere, the next one begins behind the last scenario that was told.
  Result<std::vector<Quarry>> next() override {
    const auto totals = run({tried_, tried_ + std::min(batch_, size() - tried_)});
    if (!totals) return tl::unexpected(totals.error());
    std::vector<Quarry> found;
    for (const Sighting& sighting : totals->sightings) found.push_back({sighting.index, scenario(sighting.index)});
    std::ranges::sort(found, {}, &Quarry::number);
    tried_ = found.empty() ? tried_ + totals->executed : found.back().number + 1;
    batch_ = found.empty() ? std::min(2 * batch_, kLargestBatch) : kFirstBatch;
    return found;
  }

  Result<Totals> try_all(Wide count) override {
    const auto totals = run({0, std::min(count, size())});
    if (!totals) return tl::unexpected(totals.error());
    return Totals{totals->executed, totals->violating, totals->unknown};
  }

 private:
  Result<SweepTotals> run(const twins::Range& range) const {
    SweepOptions options;
    options.threads = options_.threads;
    options.properties = only(options_.property);
    options.phases = draws_.sampler();
    options.stop = options_.stop;
    options.sightings_of_each_kind = kMaxOfEachKind;
    RangeWork work(range);
    return sweep(runner_, draws_.space(), work, options);
  }
  Scenario scenario(Wide index) const {
    return draws_.sampler() != nullptr ? draws_.sampler()->scenario(index) : draws_.space().scenario(index);
  }

  const Runner& runner_;
  const guided::Draws draws_;
  const HuntOptions options_;
  Wide tried_ = 0;
  Wide batch_ = kFirstBatch;
};

class GuidedHunt final : public Hunt {
 public:
  GuidedHunt(const Runner& runner, std::unique_ptr<const guided::Draws> draws, GuidedSearch search,
             const HuntOptions& options)
      : runner_(runner), draws_(std::move(draws)), search_(std::move(search)), options_(options) {}

  const Runner& runner() const override { return runner_; }
  Wide size() const override { return draws_->size(); }
  Wide tried() const override { return search_.tried(); }

  Result<std::vector<Quarry>> next() override {
    std::vector<Quarry> found;
    for (const GuidedSearch::Sighting& sighting : search_.run_generation()) {
      found.push_back({sighting.number, draws_->scenario(sighting.genome)});
    }
    return found;
  }

  Result<Totals> try_all(Wide count) override {
    while (search_.tried() < count && !options_.is_stopped()) search_.run_generation();
    return Totals{search_.tried(), search_.violating(), search_.unknown()};
  }

 private:
  const Runner& runner_;
  const std::unique_ptr<const guided::Draws> draws_;  // the search refers to it
  GuidedSearch search_;
  const HuntOptions options_;
};

}  // namespace

Result<std::unique_ptr<Hunt>> Hunt::make(const Registry& registry, const twins::Settings& settings,
                                         const HuntOptions& options) {
  const auto runner = registry.find(settings.protocol);
  if (!runner) return tl::unexpected(runner.error());
  auto draws = guided::Draws::make(settings, static_cast<unsigned>((*runner)->kinds().size()));
  if (!draws) return tl::unexpected(draws.error());
  if (options.guide == GuideChoice::kNone || draws->size() <= kWorthGuiding) {
    return std::make_unique<BlindHunt>(**runner, *std::move(draws), options);
  }
  auto kept = std::make_unique<const guided::Draws>(*std::move(draws));
  auto search = GuidedSearch::make(**runner, *kept, only(options.property), options.threads);
  if (!search) return tl::unexpected(search.error());
  return std::make_unique<GuidedHunt>(**runner, std::move(kept), *std::move(search), options);
}

Result<GuideChoice> parse_guide(std::string_view text) {
  for (const GuideChoice guide : {GuideChoice::kNone, GuideChoice::kCoverage}) {
    if (text == name_of(guide)) return guide;
  }
  return bad_input("read \"" + std::string(text) + "\", expected coverage or none");
}

std::string_view name_of(GuideChoice guide) { return kGuideNames[static_cast<unsigned>(guide)]; }

}  // namespace nika
