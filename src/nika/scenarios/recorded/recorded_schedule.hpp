// Answers as a scenario says: what was written down, found or shrunk is run again like everything else.
#pragma once

#include <optional>

#include "nika/scenarios/recorded/step_names.hpp"
#include "nika/scenarios/recorded/turn_player.hpp"

namespace nika {

class RecordedSchedule final : public Schedule {
 public:
  // The scenario outlives it and fits its cluster. A step that is not there ends the run, unless it is passed over.
  explicit RecordedSchedule(const Scenario& scenario, bool passes_over = false);

  const Timing* timing() const override { return scenario_.timing ? &*scenario_.timing : nullptr; }
  std::span<const Rule> rules() const override { return rules_; }
  const Step* says(std::span<const StepChoice> choices) override;
  std::size_t next(std::span<const StepChoice> choices) override;

 private:
  // Whose turn it is: what is said, or a choice that is there, unless it is not to be passed over.
  const Step* turn(std::span<const StepChoice> choices);
  void choose(Round round, RoundAnswers& answers) override;
  void heal(Round round, RoundAnswers& answers) override;
  void apply_rules(Round round, RoundAnswers& answers);
  std::size_t next_of_turns(std::span<const StepChoice> choices);

  const Scenario& scenario_;
  unsigned seat_count_;
  std::vector<Rule> rules_;  // one without a last round ends with the scheduled ones
  std::vector<Rule> in_force_;
  Links links_{};
  Faults faults_{};
  const bool passes_over_;
  StepNames names_;
  std::size_t step_ = 0;
  std::optional<TurnPlayer> player_;  // of a turn that has begun
  std::size_t turn_ = 0;
  Round turn_round_{1};
};

}  // namespace nika
