#include "nika/scenarios/recorded/recorded_schedule.hpp"

#include <algorithm>

namespace nika {

RecordedSchedule::RecordedSchedule(const Scenario& scenario, bool passes_over)
    : scenario_(scenario),
      seat_count_(cast_of(scenario).value().seat_count),
      rules_(scenario.rules),
      passes_over_(passes_over) {
  const auto rounds = static_cast<unsigned>(scenario.rounds.size());
  begin(seat_count_, rounds, scenario.heal_rounds);
  set_crashes(scenario.crashes);
  for (std::size_t r = 0; r < rounds; ++r) leaders_[r + 1] = scenario.rounds[r].leaders;
  set_heal_leaders(leaders_, rounds, scenario.heal_leaders);
  heal_order_ = scenario.heal_order;
  coins_.show_all(scenario.coins);
  faults_ = {scenario.outages, scenario.lies, scenario.faults_count_messages};
  for (Rule& rule : rules_) {
    if (rule.last_round == Round(kMaxRound) && !scenario.timing) rule.last_round = Round(rounds);
  }
}

void RecordedSchedule::choose(Round round, RoundAnswers& answers) {
  const RoundPlan& plan = scenario_.rounds[round.number - 1U];
  links_ = links_of(plan.partition, seat_count_);
  answers.links = &links_;
  answers.order = &plan.order;
  answers.receiver_orders = plan.receiver_orders;
  answers.gives_up = plan.gives_up;
  if (!faults_.outages.empty() || !faults_.lies.empty()) answers.faults = &faults_;
  apply_rules(round, answers);
}

void RecordedSchedule::heal(Round round, RoundAnswers& answers) {
  if (scenario_.lies_go_on) answers.faults = &faults_;
  apply_rules(round, answers);
}

void RecordedSchedule::apply_rules(Round round, RoundAnswers& answers) {
  in_force_.clear();
  std::ranges::copy_if(rules_, std::back_inserter(in_force_),
                       [&](const Rule& rule) { return rule.first_round <= round && round <= rule.last_round; });
  answers.rules = in_force_;
}

const Step* RecordedSchedule::turn(std::span<const StepChoice> choices) {
  names_.learn(choices);
  for (; scenario_.steps && step_ < scenario_.steps->size(); ++step_) {
    const Step& step = (*scenario_.steps)[step_];
    if (step.says || !passes_over_) return &step;
    if (std::ranges::any_of(choices, [&](const StepChoice& choice) { return names_(choice) == step; })) return &step;
  }
  return nullptr;
}

const Step* RecordedSchedule::says(std::span<const StepChoice> choices) {
  if (!scenario_.turns.empty()) return nullptr;
  const Step* step = turn(choices);
  if (step == nullptr || !step->says) return nullptr;
  ++step_;
  return step;
}

std::size_t RecordedSchedule::next(std::span<const StepChoice> choices) {
  if (!scenario_.turns.empty()) return next_of_turns(choices);
  const Step* step = turn(choices);
  if (step == nullptr || step->says) return choices.size();
  ++step_;
  const auto found = std::ranges::find_if(choices, [&](const StepChoice& choice) { return names_(choice) == *step; });
  return static_cast<std::size_t>(found - choices.begin());
}

// As many turns as the scenario has coins.
std::size_t RecordedSchedule::next_of_turns(std::span<const StepChoice> choices) {
  while (turn_round_.number <= scenario_.coins.size()) {
    const CoinTurn& turn = scenario_.turns[turn_];
    const bool coin = coins_.of(turn_round_);
    if (!player_) player_.emplace(turn, turn_round_, coin);
    if (const std::size_t picked = player_->next(choices); picked < choices.size()) return picked;
    player_.reset();
    turn_ = turn.next[coin ? 1 : 0];
    turn_round_ = turn_round_.next();
  }
  return choices.size();
}

}  // namespace nika
