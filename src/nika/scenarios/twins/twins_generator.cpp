#include "nika/scenarios/twins/twins_generator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "nika/base/random.hpp"

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

}  // namespace

TwinsSchedule::TwinsSchedule(const Space& space)
    : space_(space),
      sequence_(space.rounds()),
      previous_(space.rounds(), ~0U),
      samples_orders_(space.settings().order == OrderChoice::kSampled) {
  begin(space.cluster().seat_count, space.rounds(), space.settings().heal_rounds);
  set_crashes(space.settings().crashes);
  set_heal_leaders(leaders_, space.rounds(), space.heal_leaders());
  for (const Partition& partition : space.partitions())
    links_.push_back(links_of(partition, space.cluster().seat_count));
}

void TwinsSchedule::seek(Wide index) {
  space_.unrank(index, sequence_);
  take_sequence(index);
}

void TwinsSchedule::take_sequence(Wide index) {
  index_ = index;
  bool same_leaders = true;
  for (unsigned r = 0; r < sequence_.size(); ++r) {
    const IdentitySet leaders = space_.configurations()[sequence_[r]].leaders;
    same_leaders = same_leaders && leaders == leaders_[r + 1];
    leaders_[r + 1] = leaders;
  }
  const auto parted = std::ranges::mismatch(sequence_, previous_).in1;
  shared_rounds_ = same_leaders && !samples_orders_ ? static_cast<unsigned>(parted - sequence_.begin()) : 0;
  previous_ = sequence_;
}

// By their leaders, then by their rounds from the first on. Schedules that were drawn hardly ever have the same leaders
// if there are many ways to lead: they are left as they are.
void TwinsSchedule::arrange(std::span<Numbered> schedules) const {
  const double ways_to_lead = std::pow(space_.leader_sets().size(), space_.rounds());
  const bool is_hopeless = space_.is_shuffled() && ways_to_lead > static_cast<double>(schedules.size());
  if (samples_orders_ || is_hopeless) {
    for (Numbered& numbered : schedules) numbered.keeps = 0;
    return;
  }
  struct Key {
    std::uint64_t leaders = 0;  // mixed: any order of them will do
    Wide rounds = 0;            // as one number, or what is left of it
    Numbered numbered{};

    auto rank() const { return std::tuple(leaders, rounds, numbered.position); }
  };
  const Wide radix = space_.configurations().size();
  std::vector<Key> keys;
  keys.reserve(schedules.size());
  std::vector<std::uint32_t> sequence(space_.rounds());
  for (const Numbered& numbered : schedules) {
    space_.unrank(numbered.index, sequence);
    Key key{0, 0, numbered};
    for (const std::uint32_t configuration : sequence) {
      key.leaders = mix64(key.leaders ^ space_.configurations()[configuration].leaders.bits());
      key.rounds = key.rounds * radix + configuration;
    }
    keys.push_back(key);
  }
  std::ranges::sort(keys, {}, &Key::rank);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    schedules[i] = keys[i].numbered;
    schedules[i].keeps = 0;
    if (i + 1 == keys.size() || keys[i].leaders != keys[i + 1].leaders) continue;
    schedules[i].keeps = space_.rounds();
    for (Wide a = keys[i].rounds, b = keys[i + 1].rounds; a != b; a /= radix, b /= radix) --schedules[i].keeps;
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
