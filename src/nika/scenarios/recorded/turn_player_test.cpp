#include "nika/scenarios/recorded/turn_player.hpp"

#include <gtest/gtest.h>

#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

constexpr Seat kA{0};
constexpr Seat kB{1};

// Messages on their way, as a network tells them; what is taken is gone.
class Mail {
 public:
  void send(Seat from, unsigned kind, unsigned round) {
    ++sent_;
    for (const Seat to : {kA, kB}) choices_.push_back({sent_, from, to, static_cast<std::uint8_t>(kind), Round(round)});
  }
  // All that is taken, as "message>receiver".
  template <class Next>
  std::string taken_by(Next&& next) {
    std::string told;
    for (std::size_t at = next(choices_); at < choices_.size(); at = next(choices_)) {
      told +=
          (told.empty() ? "" : " ") + std::to_string(choices_[at].message) + ">" + (choices_[at].to == kA ? "A" : "B");
      choices_.erase(choices_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return told;
  }
  std::size_t left() const { return choices_.size(); }

 private:
  std::vector<StepChoice> choices_;
  std::uint32_t sent_ = 0;
};

Mail mail() {
  Mail result;
  result.send(kB, 0, 1);  // 1: the first of B's kind 0
  result.send(kA, 0, 1);  // 2
  result.send(kB, 1, 1);  // 3: the first of its kind 1
  result.send(kB, 0, 1);  // 4: the second of its kind 0
  result.send(kA, 0, 2);  // 5: of the next round
  return result;
}

CoinTurn turn() {
  CoinTurn result;
  result.before = {{0, 2, kB, {kA, kB}}};
  result.after[0] = {{1, 1, kB, {kB}}, {1, 2, kB, {kB}}};  // there is no second
  result.after[1] = {{0, 1, kA, {kB}}};
  result.next = {1, 0};
  return result;
}

TEST(TurnPlayer, TakesItsStepsThenThoseOfTheCoinThenTheRestOfTheRound) {
  for (const bool coin : {false, true}) {
    Mail waiting = mail();
    const CoinTurn played = turn();
    TurnPlayer player(played, Round(1), coin);
    const std::string taken = waiting.taken_by([&](const auto& choices) { return player.next(choices); });
    EXPECT_EQ(taken, coin ? "4>A 4>B 2>B 2>A 1>A 1>B 3>A 3>B" : "4>A 4>B 3>B 2>A 2>B 1>A 1>B 3>A");
    EXPECT_EQ(waiting.left(), 2U);
  }
}

TEST(TurnPlayer, KnowsWhatComesBeforeTheCoin) {
  CoinTurn played = turn();
  played.before.push_back({0, 1, kA, {kA}});
  Mail waiting = mail();
  TurnPlayer player(played, Round(1), false);
  std::string before;
  (void)waiting.taken_by([&](const auto& choices) {
    const std::size_t picked = player.next(choices);
    if (picked < choices.size()) before += player.is_before_coin() ? '<' : '.';
    return picked;
  });
  EXPECT_EQ(before, "<<......");
}

// With 1 the first turn comes again, in the next round; there are as many turns as coins.
TEST(RecordedSchedule, PlaysATurnForEachCoin) {
  Scenario scenario;
  scenario.node_count = 2;
  scenario.rounds.resize(1);
  scenario.turns = {turn(), {}};
  scenario.coins = {0};
  Mail one = mail();
  RecordedSchedule first(scenario);
  EXPECT_EQ(one.taken_by([&](const auto& choices) { return first.next(choices); }), "4>A 4>B 3>B 2>A 2>B 1>A 1>B 3>A");
  scenario.coins = {1, 1};
  Mail two = mail();
  RecordedSchedule second(scenario);
  EXPECT_EQ(two.taken_by([&](const auto& choices) { return second.next(choices); }),
            "4>A 4>B 2>B 2>A 1>A 1>B 3>A 3>B 5>B 5>A");
  EXPECT_TRUE(second.coins().of(Round(2)));
}

}  // namespace
}  // namespace nika
