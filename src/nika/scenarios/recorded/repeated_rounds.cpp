#include "nika/scenarios/recorded/repeated_rounds.hpp"

#include "nika/base/require.hpp"

namespace nika {

KeptRound::KeptRound(const RoundAnswers& answers, IdentitySet the_leaders)
    : links(*answers.links),
      order(*answers.order),
      receiver_orders(answers.receiver_orders.begin(), answers.receiver_orders.end()),
      rules(answers.rules.begin(), answers.rules.end()),
      gives_up(answers.gives_up),
      crashes(answers.crashes),
      recovers(answers.recovers),
      forgets(answers.forgets),
      heals(answers.heals),
      leaders(the_leaders) {
  if (answers.kind_links != nullptr) kind_links = *answers.kind_links;
  for (Rule& rule : rules) {
    rule.first_round = Round(0);
    rule.last_round = Round(255);
  }
}

RoundAnswers KeptRound::answers() const {
  return {.links = &links,
          .kind_links = kind_links ? &*kind_links : nullptr,
          .order = &order,
          .receiver_orders = receiver_orders,
          .rules = rules,
          .gives_up = gives_up,
          .crashes = crashes,
          .recovers = recovers,
          .forgets = forgets,
          .heals = heals};
}

RepeatedRounds::RepeatedRounds(Schedule& schedule, unsigned seat_count, unsigned last, unsigned period)
    : period_(period) {
  NIKA_REQUIRE(period >= 1 && period <= last && last <= kMaxRound);
  for (unsigned number = 1; number <= last; ++number) {
    const RoundAnswers& answers = schedule.round(Round(number));
    // A rule that is not about this round says nothing about those that repeat it.
    std::vector<Rule> rules;
    for (const Rule& rule : answers.rules) {
      if (rule.first_round.number <= number && number <= rule.last_round.number) rules.push_back(rule);
    }
    RoundAnswers kept = answers;
    kept.rules = rules;
    rounds_.push_back(std::make_shared<const KeptRound>(kept, schedule.leaders()[number]));
  }
  begin(seat_count, kMaxRound, 0);
  renumber(0);
}

void RepeatedRounds::repeat(unsigned first, unsigned length) {
  NIKA_REQUIRE(first >= 1 && length >= 1);
  std::vector<std::shared_ptr<const KeptRound>> rounds;
  for (unsigned number = 1; number < first + length; ++number) rounds.push_back(rounds_[position_of(number)]);
  rounds_ = std::move(rounds);
  period_ = length;
  renumber(0);
}

void RepeatedRounds::renumber(int before, bool moves_leaders) {
  before_ = before;
  if (!moves_leaders) return;
  for (int round = 1; round < static_cast<int>(leaders_.size()); ++round) {
    const int number = before + round;
    leaders_[static_cast<std::size_t>(round)] = number < 1 ? IdentitySet{} : at(static_cast<unsigned>(number)).leaders;
  }
}

std::size_t RepeatedRounds::position_of(unsigned number) const {
  const std::size_t known = rounds_.size();
  if (number <= known) return number - 1U;
  const std::size_t first = known - period_;
  return first + (number - 1U - first) % period_;
}

void RepeatedRounds::choose(Round round, RoundAnswers& answers) {
  answers = at(static_cast<unsigned>(before_ + round.number)).answers();
}

}  // namespace nika
