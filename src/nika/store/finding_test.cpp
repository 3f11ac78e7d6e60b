#include "nika/store/finding.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 1> kBugs{"quorum-2f"};
const Vocabulary kWords{kKinds, kBugs};

Result<Vocabulary> words_of(std::string_view) { return kWords; }

Finding example() {
  Finding finding;
  finding.property = "agreement";
  finding.kind = "two values of one round";
  finding.scenario.protocol = "diembft";
  finding.scenario.bugs = {"quorum-2f"};
  finding.scenario.copies = {2};
  finding.scenario.rounds.resize(2);
  for (RoundPlan& plan : finding.scenario.rounds) plan.leaders.insert(Identity{0});
  finding.height = 1;
  finding.first = {"B", "A1", {{1, "A1"}, {2, "A2"}}};
  finding.second = {"D", "A'1", {{1, "A'1"}}};
  finding.trace = {207, "59e04b975fd958f8b0247b4f7bc00a76"};
  finding.shrink_runs = 26;
  finding.original = finding.scenario;
  finding.origin =
      Origin{"340282366920938463463374607431768211455", R"({"protocol":"diembft","bugs":["quorum-2f"],"seed":1})"};
  return finding;
}

TEST(Finding, ReadsBackAsItWasWritten) {
  Finding finding = example();
  const auto read = recording_from_json(to_json(finding, kWords), "f.json", words_of);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read->finding, finding);
  EXPECT_EQ(read->scenario, finding.scenario);
  finding.origin.reset();
  EXPECT_EQ(*recording_from_json(to_json(finding, kWords), "f.json", words_of)->finding, finding);
}

TEST(Finding, MayBeAStandstill) {
  Finding finding = example();
  finding.property = "termination";
  finding.height = 0;
  finding.first = finding.second = {};
  finding.standstill = StandstillText{3, {"B", "C"}, "", ""};
  EXPECT_EQ(*recording_from_json(to_json(finding, kWords), "f.json", words_of)->finding, finding);
  finding.standstill = StandstillText{3, {"B", "C"}, "B", "v1 has a certificate, v2 has f+1 votes"};
  EXPECT_EQ(*recording_from_json(to_json(finding, kWords), "f.json", words_of)->finding, finding);
}

TEST(Finding, MayBeAScenarioAlone) {
  const auto read = recording_from_json(to_json(example().scenario, kWords), "s.json", words_of);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->scenario, example().scenario);
  EXPECT_FALSE(read->finding.has_value());
}

TEST(Finding, ThatWasCutOffOrChangedIsRefusedWithItsPlace) {
  const std::string text = to_json(example(), kWords);
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_FALSE(recording_from_json(text.substr(0, size), "f.json", words_of).has_value()) << size;
  }
  std::string changed = text;
  changed.replace(changed.find("59e0"), 4, "59E0");
  const auto read = recording_from_json(changed, "f.json", words_of);
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message.find("fingerprint of 32 hexadecimal digits"), std::string::npos)
      << read.error().message;
  EXPECT_EQ(recording_from_json("{}", "f.json", words_of).error().message,
            "f.json:1:1: read an object, expected a finding or a scenario: an object with a \"format\"");
}

}  // namespace
}  // namespace nika::store
