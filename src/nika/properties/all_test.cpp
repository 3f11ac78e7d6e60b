#include "nika/properties/all.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"

namespace nika {
namespace {

TEST(BuiltInProperties, AreFoundByTheirNamesInTheOrderAsked) {
  const auto parse = [](std::string_view text) { return parse_properties(text, built_in_properties()); };
  const auto two = parse("totality,agreement");
  ASSERT_TRUE(two.has_value());
  ASSERT_EQ(two->size(), 2U);
  EXPECT_EQ((*two)[0], &kTotality);
  EXPECT_EQ((*two)[1], &kAgreement);
  EXPECT_EQ(names_of(*two), "totality,agreement");
  EXPECT_EQ(names_of(*parse("all")), "agreement,termination,totality");
  EXPECT_EQ(names_of(*parse("termination,all")), "termination,agreement,totality");  // none is asked twice
  for (const std::string_view bad : {"", "agreement,", "liveness"}) EXPECT_FALSE(parse(bad).has_value()) << bad;
  EXPECT_EQ(parse("liveness").error().message,
            "read property \"liveness\", expected all, or some of agreement, termination, totality with commas");
}

// What a search that renames nodes rests on: no monitor of these remembers a node before the network heals.
TEST(BuiltInProperties, NameNobodyBeforeTheNetworkHeals) {
  for (const Property* property : built_in_properties()) EXPECT_TRUE(property->names_nobody) << property->name;
}

}  // namespace
}  // namespace nika
