#include "nika/scenarios/twins/twins_generator.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace nika::twins {
namespace {

// One representative of each class, in the order of their numbers if they are asked for in it.
class ClassSchedule final : public TwinsSchedule {
 public:
  ClassSchedule(const Space& space, const Classes& classes) : TwinsSchedule(space), classes_(classes) {}

  void seek(Wide index) override {
    if (cursor_ && index == at_ + 1) {
      cursor_->advance();
    } else if (!cursor_ || index != at_) {
      cursor_.emplace(classes_, index);
    }
    at_ = index;
    sequence_.assign(cursor_->representative().begin(), cursor_->representative().end());
    take_sequence(0);
  }
  std::uint32_t weight() const override { return cursor_->weight(); }
  void arrange(std::span<Numbered>) const override {}  // the cursor goes in one direction

 private:
  const Classes& classes_;
  std::optional<Classes::Cursor> cursor_;
  Wide at_ = 0;
};

// So many digits of this radix fit into a number.
unsigned digits_below_2_64(std::uint64_t radix) {
  unsigned digits = 0;
  for (std::uint64_t rest = ~std::uint64_t{0}; rest >= radix; rest /= std::max<std::uint64_t>(radix, 2)) ++digits;
  return digits;
}

std::vector<std::uint32_t> ranks_by_leaders(const std::vector<Configuration>& configurations) {
  std::vector<std::uint32_t> sorted(configurations.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::stable_sort(sorted, {}, [&](std::uint32_t c) { return configurations[c].leaders; });
  std::vector<std::uint32_t> rank(sorted.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) rank[sorted[i]] = i;
  return rank;
}

}  // namespace

TwinsSchedule::TwinsSchedule(const Space& space)
    : space_(space),
      sequence_(space.rounds()),
      rank_(ranks_by_leaders(space.configurations())),
      previous_(space.rounds(), ~0U),
      samples_orders_(space.settings().order == OrderChoice::kSampled) {
  begin(space.cluster().seat_count, space.rounds(), space.settings().heal_rounds);
  set_crashes(space.settings().crashes);
  set_heal_leaders(leaders_, space.rounds(), space.healings().rotations().front());
  for (const Partition& partition : space.partitions())
    links_.push_back(links_of(partition, space.cluster().seat_count));
}

void TwinsSchedule::seek(Wide index) {
  space_.unrank(index, sequence_);
  take_sequence(index);
}

void TwinsSchedule::take_sequence(Wide index) {
  index_ = index;
  shared_ = {0, kMaxRound};
  const Healings& healings = space_.healings();
  const std::uint32_t healing = healings.size() == 1 ? 0 : space_.healing_of(index);
  heal_order_ = healings.order(healing);
  if (healings.rotation_number(healing) != rotation_) {
    rotation_ = healings.rotation_number(healing);
    set_heal_leaders(leaders_, space_.rounds(), healings.rotations()[rotation_]);
    shared_.leaders = space_.rounds();
  }
  for (unsigned r = 0; r < sequence_.size(); ++r) {
    const IdentitySet leaders = space_.configurations()[sequence_[r]].leaders;
    if (leaders != leaders_[r + 1]) shared_.leaders = std::min(shared_.leaders, r);
    leaders_[r + 1] = leaders;
  }
  const auto parted = std::ranges::mismatch(sequence_, previous_).in1;
  if (!samples_orders_) shared_.rounds = static_cast<unsigned>(parted - sequence_.begin());
  previous_ = sequence_;
}

// By their rounds from the first on; of each round first by its leaders, whom replicas ask for before it begins.
void TwinsSchedule::arrange(std::span<Numbered> schedules) const {
  if (samples_orders_) {
    for (Numbered& numbered : schedules) numbered.keeps = 0;
    return;
  }
  // A schedule's rank is its rounds as one number, or as many of the first ones as it has room for.
  const std::uint64_t radix = rank_.size();
  std::vector<std::uint32_t> sequence(space_.rounds());
  const auto ranked = std::span(sequence).first(std::min<std::size_t>(sequence.size(), digits_below_2_64(radix)));
  for (Numbered& numbered : schedules) {
    space_.unrank(numbered.index, sequence);
    numbered.rank = 0;
    for (const std::uint32_t configuration : ranked) numbered.rank = numbered.rank * radix + rank_[configuration];
  }
  std::ranges::sort(schedules, {}, [](const Numbered& numbered) { return std::pair(numbered.rank, numbered.place); });
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    schedules[i].keeps = 0;
    if (i + 1 == schedules.size()) continue;
    schedules[i].keeps = static_cast<unsigned>(ranked.size());
    for (auto a = schedules[i].rank, b = schedules[i + 1].rank; a != b; a /= radix, b /= radix) --schedules[i].keeps;
  }
}

void TwinsSchedule::choose(Round round, RoundAnswers& answers) {
  const unsigned r = round.number - 1U;
  const Configuration& chosen = space_.configurations()[sequence_[r]];
  answers.links = &links_[chosen.partition];
  if (samples_orders_) order_ = space_.order(chosen, {index_, r});
  answers.order = samples_orders_ ? &order_ : &space_.orders()[chosen.order];
}

std::unique_ptr<IndexedSchedule> TwinsGenerator::schedule() const {
  if (classes_ != nullptr) return std::make_unique<ClassSchedule>(space_, *classes_);
  return std::make_unique<TwinsSchedule>(space_);
}

Scenario TwinsGenerator::scenario(Wide index) const {
  if (classes_ == nullptr) return space_.scenario(index);
  std::vector<std::uint32_t> representative(space_.rounds());
  classes_->unrank(index, representative);
  return space_.scenario(0, representative);
}

}  // namespace nika::twins
