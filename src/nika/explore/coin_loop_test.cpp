// Strategies against the coin of MMR14: the one of Tholoniat and Gramoli, section 2.1, is proved to go on for ever
// whatever the coin shows; what is no proof is refused; and the repair has none of it.
#include "nika/explore/coin_loop.hpp"

#include <gtest/gtest.h>

#include "nika/base/sanitized.hpp"
#include "nika/explore/coin_hunt.hpp"
#include "nika/protocols/mmr/mmr.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

using mmr::Mmr14;
using mmr::Mmr14Conf;

constexpr Seat kA{0};
constexpr Seat kB{1};
constexpr Seat kC{2};
constexpr Seat kD{3};
constexpr Seat kTwin{4};  // of D
constexpr std::uint8_t kBVal = 0;
constexpr std::uint8_t kAux = 1;

TurnStep step(Seat from, std::uint8_t kind, unsigned number, std::initializer_list<Seat> to) {
  TurnStep result{kind, static_cast<std::uint8_t>(number), from, {}};
  for (Seat seat : to) result.to.insert(seat);
  return result;
}

// p1, p2 and p3 of the paper are A, B and C, with inputs 0, 1 and 1; p4 is D with its twin, which begin with 0 and 1.
Scenario cast() {
  Scenario scenario;
  scenario.copies = {1, 1, 1, 2};
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{1}, Identity{2}};
  return scenario;
}

Cluster cluster() {
  Cluster result = cast_of(cast()).value();
  result.fault_count = 1;
  return result;
}

// AUX messages with both values to A, C and D. The coin is asked for by A.
void add_aux(std::vector<TurnStep>& steps) {
  for (const Seat from : {kA, kC, kD}) steps.push_back(step(from, kAux, 1, {kA, kC, kD}));
}

// What B and the twin of D hear once the coin is known: as if all of A, C, D and B had said one value, that of these.
std::vector<TurnStep> one_value_to_b(std::initializer_list<std::pair<Seat, unsigned>> bvals, Seat aux) {
  std::vector<TurnStep> steps;
  for (const auto& [from, number] : bvals) steps.push_back(step(from, kBVal, number, {kB, kTwin}));
  for (const Seat from : {aux, kB, kTwin}) steps.push_back(step(from, kAux, 1, {kB, kTwin}));
  return steps;
}

// A and D begin with 0, B, C and the twin with 1.
CoinTurn first_turn() {
  CoinTurn turn;
  turn.before = {step(kA, kBVal, 1, {kC}),     step(kD, kBVal, 1, {kC}),                                // C echoes 0
                 step(kB, kBVal, 1, {kC}),     step(kTwin, kBVal, 1, {kC}),  step(kC, kBVal, 1, {kC}),  // C delivers 1
                 step(kA, kBVal, 1, {kA, kD}), step(kD, kBVal, 1, {kA, kD}), step(kC, kBVal, 2, {kA, kD}),
                 step(kC, kBVal, 2, {kC}),  // all three have 0
                 step(kB, kBVal, 1, {kA, kD}), step(kC, kBVal, 1, {kA, kD}), step(kTwin, kBVal, 1, {kA, kD})};
  add_aux(turn.before);
  turn.after[0] = one_value_to_b({{kB, 1}, {kC, 1}, {kTwin, 1}}, kC);
  turn.after[1] = one_value_to_b({{kA, 1}, {kD, 1}, {kC, 2}}, kA);
  turn.next = {1, 2};
  return turn;
}

// A, C and D have the same estimate `a`, B and the twin the other one. C hears the other one first.
CoinTurn later_turn(bool a) {
  CoinTurn turn;
  turn.before = {step(kB, kBVal, 1, {kC}),     step(kTwin, kBVal, 1, {kC}),     step(kC, kBVal, 2, {kC}),
                 step(kA, kBVal, 1, {kA, kD}), step(kC, kBVal, 1, {kA, kD}),    step(kD, kBVal, 1, {kA, kD}),
                 step(kB, kBVal, 1, {kA, kD}), step(kTwin, kBVal, 1, {kA, kD}), step(kC, kBVal, 2, {kA, kD}),
                 step(kA, kBVal, 1, {kC}),     step(kD, kBVal, 1, {kC}),        step(kC, kBVal, 1, {kC})};
  add_aux(turn.before);
  const std::size_t same = a ? 1 : 0;
  turn.after[same] = one_value_to_b({{kB, 1}, {kTwin, 1}, {kC, 2}}, kC);
  turn.after[1 - same] = one_value_to_b({{kA, 1}, {kC, 1}, {kD, 1}}, kA);
  turn.next = {1, 2};
  return turn;
}

CoinStrategy strategy() { return {first_turn(), later_turn(false), later_turn(true)}; }

template <Protocol P>
CoinProof proof_of(const CoinStrategy& strategy) {
  const Scenario scenario = cast();
  return CoinLoop<P>(cluster(), RecordedSchedule(scenario)).prove(strategy);
}

// One run of the strategy with these coins.
template <Protocol P>
unsigned decided_with(const CoinStrategy& turns, unsigned bits, unsigned count) {
  Scenario scenario = cast();
  scenario.turns = turns;
  for (unsigned i = 0; i < count; ++i) scenario.coins.push_back(bits >> i & 1U);
  RecordedSchedule schedule(scenario);
  StepNetwork<P> network(cluster(), {});
  const auto world = std::make_unique<World<P>>();
  network.start(*world, schedule);
  while (network.advance(*world, schedule)) {
  }
  EXPECT_FALSE(world->overflowed);
  unsigned decided = 0;
  for (Seat seat : cluster().honest_seats()) decided += world->commits.top_of(seat) > Height(0) ? 1U : 0U;
  return decided;
}

TEST(CoinLoop, TheStrategyOfThePaperGoesOnWhateverTheCoinShows) {
  const CoinProof proof = proof_of<Mmr14>(strategy());
  EXPECT_TRUE(proof.proved) << proof.why << " in turn " << proof.turn << " with coin " << proof.coin;
  EXPECT_EQ(proof.waiting, (SeatSet{kA, kB, kC}));
}

// The second implementation of the same claim: all coins of eight rounds, one run for each.
TEST(CoinLoop, NoCoinsOfEightRoundsMakeAnybodyDecide) {
  for (unsigned bits = 0; bits < 256; ++bits) EXPECT_EQ(decided_with<Mmr14>(strategy(), bits, 8), 0U) << bits;
}

TEST(CoinLoop, WhatIsNoProofIsRefused) {
  CoinStrategy early = strategy();  // goes on without the coin after A has asked for it
  early[1].before.push_back(step(kB, kBVal, 1, {kB}));
  EXPECT_EQ(proof_of<Mmr14>(early).why, "somebody asks for the coin before the last step that does not depend on it");
  EXPECT_EQ(proof_of<Mmr14>(early).turn, 1U);

  CoinStrategy blind = strategy();  // B is told the same whatever the coin shows
  blind[2].after[0] = blind[2].after[1];
  const CoinProof decides = proof_of<Mmr14>(blind);
  EXPECT_EQ(decides.why, "an honest replica decides");
  EXPECT_EQ(decides.turn, 2U);
  EXPECT_FALSE(decides.coin);

  CoinStrategy astray = strategy();
  astray[2].next = {1, 1};
  EXPECT_EQ(proof_of<Mmr14>(astray).why, "it comes to another world than the next turn begins with");
  EXPECT_TRUE(proof_of<Mmr14>(astray).coin);

  EXPECT_EQ(proof_of<Mmr14>({}).why, "there is no turn");
}

// The same script, as far as there are such messages; all coins of eight rounds.
TEST(CoinLoop, TheRepairSurvivesTheSameStrategy) {
  EXPECT_FALSE(proof_of<Mmr14Conf>(strategy()).proved);
  unsigned undecided = 0;
  for (unsigned bits = 0; bits < 256; ++bits) undecided += decided_with<Mmr14Conf>(strategy(), bits, 8) < 3 ? 1U : 0U;
  EXPECT_EQ(undecided, 2U);
}

template <Protocol P>
CoinHunt hunted(CoinDraw draw, std::uint64_t seed, unsigned turns) {
  const Scenario scenario = cast();
  return CoinLoopHunt<P>(cluster(), RecordedSchedule(scenario), {draw, seed, turns, 8}).run();
}

// Without a word about the protocol. What is found is proved by other code than found it.
TEST(CoinHunt, FindsAStrategyThatIsProved) {
  const CoinHunt hunt = hunted<Mmr14>(CoinDraw::kReceivers, 17, 4'000);
  ASSERT_TRUE(hunt.found.has_value());
  EXPECT_EQ(hunt.turns, 3383U);
  EXPECT_EQ(hunt.found->size(), 11U);
  EXPECT_TRUE(proof_of<Mmr14>(*hunt.found).proved);
  EXPECT_FALSE(proof_of<Mmr14Conf>(*hunt.found).proved);
}

TEST(CoinHunt, FindsNoneAgainstTheRepair) {
  for (const CoinDraw draw : {CoinDraw::kUniform, CoinDraw::kLinks, CoinDraw::kReceivers})
    EXPECT_FALSE(hunted<Mmr14Conf>(draw, 1, kSanitized ? 100 : 1'000).found.has_value());
}

// Two worlds: from the first one goes on only if the coin shows 1, from the second always.
TEST(CoinGame, AWorldCountsOnlyIfBothValuesStayAmongThoseThatCount) {
  CoinGame game;
  game.add_world();
  game.add_world();
  const std::vector<TurnStep> some{step(kA, kBVal, 1, {kB})};
  CoinGame::Option always;
  always.after[0] = {{1, {}}};
  always.after[1] = {{0, {}}, {1, some}};
  game.add(1, always);
  EXPECT_FALSE(game.strategy().has_value());
  CoinGame::Option first;
  first.before = some;
  first.after[0] = {{1, {}}};
  game.add(0, first);
  EXPECT_FALSE(game.strategy().has_value());
  first.after[1] = {{0, some}};
  game.add(0, first);
  const CoinStrategy found = game.strategy().value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].before, some);
  EXPECT_EQ(found[0].next, (std::array<std::uint8_t, 2>{1, 0}));
  EXPECT_EQ(found[1].next, (std::array<std::uint8_t, 2>{1, 0}));
}

}  // namespace
}  // namespace nika
