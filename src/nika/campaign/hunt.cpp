#include "nika/campaign/hunt.hpp"

#include <algorithm>

#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/campaign/guided_search.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

constexpr Wide kFirstBatch = 16'384;
constexpr Wide kLargestBatch = 262'144;
constexpr Wide kWorthGuiding = 65'536;  // schedules; fewer are all tried
constexpr unsigned kMaxOfEachKind = 8;

class BlindHunt final : public Hunt {
 public:
  BlindHunt(const Runner& runner, const Setup& setup, std::unique_ptr<const Generator> generator,
            const HuntOptions& options)
      : runner_(runner), setup_(setup), generator_(std::move(generator)), options_(options) {}

  const Runner& runner() const override { return runner_; }
  Wide size() const override { return generator_->size().value_or(~Wide{0}); }
  Wide tried() const override { return tried_; }

  // After a batch that breaks a property somewhere, the next one begins behind the last schedule that was told.
  Result<std::vector<Sighting>> next() override {
    auto result = run({tried_, tried_ + std::min(batch_, size() - tried_)});
    if (!result) return tl::unexpected(result.error());
    std::vector<Sighting>& found = result->sightings;
    std::ranges::sort(found, {}, &Sighting::index);
    tried_ = found.empty() ? tried_ + result->tally.executed : found.back().index + 1;
    batch_ = found.empty() ? std::min(2 * batch_, kLargestBatch) : kFirstBatch;
    return std::move(found);
  }
  Scenario scenario(const Sighting& sighting) const override {
    Scenario scenario = generator_->scenario(sighting.index);
    scenario.protocol = runner_.name();
    scenario.bugs = setup_.bugs;
    return scenario;
  }

  Result<Tally> try_all(Wide count) override {
    auto result = run({0, std::min(count, size())});
    if (!result) return tl::unexpected(result.error());
    return std::move(result->tally);
  }

 private:
  Result<SweepResult> run(const twins::Range& range) const {
    SweepOptions options;
    options.threads = options_.threads;
    options.stop = options_.stop;
    options.sightings_of_each_kind = kMaxOfEachKind;
    RangeWork work(range);
    return sweep(runner_, setup_, *generator_, work, options);
  }

  const Runner& runner_;
  const Setup setup_;
  const std::unique_ptr<const Generator> generator_;
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
  Result<std::vector<Sighting>> next() override { return search_.run_generation(); }
  Scenario scenario(const Sighting& sighting) const override {
    return draws_->scenario(search_.genome(sighting.index));
  }

  Result<Tally> try_all(Wide count) override {
    while (search_.tried() < count && !options_.is_stopped()) search_.run_generation();
    return search_.tally();
  }

 private:
  const Runner& runner_;
  const std::unique_ptr<const guided::Draws> draws_;  // the search refers to it
  GuidedSearch search_;
  const HuntOptions options_;
};

// A generator that keeps what it is made of.
class OwnedDraws final : public Generator {
 public:
  explicit OwnedDraws(guided::Draws draws) : draws_(std::move(draws)) {
    if (draws_.sampler() == nullptr) twins_.emplace(draws_.space());
  }
  const Cluster& cluster() const override { return generator().cluster(); }
  std::optional<Wide> size() const override { return generator().size(); }
  std::unique_ptr<IndexedSchedule> schedule() const override { return generator().schedule(); }
  Scenario scenario(Wide index) const override { return generator().scenario(index); }

 private:
  const Generator& generator() const { return twins_ ? static_cast<const Generator&>(*twins_) : *draws_.sampler(); }
  guided::Draws draws_;
  std::optional<twins::TwinsGenerator> twins_;
};

}  // namespace

std::unique_ptr<Hunt> Hunt::blind(const Runner& runner, const Setup& setup, std::unique_ptr<const Generator> generator,
                                  const HuntOptions& options) {
  return std::make_unique<BlindHunt>(runner, setup, std::move(generator), options);
}

Result<std::unique_ptr<Hunt>> Hunt::make(const Runner& runner, const twins::Settings& settings,
                                         const Properties& properties, const HuntOptions& options) {
  auto draws = guided::Draws::make(settings, static_cast<unsigned>(runner.kinds().size()));
  if (!draws) return tl::unexpected(draws.error());
  const Setup setup{draws->space().cluster(), settings.bugs, properties};
  if (options.guide == GuideChoice::kNone || draws->size() <= kWorthGuiding)
    return blind(runner, setup, std::make_unique<OwnedDraws>(*std::move(draws)), options);
  if (auto sound = check_no_lasso(properties); !sound) return tl::unexpected(sound.error());
  auto kept = std::make_unique<const guided::Draws>(*std::move(draws));
  auto search = GuidedSearch::make(runner, setup, *kept, options.threads);
  if (!search) return tl::unexpected(search.error());
  return std::make_unique<GuidedHunt>(runner, std::move(kept), *std::move(search), options);
}

}  // namespace nika
