#include "nika/scenarios/twins/twins_generator.hpp"

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

 private:
  const Classes& classes_;
  std::optional<Classes::Cursor> cursor_;
  Wide at_ = 0;
};

}  // namespace

TwinsSchedule::TwinsSchedule(const Space& space)
    : space_(space), sequence_(space.rounds()), samples_orders_(space.settings().order == OrderChoice::kSampled) {
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
  for (unsigned r = 0; r < sequence_.size(); ++r) leaders_[r + 1] = space_.configurations()[sequence_[r]].leaders;
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
