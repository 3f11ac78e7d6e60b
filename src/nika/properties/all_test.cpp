#include "nika/properties/all.hpp"

#include <gtest/gtest.h>

#include "nika/properties/agreement.hpp"
#include "nika/properties/temperature.hpp"
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
            "read property \"liveness\", expected all, or some of agreement, termination, totality, validity, "
            "integrity, responsiveness, temperature, bounded-time, deadlock, lasso, confirmed-lasso with commas");
}

TEST(BuiltInProperties, OnlyThreeAreMeantByAll) {
  for (const std::string_view name :
       {"responsiveness", "temperature", "bounded-time", "deadlock", "lasso", "confirmed-lasso"}) {
    const auto asked = parse_properties(std::string(name) + ",all", built_in_properties());
    ASSERT_TRUE(asked.has_value());
    EXPECT_EQ(names_of(*asked), std::string(name) + ",agreement,termination,totality");
  }
}

TEST(BuiltInProperties, ALimitStandsBehindItsProperty) {
  const auto parse = [](std::string_view text) { return parse_properties(text, built_in_properties()); };
  const auto three = parse("temperature:3,bounded-time:65535");
  ASSERT_TRUE(three.has_value());
  EXPECT_EQ((*three)[0]->limit, 3U);
  EXPECT_EQ((*three)[0]->name, "temperature");
  EXPECT_EQ(names_of(*three), "temperature:3,bounded-time:65535");
  EXPECT_EQ((*parse("temperature:3"))[0], (*three)[0]);  // made once
  EXPECT_EQ((*parse("temperature:5"))[0], &kTemperature);
  EXPECT_EQ(names_of(*parse("temperature:5")), "temperature");
  for (const std::string_view bad : {"temperature:", "temperature:0", "temperature:65536", "temperature:x", "heat:3"})
    EXPECT_FALSE(parse(bad).has_value()) << bad;
  EXPECT_EQ(parse("temperature:0").error().message,
            "read property \"temperature:0\", expected a number of rounds from 1 to 65535 behind the colon");
  EXPECT_EQ(parse("agreement:3").error().message, "read property \"agreement:3\", but agreement has no limit");
}

// What a search that renames nodes rests on: no monitor of these remembers a node before the network heals. Where the
// others are asked for, nodes keep their names; lassos are not judged in such searches at all.
TEST(BuiltInProperties, NameNobodyBeforeTheNetworkHeals) {
  for (const Property* property : built_in_properties()) {
    const bool names_some = property->name == "lasso" || property->name == "confirmed-lasso" ||
                            property->name == "validity" || property->name == "integrity";
    EXPECT_NE(property->names_nobody, names_some) << property->name;
  }
}

}  // namespace
}  // namespace nika
