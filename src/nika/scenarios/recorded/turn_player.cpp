#include "nika/scenarios/recorded/turn_player.hpp"

#include <algorithm>
#include <tuple>

#include "nika/base/require.hpp"

namespace nika {

void TurnNames::learn(std::span<const StepChoice> choices) {
  // Messages come in the order of sending, each with all its receivers.
  for (const StepChoice& choice : choices) {
    if (choice.message <= latest_) continue;
    latest_ = choice.message;
    if (choice.round != round_) continue;
    const std::uint8_t number = ++sent_[index_of(choice.from)][choice.kind];
    named_.push_back({choice.message, number});
  }
}

TurnStep TurnNames::operator()(const StepChoice& choice) const {
  const auto found = std::ranges::lower_bound(named_, choice.message, {}, &Named::message);
  NIKA_REQUIRE(found != named_.end() && found->message == choice.message);
  return {choice.kind, found->number, choice.from, SeatSet::single(choice.to)};
}

std::size_t TurnPlayer::next(std::span<const StepChoice> choices) {
  names_.learn(choices);
  for (; list_ < lists_.size(); ++list_, step_ = 0) {
    for (; step_ < lists_[list_]->size(); ++step_) {
      if (const std::size_t found = find(choices, (*lists_[list_])[step_]); found < choices.size()) return found;
    }
  }
  return rest_of(choices);
}

// A step with several receivers is taken once for each of them.
std::size_t TurnPlayer::find(std::span<const StepChoice> choices, const TurnStep& step) const {
  std::size_t best = choices.size();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const StepChoice& choice = choices[i];
    if (!names_.is_named(choice) || choice.from != step.from || choice.kind != step.kind) continue;
    if (!step.to.contains(choice.to) || names_(choice).number != step.number) continue;
    if (best == choices.size() || choice.to < choices[best].to) best = i;
  }
  return best;
}

// Sender by sender, whose messages come in their order: that does not depend on who sent first.
std::size_t TurnPlayer::rest_of(std::span<const StepChoice> choices) const {
  const auto key = [](const StepChoice& choice) { return std::tuple(choice.from, choice.message, choice.to); };
  std::size_t best = choices.size();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].message == 0 || choices[i].round > round_) continue;
    if (best == choices.size() || key(choices[i]) < key(choices[best])) best = i;
  }
  return best;
}

}  // namespace nika
