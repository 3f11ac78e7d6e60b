#include "nika/base/wide.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

TEST(Wide, GroupsOfThreeDigitsAreSetApart) {
  EXPECT_EQ(grouped(Wide{0}), "0");
  EXPECT_EQ(grouped(Wide{999}), "999");
  EXPECT_EQ(grouped(Wide{1000}), "1,000");
  EXPECT_EQ(grouped(Wide{170'859'375}), "170,859,375");
  EXPECT_EQ(grouped(kMaxWide), "340,282,366,920,938,463,463,374,607,431,768,211,455");
}

}  // namespace
}  // namespace nika
