#include "nika/scenarios/steps/steps_generator.hpp"

#include <algorithm>
#include <array>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"
#include "nika/scenarios/recorded/step_names.hpp"

namespace nika::steps {
namespace {

// Coins are the same whatever the order is drawn by, and the order does not depend on them: nobody knows them.
constexpr std::size_t kDrawnCoins = 24;
std::vector<std::uint8_t> coins_of(std::uint64_t seed, Wide index) {
  constexpr std::uint64_t kOther = 0xc01c01c01c01c01cULL;
  Random random(mix64(seed ^ mix64(static_cast<std::uint64_t>(index) ^ kOther)));
  std::vector<std::uint8_t> coins(kDrawnCoins);
  for (std::uint8_t& coin : coins) coin = static_cast<std::uint8_t>(random.below(2));
  return coins;
}

class StepsSchedule final : public IndexedSchedule {
 public:
  StepsSchedule(const Scenario& base, unsigned seat_count, const Drawing& drawing, std::uint64_t seed)
      : drawing_(drawing), seed_(seed) {
    const auto rounds = static_cast<unsigned>(base.rounds.size());
    begin(seat_count, rounds, base.heal_rounds);
    for (unsigned r = 0; r < rounds; ++r) leaders_[r + 1] = base.rounds[r].leaders;
    set_heal_leaders(leaders_, rounds, base.heal_leaders);
    change_points_.resize(drawing.change_points);
    seek(0);
  }

  void seek(Wide index) override {
    random_ = Random(mix64(seed_ ^ mix64(static_cast<std::uint64_t>(index))));
    taken_ = 0;
    timers_left_ = drawing_.timers;
    if (drawing_.tosses_coins) coins_.show_all(coins_of(seed_, index));
    if (drawing_.draw != Draw::kPriorities) return;
    for (std::uint64_t& priority : priorities_) priority = random_.next() | kInitial;
    for (std::size_t& point : change_points_)
      point = static_cast<std::size_t>(random_.below(std::max(1U, drawing_.expected_steps)));
  }

  std::size_t next(std::span<const StepChoice> choices) override {
    if (taken_ >= drawing_.max_steps) return choices.size();
    const std::size_t picked = drawing_.draw == Draw::kUniform ? pick_any(choices) : pick_first(choices);
    if (picked == choices.size()) return picked;
    if (choices[picked].message == 0) --timers_left_;
    ++taken_;
    return picked;
  }

 private:
  static constexpr std::uint64_t kInitial = std::uint64_t{1} << 63U;  // above all that have fallen behind

  // An asynchronous run has no network rounds to ask about.
  void choose(Round, RoundAnswers&) override {}

  bool is_allowed(const StepChoice& choice) const { return choice.message != 0 || timers_left_ > 0; }

  std::size_t pick_any(std::span<const StepChoice> choices) {
    const auto allowed = std::ranges::count_if(choices, [&](const StepChoice& c) { return is_allowed(c); });
    if (allowed == 0) return choices.size();
    auto left = random_.below(static_cast<std::uint64_t>(allowed));
    std::size_t at = 0;
    while (!is_allowed(choices[at]) || left-- > 0) ++at;
    return at;
  }

  // A link has a priority, and so has a seat's timer.
  static std::size_t chain_of(const StepChoice& choice) {
    if (choice.message == 0) return kMaxSeats * kMaxSeats + index_of(choice.to);
    return index_of(choice.from) * kMaxSeats + index_of(choice.to);
  }
  std::size_t highest(std::span<const StepChoice> choices) const {
    std::size_t best = choices.size();
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (!is_allowed(choices[i])) continue;
      if (best == choices.size() || priorities_[chain_of(choices[i])] > priorities_[chain_of(choices[best])]) best = i;
    }
    return best;
  }
  std::size_t pick_first(std::span<const StepChoice> choices) {
    const std::size_t best = highest(choices);
    if (best == choices.size()) return best;
    for (std::size_t i = 0; i < change_points_.size(); ++i) {
      if (change_points_[i] == taken_) priorities_[chain_of(choices[best])] = i;
    }
    return highest(choices);
  }

  const Drawing drawing_;
  const std::uint64_t seed_;
  Random random_{0};
  std::array<std::uint64_t, kMaxSeats * kMaxSeats + kMaxSeats> priorities_{};
  std::vector<std::size_t> change_points_;
  unsigned timers_left_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace

StepsGenerator::StepsGenerator(Scenario base, const Drawing& drawing, std::uint64_t seed, Wide size, Play play)
    : base_(without_notes(std::move(base))),
      cluster_(make_cluster(base_.node_count, base_.copies, base_.client_count).value()),
      drawing_(drawing),
      seed_(seed),
      size_(size),
      play_(std::move(play)) {
  cluster_.fault_count = base_.fault_count;
  NIKA_REQUIRE(set_unls(cluster_, base_.unls).has_value());
}

std::unique_ptr<IndexedSchedule> StepsGenerator::schedule() const {
  return std::make_unique<StepsSchedule>(base_, cluster_.seat_count, drawing_, seed_);
}

Scenario StepsGenerator::scenario(Wide index) const {
  StepsSchedule schedule(base_, cluster_.seat_count, drawing_, seed_);
  schedule.seek(index);
  StepRecorder recorder(schedule, cluster_.seat_count);
  play_(recorder);
  Scenario result = base_;
  result.steps = recorder.steps();
  if (drawing_.tosses_coins) result.coins = coins_of(seed_, index);
  return result;
}

}  // namespace nika::steps
