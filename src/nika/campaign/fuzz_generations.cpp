#include "nika/campaign/fuzz_generations.hpp"

#include <algorithm>
#include <map>

#include "nika/base/require.hpp"
#include "nika/base/threads.hpp"
#include "nika/campaign/confirmed_lasso.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"
#include "nika/scenarios/byzzfuzz/rounds_guide.hpp"

namespace nika {
namespace {

using byzzfuzz::Guidance;

std::unique_ptr<Guidance> guide_for(const byzzfuzz::FuzzGenerator& generator) {
  if (generator.settings().guide == byzzfuzz::Guide::kRounds) return std::make_unique<byzzfuzz::RoundsGuide>(generator);
  return std::make_unique<byzzfuzz::FuzzGuide>(generator);
}

constexpr std::size_t kWordBytes = 8;

}  // namespace

Result<GuidedFuzz> GuidedFuzz::make(const Runner& runner, const Setup& setup, const byzzfuzz::FuzzGenerator& generator,
                                    unsigned threads) {
  NIKA_REQUIRE(threads >= 1);
  if (generator.settings().sampling != byzzfuzz::Sampling::kUniform)
    return bad_input("a guide combines faults of different draws: --sampling artifact does not go with it");
  std::vector<Worker> workers;
  for (unsigned t = 0; t < threads; ++t) {
    auto session = runner.open(setup);
    if (!session) return tl::unexpected(session.error());
    if ((*session)->copying() == nullptr)
      return bad_input("the states of this protocol cannot be seen, so that a search cannot be guided");
    workers.push_back({*std::move(session), std::make_unique<byzzfuzz::FuzzSchedule>(generator)});
  }
  return GuidedFuzz(generator, std::move(workers), setup.properties.size());
}

GuidedFuzz::GuidedFuzz(const byzzfuzz::FuzzGenerator& generator, std::vector<Worker> workers,
                       std::size_t property_count)
    : generator_(generator),
      guide_(guide_for(generator)),
      workers_(std::move(workers)),
      draws_(Guidance::kGeneration),
      reached_(Guidance::kGeneration),
      outcomes_(Guidance::kGeneration),
      tally_(property_count) {}

void GuidedFuzz::run_every(std::size_t first, std::size_t step, Worker& worker) {
  for (std::size_t i = first; i < size_; i += step) {
    guide_->draw(static_cast<std::uint64_t>(first_) + i, draws_[i], worker.scratch);
    worker.schedule->play(draws_[i], worker.watch);
    outcomes_[i] = worker.session->copying()->run(*worker.schedule, {}, reached_[i]);
  }
}

std::vector<Sighting> GuidedFuzz::run_generation(Wide most) {
  Tally ignored(tally_.properties.size());
  return run_generation(most, ignored);
}

std::vector<Sighting> GuidedFuzz::run_generation(Wide most, Tally& generation) {
  first_ = tally_.executed;
  size_ = static_cast<std::size_t>(std::min<Wide>(most, Guidance::kGeneration));
  run_on_threads(static_cast<unsigned>(workers_.size()),
                 [this](unsigned number) { run_every(number, workers_.size(), workers_[number]); });
  std::vector<Sighting> sightings;
  for (std::size_t i = 0; i < size_; ++i) {
    const Outcome& outcome = outcomes_[i];
    generation.add(outcome, 1);
    for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
      if (outcome.judgements[p].verdict != Verdict::kViolated) continue;
      sightings.push_back({p, outcome.judgements[p].evidence.kind, first_ + i, first_ + i});
    }
  }
  tally_.add(generation);
  guide_->learn(static_cast<std::uint64_t>(first_), std::span(reached_).first(size_));
  return sightings;
}

Scenario GuidedFuzz::scenario(Wide number) const {
  return generator_.scenario(draws_[static_cast<std::size_t>(number - first_)]);
}

Result<void> GuidedFuzz::take_up(const Tally& tried, std::span<const std::string> lessons) {
  std::vector<std::uint64_t> words;
  for (const std::string& lesson : lessons) {
    words.assign(lesson.size() / kWordBytes, 0);
    for (std::size_t i = 0; i < words.size() * kWordBytes; ++i)
      words[i / kWordBytes] |= std::uint64_t{static_cast<unsigned char>(lesson[i])} << (8 * (i % kWordBytes));
    if (lesson.size() % kWordBytes != 0 || !guide_->take_up(words))
      return bad_input("the campaign's file holds lessons that are none of this guide");
  }
  tally_ = tried;
  return {};
}

std::string GuidedFuzz::take_lesson() {
  const std::vector<std::uint64_t> words = guide_->take_lesson();
  std::string bytes;
  bytes.reserve(words.size() * kWordBytes);
  for (const std::uint64_t word : words) {
    for (unsigned i = 0; i < kWordBytes; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
  }
  return bytes;
}

namespace {

// What would be run again after a kill: a small part of what was run, but never less than this.
constexpr double kSecondsBetweenKeeping = 0.2;
constexpr double kPartBetweenKeeping = 0.002;

// A guided campaign: a generation is a part of its ledger, and only those of the last one can still be told.
class GuidedCampaign {
 public:
  GuidedCampaign(const FuzzRequest& request, const FuzzWatch& watch, GuidedFuzz& search, StoredCampaign& campaign,
                 Findings& findings)
      : request_(request), watch_(watch), search_(search), campaign_(campaign), findings_(findings) {}

  Result<void> take_up() {
    const Ledger& ledger = campaign_.ledger();
    if (ledger.parts().empty()) return {};
    const auto& [first, part] = *ledger.parts().begin();
    if (first != 0 || ledger.parts().size() != 1 || part.tally.executed != part.last)
      return bad_input("the campaign's file holds parts that a guide cannot have run");
    return search_.take_up(part.tally, campaign_.take_lessons());
  }

  Result<void> run() {
    const Wide asked = request_.settings.runs;
    while (search_.tried() < asked && !is_over()) {
      run_generation(asked - search_.tried());
      const double now = clock_.seconds();
      if (now >= next_keeping_) {
        if (auto kept = keep(); !kept) return kept;
        next_keeping_ = now + std::max(kSecondsBetweenKeeping, now * kPartBetweenKeeping);
      }
      if (watch_.progress)
        watch_.progress({search_.tried(), asked, search_.tally().violating_runs, search_.tally(), false});
    }
    return keep();
  }

  const Scenario& scenario_of(const Sighting& sighting) const { return scenarios_.at(sighting.index); }
  double seconds() const { return clock_.seconds(); }
  bool was_stopped() const { return search_.tried() < request_.settings.runs && campaign_.ledger().end() == kMaxWide; }

 private:
  bool is_over() const {
    return campaign_.ledger().end() != kMaxWide || (request_.seconds > 0 && clock_.seconds() > request_.seconds) ||
           (watch_.stop != nullptr && watch_.stop->load(std::memory_order_relaxed));
  }

  void run_generation(Wide most) {
    const Wide first = search_.tried();
    Tally tally(request_.properties.size());
    auto found = search_.run_generation(most, tally);
    Ledger& ledger = campaign_.ledger();
    ledger.add({first, search_.tried()}, tally, std::move(found));
    for (const Sighting& s : ledger.sightings()) {
      if (s.index < first) continue;
      const Scenario& scenario = scenarios_.try_emplace(s.index, search_.scenario(s.index)).first->second;
      if (request_.max_findings > 0) findings_.store_provisionally(*request_.properties[s.property], scenario, s.index);
    }
  }

  Result<void> keep() {
    if (!campaign_.is_stored() || campaign_.ledger().version() == kept_version_) return {};
    kept_version_ = campaign_.ledger().version();
    const auto told = [this](const Sighting& s) { return scenario_of(s); };
    return campaign_.keep(campaign_.ledger(), told, {search_.take_lesson()});
  }

  const FuzzRequest& request_;
  const FuzzWatch& watch_;
  GuidedFuzz& search_;
  StoredCampaign& campaign_;
  Findings& findings_;
  std::map<Wide, Scenario> scenarios_;
  const Watch clock_;
  std::size_t kept_version_ = campaign_.ledger().version();
  double next_keeping_ = kSecondsBetweenKeeping;
};

}  // namespace

Result<FuzzOutcome> run_guided_fuzz(const FuzzRequest& request, const FuzzWatch& watch) {
  if (auto sound = check_no_lasso(request.properties); !sound) return tl::unexpected(sound.error());
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const Setup setup{generator.cluster(), request.settings.bugs, request.properties};
  auto search = GuidedFuzz::make(*request.runner, setup, generator, request.threads);
  if (!search) return tl::unexpected(search.error());
  if (!request.place.file.empty() && !search->tells_lessons())
    return bad_input("--campaign keeps what --guide coverage has learnt: --guide rounds cannot be taken up again");
  auto stored = open_campaign(request);
  if (!stored) return tl::unexpected(stored.error());
  Findings findings(*request.runner, {request.findings, byzzfuzz::to_json(request.settings), request.shrinks,
                                      watch.stop, stored->get()});
  GuidedCampaign campaign(request, watch, *search, **stored, findings);
  if (auto taken_up = campaign.take_up(); !taken_up) return tl::unexpected(taken_up.error());
  if (auto run = campaign.run(); !run) return tl::unexpected(run.error());
  FuzzOutcome outcome;
  outcome.seconds = campaign.seconds();
  outcome.tally = (*stored)->ledger().total();
  const FuzzSightings seen{(*stored)->ledger().sightings(), [&](const Sighting& s) { return campaign.scenario_of(s); },
                           campaign.was_stopped()};
  if (auto added = add_findings(outcome, request, watch, seen, findings, **stored); !added)
    return tl::unexpected(added.error());
  return outcome;
}

}  // namespace nika
