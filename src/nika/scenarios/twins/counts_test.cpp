#include "nika/scenarios/twins/counts.hpp"

#include <gtest/gtest.h>

namespace nika::twins {
namespace {

Settings settings_of(unsigned nodes, unsigned twins, unsigned partitions, unsigned rounds) {
  Settings settings;
  settings.nodes = nodes;
  settings.twins = twins;
  settings.partitions = partitions;
  settings.rounds = rounds;
  return settings;
}

struct Row {
  Settings settings;
  std::string step1, step2, no_replacement, replacement, statics;
};

TEST(TwinsCounts, EveryRowOfTable1IsExact) {
  const std::vector<Row> table{
      {settings_of(4, 1, 2, 4), "15", "15", "32760", "50625", "15"},
      {settings_of(4, 1, 3, 4), "25", "25", "303600", "390625", "25"},
      {settings_of(4, 1, 2, 7), "15", "15", "32432400", "170859375", "15"},
      {settings_of(4, 1, 3, 7), "25", "25", "2422728000", "6103515625", "25"},
      {settings_of(7, 2, 2, 4), "255", "510", "66858962040", "67652010000", "510"},
      {settings_of(7, 2, 3, 4), "3025", "6050", "1338414738091200", "1339743006250000", "6050"},
      {settings_of(7, 2, 2, 7), "255", "510", "8610573167320924800", "8974106778510000000", "510"},
      {settings_of(7, 2, 3, 7), "3025", "6050", "295651178144351773039296000", "296679557486907031250000000", "6050"},
  };
  for (const Row& row : table) {
    const auto counts = count(row.settings);
    ASSERT_TRUE(counts.has_value());
    EXPECT_EQ(to_text(counts->step1), row.step1);
    EXPECT_EQ(to_text(counts->step2), row.step2);
    EXPECT_EQ(to_text(counts->no_replacement), row.no_replacement);
    EXPECT_EQ(to_text(counts->replacement), row.replacement);
    EXPECT_EQ(to_text(counts->statics), row.statics);
    EXPECT_EQ(counts->scenarios, counts->replacement);
  }
}

TEST(TwinsCounts, AreExactFarBeyond128Bits) {
  const auto counts = count(settings_of(7, 2, 2, 50));
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(to_text(counts->replacement),
            "2390610402146369567594497023280250656210935279595628857233918088792940278386682806500100000000000000000000"
            "000000000000000000000000000000");
  EXPECT_EQ(to_wide(counts->replacement), std::nullopt);
}

TEST(TwinsCounts, SelectionsLowerWhatTheNextStepSees) {
  Settings settings = settings_of(7, 2, 2, 3);
  settings.step1 = {Selection::Kind::kFirst, 10};
  settings.step2 = {Selection::Kind::kRandom, 7};
  settings.step3 = {Selection::Kind::kRandom, 100};
  const auto counts = count(settings);
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(counts->step1, 10);
  EXPECT_EQ(counts->step2, 7);
  EXPECT_EQ(counts->replacement, 343);
  EXPECT_EQ(counts->no_replacement, 210);
  EXPECT_EQ(counts->scenarios, 100);
}

TEST(TwinsCounts, EveryOrderMultipliesTheConfigurations) {
  Settings settings = settings_of(4, 1, 2, 2);
  settings.order = OrderChoice::kAll;
  EXPECT_EQ(count(settings)->configurations, 15 * 4);  // A and A' in two orders, own proposals first or not
  settings.leaders.kind = LeaderChoice::Kind::kAll;
  EXPECT_EQ(count(settings)->configurations, 15 * 4 * 240);
}

TEST(TwinsCounts, WideNumbersSurviveTheWayThroughGmp) {
  for (const Wide value : {Wide{0}, Wide{1}, Wide{1} << 64U, kMaxWide}) EXPECT_EQ(to_wide(to_mpz(value)), value);
  EXPECT_EQ(to_wide(to_mpz(kMaxWide) + 1), std::nullopt);
}

TEST(TwinsCounts, TheWholeSpaceIsCountedBeforeAnySelection) {
  Settings settings = settings_of(4, 1, 2, 5);
  for (Selection* step : {&settings.step1, &settings.step2, &settings.step3}) {
    *step = {Selection::Kind::kRandom, 2};
    const auto counts = count(settings);
    ASSERT_TRUE(counts.has_value());
    EXPECT_EQ(to_text(counts->all), "759375");
    EXPECT_LE(counts->scenarios, 32);
    *step = {Selection::Kind::kFirst, 759'375};
    EXPECT_EQ(count(settings)->scenarios, 759'375);
    *step = {};
  }
}

}  // namespace
}  // namespace nika::twins
