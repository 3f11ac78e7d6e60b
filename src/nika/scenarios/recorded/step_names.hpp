// Names what can happen next in an asynchronous run as scenarios do: a message by its sender and how many that has
// sent.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nika/model/schedule.hpp"

namespace nika {

class StepNames {
 public:
  // To be told of all choices before each step of a run.
  void learn(std::span<const StepChoice> choices) {
    for (const StepChoice& choice : choices) {
      if (choice.message > of_sender_.size()) of_sender_.push_back(++sent_[index_of(choice.from)]);
    }
  }
  Step operator()(const StepChoice& choice) const {
    if (choice.message == 0) return {.to = choice.to, .timer = choice.kind};
    return {of_sender_[choice.message - 1], choice.to, choice.from};
  }

 private:
  std::vector<std::uint32_t> of_sender_;  // by the number of the message in the run
  std::array<std::uint32_t, kMaxSeats> sent_{};
};

// Answers as another schedule does and writes the steps down.
class StepRecorder final : public Schedule {
 public:
  StepRecorder(Schedule& schedule, unsigned seat_count) : schedule_(schedule) {
    begin(seat_count, schedule.scheduled_rounds(), schedule.heal_rounds());
    leaders_ = schedule.leaders();
    coins_ = schedule.coins();
  }

  const Step* says(std::span<const StepChoice> choices) override {
    const Step* said = schedule_.says(choices);
    if (said != nullptr) steps_.push_back(*said);
    return said;
  }
  std::size_t next(std::span<const StepChoice> choices) override {
    names_.learn(choices);
    const std::size_t picked = schedule_.next(choices);
    if (picked < choices.size()) steps_.push_back(names_(choices[picked]));
    return picked;
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  // An asynchronous run has no network rounds to ask about.
  void choose(Round, RoundAnswers&) override {}

  Schedule& schedule_;
  StepNames names_;
  std::vector<Step> steps_;
};

}  // namespace nika
