#include "nika/campaign/byzzfuzz_experiment.hpp"

#include <gtest/gtest.h>

#include "nika/runners/built_in_protocols.hpp"

namespace nika::byzzfuzz {
namespace {

TEST(ByzzFuzzTables, AreOfProtocolsAndBugsThatThereAre) {
  const Registry registry = built_in_protocols();
  for (const Table& table : tables()) {
    for (const TableRow& row : table.rows) {
      const auto result = run_row(registry, table, row, {.runs = 5});
      ASSERT_TRUE(result.has_value()) << result.error().message;
      EXPECT_EQ(result->runs, 5U);
      EXPECT_FALSE(result->was_stopped);
      EXPECT_LE(row.paper.total, table.runs);
      EXPECT_GE(row.paper.termination + row.paper.validity + row.paper.integrity + row.paper.agreement,
                row.paper.total);
    }
  }
}

TEST(ByzzFuzzExperiment, DoesNotDependOnThreads) {
  const Registry registry = built_in_protocols();
  const Table& table = tables().front();
  const auto one = run_row(registry, table, table.rows[5], {.runs = 200, .seed = 3, .threads = 1});
  const auto three = run_row(registry, table, table.rows[5], {.runs = 200, .seed = 3, .threads = 3});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->found.total, three->found.total);
  EXPECT_EQ(one->effective, three->effective);
  EXPECT_GT(one->found.total, 0U);
}

TEST(Interval, IsThatOfWilson) {
  const Interval none = interval_of(0, 200);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.018845, 1e-5);
  const Interval half = interval_of(50, 100);
  EXPECT_NEAR(half.low, 0.403832, 1e-5);
  EXPECT_NEAR(half.high, 0.596168, 1e-5);
  EXPECT_EQ(interval_of(0, 0).high, 1);
}

}  // namespace
}  // namespace nika::byzzfuzz
