// Plays one turn of a strategy against the coin (model/coin.hpp): its steps, those for the value that the coin shows,
// then all that is left of the round. Steps that are not there are passed over.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nika/model/schedule.hpp"

namespace nika {

// Names messages as turns do: by sender, kind, and how many of them it has sent in the round.
class TurnNames {
 public:
  explicit TurnNames(Round round) : round_(round) {}

  // To be told of all choices before each step of a turn.
  void learn(std::span<const StepChoice> choices);
  // One of the choices; it is of the round.
  TurnStep operator()(const StepChoice& choice) const;
  bool is_named(const StepChoice& choice) const { return choice.message != 0 && choice.round == round_; }

 private:
  struct Named {
    std::uint32_t message = 0;
    std::uint8_t number = 0;
  };

  Round round_;
  std::uint32_t latest_ = 0;  // message that was learnt
  std::vector<Named> named_;  // by message
  std::array<std::array<std::uint8_t, 32>, kMaxSeats> sent_{};
};

class TurnPlayer {
 public:
  // The turn outlives it.
  TurnPlayer(const CoinTurn& turn, Round round, bool coin)
      : lists_{&turn.before, &turn.after[coin ? 1 : 0]}, round_(round), names_(round) {}

  // What is next, by its position; no position when the turn is over.
  std::size_t next(std::span<const StepChoice> choices);
  // Whether what was picked last comes before the step by which the coin is asked for.
  bool is_before_coin() const { return list_ == 0 && step_ + 1 < lists_[0]->size(); }

 private:
  std::size_t find(std::span<const StepChoice> choices, const TurnStep& step) const;
  std::size_t rest_of(std::span<const StepChoice> choices) const;

  std::array<const std::vector<TurnStep>*, 2> lists_;
  Round round_;
  TurnNames names_;
  std::size_t list_ = 0;
  std::size_t step_ = 0;
};

}  // namespace nika
