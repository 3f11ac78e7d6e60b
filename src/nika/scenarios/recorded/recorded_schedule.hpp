// Answers as a scenario says: what was written down, found or shrunk is run again like everything else.
#pragma once

#include "nika/model/schedule.hpp"

namespace nika {

class RecordedSchedule final : public Schedule {
 public:
  // The scenario outlives it and fits its cluster.
  explicit RecordedSchedule(const Scenario& scenario);

  const Timing* timing() const override { return scenario_.timing ? &*scenario_.timing : nullptr; }
  std::span<const Rule> rules() const override { return rules_; }
  std::size_t next(std::span<const StepChoice> choices) override;

 private:
  void choose(Round round, RoundAnswers& answers) override;
  void heal(Round round, RoundAnswers& answers) override;
  void apply_rules(Round round, RoundAnswers& answers);

  const Scenario& scenario_;
  unsigned seat_count_;
  std::vector<Rule> rules_;  // one without a last round ends with the scheduled ones
  std::vector<Rule> in_force_;
  Links links_{};
  std::size_t step_ = 0;
};

}  // namespace nika
