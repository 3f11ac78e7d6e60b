// Several generators of asynchronous runs of one cluster as one: schedule i is number i / k of the generator i mod k.
#pragma once

#include <memory>
#include <vector>

#include "nika/scenarios/generator.hpp"

namespace nika::conform {

class ScheduleInTurn final : public IndexedSchedule {
 public:
  ScheduleInTurn(std::vector<std::unique_ptr<IndexedSchedule>> schedules, unsigned seat_count)
      : schedules_(std::move(schedules)) {
    begin(seat_count, schedules_[0]->scheduled_rounds(), schedules_[0]->heal_rounds());
    seek(0);
  }
  void seek(Wide index) override {
    now_ = schedules_[static_cast<std::size_t>(index % schedules_.size())].get();
    now_->seek(index / schedules_.size());
    leaders_ = now_->leaders();
  }
  std::size_t next(std::span<const StepChoice> choices) override { return now_->next(choices); }

 private:
  void choose(Round, RoundAnswers&) override {}

  std::vector<std::unique_ptr<IndexedSchedule>> schedules_;
  IndexedSchedule* now_ = nullptr;
};

class GeneratorsInTurn final : public Generator {
 public:
  // At least one, of the same cluster and as many rounds, each with at least size / k schedules, rounded up.
  GeneratorsInTurn(std::vector<std::unique_ptr<Generator>> generators, Wide size)
      : generators_(std::move(generators)), size_(size) {}

  const Cluster& cluster() const override { return generators_[0]->cluster(); }
  std::optional<Wide> size() const override { return size_; }
  std::unique_ptr<IndexedSchedule> schedule() const override {
    std::vector<std::unique_ptr<IndexedSchedule>> schedules;
    for (const auto& generator : generators_) schedules.push_back(generator->schedule());
    return std::make_unique<ScheduleInTurn>(std::move(schedules), cluster().seat_count);
  }
  Scenario scenario(Wide index) const override {
    return generators_[static_cast<std::size_t>(index % generators_.size())]->scenario(index / generators_.size());
  }

 private:
  std::vector<std::unique_ptr<Generator>> generators_;
  Wide size_;
};

}  // namespace nika::conform
