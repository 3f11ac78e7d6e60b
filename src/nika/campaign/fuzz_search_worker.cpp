#include "nika/campaign/fuzz_search_worker.hpp"

#include <algorithm>

#include "nika/base/require.hpp"
#include "nika/scenarios/byzzfuzz/partitions.hpp"

namespace nika {

using byzzfuzz::Settings;

FuzzBases::FuzzBases(const byzzfuzz::FuzzGenerator& generator)
    : generator_(generator), partitions_(byzzfuzz::partition_count(generator.cluster().replica_seat_count())) {
  const Settings& settings = generator.settings();
  for (unsigned n = 2; n <= settings.nodes; ++n) rotations_ *= n;
  count_ = rotations_;
  for (unsigned i = 0; i < settings.outages; ++i) count_ *= partitions_ * settings.last_round;
}

void FuzzBases::set(std::uint64_t number, byzzfuzz::Draw& draw) const {
  const Settings& settings = generator_.settings();
  const unsigned replicas = generator_.cluster().replica_seat_count();
  draw.lies.clear();
  draw.outages.clear();
  const auto take = [&](std::uint64_t choices) {
    const std::uint64_t choice = number % choices;
    number /= choices;
    return choice;
  };
  for (unsigned i = 0; i < settings.outages; ++i) {
    Outage outage;
    outage.partition = byzzfuzz::partition_numbered(take(partitions_), replicas, generator_.cluster().seat_count);
    outage.protocol_round = static_cast<std::uint16_t>(1 + take(settings.last_round));
    outage.withholds = settings.withholds;
    NIKA_REQUIRE(draw.outages.push_back(outage));
  }
  for (unsigned i = 0; i < settings.nodes; ++i) draw.rotation[i] = static_cast<Identity>(i);
  for (unsigned i = settings.nodes; i > 1; --i) std::swap(draw.rotation[i - 1], draw.rotation[take(i)]);
}

FuzzSearchWorker::FuzzSearchWorker(const byzzfuzz::FuzzGenerator& generator, std::unique_ptr<Session> session,
                                   std::size_t property_count, const FuzzSearchLimits& limits)
    : generator_(generator),
      session_(std::move(session)),
      limits_(limits),
      schedule_(generator),
      tally_(property_count) {
  for (const byzzfuzz::LieList& list : generator.lies()) {
    lists_.push_back(list.all());
    ways_of_kinds_ *= list.ways();
  }
}

// Runs the configuration as far as it is chosen; the first thing that is not becomes the question.
const Outcome& FuzzSearchWorker::play(unsigned shared_rounds) {
  draw_.lies.clear();
  for (const Choice& choice : choices_) {
    for (const Weighted* chosen : choice.of_kind) {
      if (chosen == nullptr) continue;
      Lie lie = chosen->lie;
      lie.protocol_round = static_cast<std::uint16_t>(choice.protocol_round);
      lie.from = choice.from;
      lie.to = choice.to;
      draw_.lies.push_back(lie);
    }
  }
  question_ = {};
  schedule_.play(draw_, *this);
  ++runs_;
  Shared shared = schedule_.shared();
  shared.rounds = shared_rounds;
  shared.leaders = kMaxRound;
  return session_->copying()->run_on(schedule_, shared, schedule_.scheduled_rounds());
}

void FuzzSearchWorker::sends(unsigned protocol_round, Seat from, unsigned kind, SeatSet to) {
  const unsigned now = schedule_.now().number;
  if (is_base_) {
    const auto is_known = [&](const FirstSending& s) { return s.protocol_round == protocol_round && s.from == from; };
    if (protocol_round <= last_round_ && std::ranges::none_of(sendings_, is_known))
      sendings_.push_back({{kNobody, kind, to, now}, protocol_round, from});
    return;
  }
  if (question_.lie != kNobody) return;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const Choice& choice = choices_[i];
    if (choice.protocol_round != protocol_round || choice.from != from) continue;
    const bool is_chosen = (to - choice.asked).empty() && ((to & choice.to).empty() || choice.of_kind[kind] != nullptr);
    if (is_chosen) continue;
    question_ = {i, kind, to, now};
    return;
  }
}

bool FuzzSearchWorker::run(std::uint64_t base, const FuzzBases& bases, const std::atomic<bool>* stop) {
  stop_ = stop;
  base_ = base;
  bases.set(base, draw_);
  choices_.clear();
  sendings_.clear();
  last_round_ = generator_.settings().last_round;
  is_base_ = true;
  base_outcome_ = play(0);
  is_base_ = false;
  agrees_ = schedule_.scheduled_rounds();
  const unsigned lies = generator_.liar_count() == 0 ? 0 : generator_.settings().lies;
  choices_.assign(lies, Choice{1, {}, {}, {}, std::vector<const Weighted*>(lists_.size(), nullptr)});
  choose_rounds(0);
  tally_.executed = runs_;
  return !is_stopped();
}

// Rounds and liars of all lies; later rounds first, since those runs share more with the run before.
void FuzzSearchWorker::choose_rounds(std::size_t lie) {
  if (lie == choices_.size()) return run_rounds();
  for (unsigned round = generator_.settings().last_round; round > 0 && !is_stopped(); --round) {
    for (unsigned liar = 0; liar < generator_.liar_count(); ++liar) {
      choices_[lie].protocol_round = round;
      choices_[lie].from = generator_.liar_numbered(liar);
      choose_rounds(lie + 1);
    }
  }
}

// The first question is known from the run without lies. Where there is none, that run was it.
void FuzzSearchWorker::run_rounds() {
  last_round_ = 0;
  for (const Choice& choice : choices_) last_round_ = std::max(last_round_, choice.protocol_round);
  for (const FirstSending& sending : sendings_) {
    const auto is_about = [&](const Choice& c) {
      return c.protocol_round == sending.protocol_round && c.from == sending.from;
    };
    const auto found = std::ranges::find_if(choices_, is_about);
    if (found == choices_.end()) continue;
    Question question = sending.question;
    question.lie = static_cast<std::size_t>(found - choices_.begin());
    answer(question, std::min(agrees_, question.network_round - 1), 1);
    agrees_ = question.network_round - 1;
    return;
  }
  draw_.lies.clear();
  count(base_outcome_, ways_left());
}

// The run before shares so many rounds with what is chosen.
void FuzzSearchWorker::visit(unsigned shared_rounds, Wide weight) {
  if (is_stopped()) return;
  const Outcome& outcome = play(shared_rounds);
  const Question question = question_;
  if (question.lie == kNobody) return count(outcome, weight * ways_left());
  answer(question, question.network_round - 1, weight);
}

// First to whom the liar lies, then, if that is somebody who is sent this, how.
void FuzzSearchWorker::answer(const Question& question, unsigned shared_rounds, Wide weight) {
  Choice& choice = choices_[question.lie];
  const Choice before = choice;
  const SeatSet open = question.to - choice.asked;
  choice.asked |= question.to;
  const std::uint32_t bits = open.bits();
  std::uint32_t subset = bits;
  do {
    choice.to = before.to | SeatSet::from_bits(subset);
    const bool is_told = (choice.to & question.to).empty() || before.of_kind[question.kind] != nullptr;
    if (is_told) {
      visit(shared_rounds, weight);
    } else {
      for (const Weighted& way : lists_[question.kind]) {
        choice.of_kind[question.kind] = &way;
        visit(shared_rounds, weight * way.weight);
      }
      choice.of_kind[question.kind] = nullptr;
    }
    subset = (subset - 1U) & bits;
  } while (subset != bits);
  choice = before;
}

// In how many ways the rest can be chosen, which no run asked for.
Wide FuzzSearchWorker::ways_left() const {
  Wide ways = 1;
  for (const Choice& choice : choices_) {
    ways <<= generator_.cluster().seat_count - static_cast<unsigned>(choice.asked.size());
    for (std::size_t kind = 0; kind < lists_.size(); ++kind) {
      if (choice.of_kind[kind] == nullptr) ways *= generator_.lies()[kind].ways();
    }
  }
  return ways;
}

void FuzzSearchWorker::count(const Outcome& outcome, Wide weight) {
  tally_.add(outcome, weight);
  if (outcome.faults.changed > 0) effective_ += weight;
  for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
    if (outcome.judgements[p].verdict != Verdict::kViolated) continue;
    const Sighting sighting{p, outcome.judgements[p].evidence.kind, base_, base_};
    if (!first_) first_ = FirstViolation{runs_, p, sighting.kind};
    const auto alike = [&](const FuzzSighting& known) { return known.sighting.is_like(sighting); };
    if (std::ranges::count_if(sightings_, alike) < limits_.sightings_of_each_kind)
      sightings_.push_back({sighting, generator_.scenario(draw_)});
  }
}

}  // namespace nika
