#include "nika/scenarios/twins/healings.hpp"

#include <gtest/gtest.h>

#include <set>

#include "nika/scenarios/twins/space.hpp"

namespace nika::twins {
namespace {

Settings settings_of(HealLeaders leaders, HealRotations rotations, HealOrders orders) {
  Settings settings{.rounds = 2};
  settings.heal_leaders = leaders;
  settings.heal_rotations = rotations;
  settings.heal_orders = orders;
  return settings;
}

Healings healings_of(const Settings& settings) { return Space::make(settings).value().healings(); }

std::string text_of(const std::vector<Identity>& rotation) {
  std::string text;
  for (Identity id : rotation) text += name_of(id);
  return text;
}

std::vector<std::string> rotations_of(const Settings& settings) {
  std::vector<std::string> texts;
  const Healings healings = healings_of(settings);
  for (const auto& rotation : healings.rotations()) texts.push_back(text_of(rotation));
  return texts;
}

TEST(Healings, HonestNodesTakeTurnsInOneRotationOrInEach) {
  using Texts = std::vector<std::string>;
  const auto fifo = HealOrders::kFifo;
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kHonest, HealRotations::kOne, fifo)), Texts{"BCD"});
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kHonest, HealRotations::kAll, fifo)),
            (Texts{"BCD", "BDC", "CBD", "CDB", "DBC", "DCB"}));
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kAlternating, HealRotations::kOne, fifo)), Texts{"BACADA"});
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kBoth, HealRotations::kOne, fifo)), (Texts{"BCD", "BACADA"}));
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kBoth, HealRotations::kAll, fifo)).size(), 12U);
  EXPECT_EQ(rotations_of(settings_of(HealLeaders::kLeading, HealRotations::kAll, fifo)), Texts{"A"});
}

TEST(Healings, OfANetworkThatNeverHealsThereIsOne) {
  Settings settings = settings_of(HealLeaders::kBoth, HealRotations::kAll, HealOrders::kAll);
  EXPECT_EQ(healings_of(settings).size(), 2'880U);
  settings.heal_rounds = 0;
  EXPECT_EQ(healings_of(settings).size(), 1U);
  EXPECT_EQ(Space::make(settings)->size(), 15U * 15U);
}

// Nobody is compromised: there is nothing to put between honest leaders, and no healing comes twice.
TEST(Healings, WithoutLiarsBothIsHonest) {
  Settings settings = settings_of(HealLeaders::kBoth, HealRotations::kAll, HealOrders::kFifo);
  settings.twins = 0;
  settings.leaders.kind = LeaderChoice::Kind::kAll;
  EXPECT_EQ(rotations_of(settings).size(), 24U);
  settings.heal_leaders = HealLeaders::kAlternating;
  EXPECT_EQ(rotations_of(settings).size(), 24U);
}

TEST(Healings, OrdersAreThoseOfAllWhoCanPropose) {
  const auto orders_of = [](HealOrders orders) {
    return healings_of(settings_of(HealLeaders::kHonest, HealRotations::kOne, orders)).orders();
  };
  EXPECT_EQ(orders_of(HealOrders::kFifo), std::vector{Order::fifo()});
  EXPECT_EQ(orders_of(HealOrders::kReversed), std::vector{Order::reversed(5)});
  EXPECT_EQ(orders_of(HealOrders::kBoth), (std::vector{Order::fifo(), Order::reversed(5)}));
  const std::vector<Order> all = orders_of(HealOrders::kAll);
  std::set<std::pair<std::array<std::uint8_t, kMaxSeats>, bool>> distinct;
  for (const Order& order : all) distinct.emplace(order.rank, order.own_first);
  EXPECT_EQ(all.size(), 240U);  // of five seats, twice
  EXPECT_EQ(distinct.size(), 240U);
}

TEST(Healings, AreOpenToRenamingIfAllOfThemAreThere) {
  const auto are_open = [](HealRotations rotations, HealOrders orders) {
    return healings_of(settings_of(HealLeaders::kHonest, rotations, orders)).are_open_to_renaming();
  };
  EXPECT_TRUE(are_open(HealRotations::kAll, HealOrders::kAll));
  EXPECT_FALSE(are_open(HealRotations::kAll, HealOrders::kBoth));
  EXPECT_FALSE(are_open(HealRotations::kOne, HealOrders::kAll));
}

// A scenario is its rounds and how it heals.
TEST(Healings, MultiplyTheSpaceAndHaveIndices) {
  const Settings settings = settings_of(HealLeaders::kBoth, HealRotations::kAll, HealOrders::kBoth);
  const Space space = Space::make(settings).value();
  EXPECT_EQ(space.counts().healings, 24);
  EXPECT_EQ(*space.size(), Wide{225 * 24});
  const Scenario scenario = space.scenario(7 * 24 + 5);
  EXPECT_EQ(text_of(scenario.heal_leaders), "CBD");
  EXPECT_EQ(scenario.heal_order, Order::reversed(5));
  EXPECT_EQ(scenario.rounds, space.scenario(7 * 24).rounds);
  for (Wide index = 0; index < *space.size(); index += 41) EXPECT_EQ(space.rank(space.scenario(index)).value(), index);
  Scenario other = scenario;
  other.heal_leaders.pop_back();
  EXPECT_EQ(space.rank(other).error().message, "the scenario heals in a way that is not in this space");
}

TEST(Healings, AreDrawnLikeEverythingElse) {
  Settings settings = settings_of(HealLeaders::kHonest, HealRotations::kAll, HealOrders::kFifo);
  settings.rounds = 40;  // more scenarios than can be numbered
  settings.step3 = {Selection::Kind::kRandom, 200};
  const Space space = Space::make(settings).value();
  std::set<std::uint32_t> drawn;
  for (Wide index = 0; index < 200; ++index) drawn.insert(space.healing_of(index));
  EXPECT_EQ(drawn.size(), 6U);
}

TEST(Healings, TooManyAreRefused) {
  Settings settings = settings_of(HealLeaders::kHonest, HealRotations::kAll, HealOrders::kAll);
  settings.nodes = 7;
  settings.twins = 2;
  EXPECT_EQ(Space::make(settings).error().message,
            "there are 87091200 ways to heal, expected at most 1048576: take fewer with --heal-rotations one or "
            "--heal-orders both");
}

}  // namespace
}  // namespace nika::twins
