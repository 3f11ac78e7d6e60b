#include "nika/properties/all.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

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
TEST(BuiltInProperties, AsManyAsARunTakesFitTogether) {
  std::vector<std::size_t> bytes;
  for (const Property* property : built_in_properties()) bytes.push_back((property->bytes + 7) / 8 * 8);
  std::ranges::sort(bytes, std::greater());
  EXPECT_LE(std::accumulate(bytes.begin(), bytes.begin() + kMaxProperties, std::size_t{0}), kMonitorBytes);
  EXPECT_TRUE(parse_properties("integrity,lasso,confirmed-lasso,validity,responsiveness,temperature,deadlock,totality",
                               built_in_properties()));
}

struct LargeMonitor {
  std::array<std::uint64_t, 40> memory{};
  bool is_settled(const Sight&) const { return false; }
  Judgement judge(const Sight&) const { return Judgement::holds(); }
};

TEST(BuiltInProperties, ThoseThatDoNotFitTogetherAreRefused) {
  static constexpr Property kOne = property_of<LargeMonitor>("one", "");
  static constexpr Property kTwo = property_of<LargeMonitor>("two", "");
  const std::array<const Property*, 2> known{&kOne, &kTwo};
  EXPECT_TRUE(parse_properties("one", known));
  EXPECT_EQ(parse_properties("one,two", known).error().message,
            "\"one,two\": together these properties remember more than the 512 bytes that a run has for them");
}

TEST(BuiltInProperties, NameNobodyBeforeTheNetworkHeals) {
  for (const Property* property : built_in_properties()) {
    const bool names_some = property->name == "lasso" || property->name == "confirmed-lasso" ||
                            property->name == "validity" || property->name == "integrity";
    EXPECT_NE(property->names_nobody, names_some) << property->name;
  }
}

}  // namespace
}  // namespace nika
