#include "nika/store/attack.hpp"

#include <gtest/gtest.h>

#include <array>

#include "nika/store/finding.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 3> kOtherKinds{"prepare", "proposal", "vote"};
constexpr std::array<std::string_view, 1> kBugs{"quorum-2f"};

Result<Vocabulary> words_of(std::string_view protocol) {
  return protocol == "other" ? Vocabulary{kOtherKinds, {}} : Vocabulary{kKinds, kBugs};
}

std::string attack_text(std::string_view repaired) {
  return R"({"format": "nika-attack", "version": 1, "name": "fork", "source": "a paper", "property": "termination",
    "about": "it stops", "steps": ["first", "second"], "paper_rounds": 3,
    "scenario": {"format": "nika-scenario", "version": 1, "protocol": "diembft", "bugs": ["quorum-2f"], "nodes": 4,
      "faults": 1, "copies": {"A": 2}, "rounds": [{"leaders": ["A"], "partition": "A B | C D A'"}],
      "heal": {"rounds": 2, "leaders": ["B"]}, "rules": [{"rounds": "1", "kinds": ["vote"], "action": "drop"}]},
    "repaired": )" +
         std::string(repaired) + "}";
}

Result<Attack> read(std::string_view repaired) { return attack_from_json(attack_text(repaired), "a.json", words_of); }

TEST(Attack, TheRepairedSideIsTheFlawedOneWithChanges) {
  const auto attack = read(R"({"about": "without the flaw", "bugs": []})");
  ASSERT_TRUE(attack.has_value()) << attack.error().message;
  EXPECT_EQ(attack->name, "fork");
  EXPECT_EQ(attack->property, "termination");
  EXPECT_EQ(attack->steps, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(attack->paper_rounds, 3U);
  EXPECT_EQ(attack->rounds(), 1U);
  EXPECT_EQ(attack->repair, "without the flaw");
  Scenario expected = attack->flawed;
  EXPECT_EQ(expected.bugs, std::vector<std::string>{"quorum-2f"});
  expected.bugs.clear();
  EXPECT_EQ(attack->repaired, expected);
}

TEST(Attack, StepsMaySayWhichTimesTheyAreAbout) {
  const auto with = [](const std::string& times) {
    std::string text = attack_text(R"({"about": "without the flaw", "bugs": []})");
    text.insert(text.find("\"paper_rounds\""), "\"step_times\": " + times + ", ");
    return attack_from_json(text, "a.json", words_of);
  };
  EXPECT_TRUE(read(R"({"about": "x", "bugs": []})")->step_times.empty());
  const auto attack = with("[[1, 3], []]");
  ASSERT_TRUE(attack.has_value()) << attack.error().message;
  ASSERT_EQ(attack->step_times.size(), 2U);
  EXPECT_EQ(attack->step_times[0]->first, 1U);
  EXPECT_EQ(attack->step_times[0]->last, 3U);
  EXPECT_FALSE(attack->step_times[1].has_value());
  for (const char* wrong : {"[]", "[[1, 2]]", "[[1], []]", "[[2, 1], []]", "[[1, -2], []]", "[7, []]", "{}"})
    EXPECT_FALSE(with(wrong).has_value()) << wrong;
  EXPECT_EQ(with("[[1, 2]]").error().message, "a.json:2:70: read a list, expected as many times as steps, 2");
}

TEST(Attack, ARepairMayBeAnotherProtocolOrAnotherCast) {
  const auto other = read(R"({"about": "another", "protocol": "other", "bugs": []})");
  ASSERT_TRUE(other.has_value()) << other.error().message;
  EXPECT_EQ(other->flawed.rules[0].kinds, 0b10U);
  EXPECT_EQ(other->repaired.rules[0].kinds, 0b100U);  // a vote is the third kind there
  const auto fewer = read(R"({"about": "no twin", "copies": {}, "rounds": [{"leaders": ["A"]}]})");
  ASSERT_TRUE(fewer.has_value()) << fewer.error().message;
  EXPECT_TRUE(fewer->repaired.copies.empty());
}

TEST(Attack, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(read(R"({"bugs": []})").error().message,
            "a.json:6:17: read a repair without \"about\", expected what it is");
  EXPECT_EQ(read(R"({"about": "x", "bugs": ["no"]})").error().message,
            "a.json:6:41: read \"no\", expected one of quorum-2f");
  EXPECT_FALSE(read(R"({"about": "x", "copies": {}})").has_value());  // the partition still names A'
  EXPECT_FALSE(attack_from_json("{}", "a.json", words_of).has_value());
}

TEST(Attack, BreaksAPropertyThatThereIs) {
  static constexpr std::array<std::string_view, 2> kProperties{"agreement", "totality"};
  const auto known = [](std::string_view) -> Result<Vocabulary> { return Vocabulary{kKinds, kBugs, kProperties}; };
  std::string text = attack_text(R"({"about": "x", "bugs": []})");
  EXPECT_EQ(attack_from_json(text, "a.json", known).error().message,
            "a.json:1:90: read \"termination\", expected a property, one of agreement, totality");
  text.replace(text.find("termination"), 11, "totality");
  EXPECT_EQ(attack_from_json(text, "a.json", known).value().property, "totality");
}

TEST(Attack, OfAnotherVersionSaysSo) {
  std::string text = attack_text(R"({"about": "x", "bugs": []})");
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 3");
  EXPECT_EQ(
      attack_from_json(text, "a.json", words_of).error().message,
      "a.json:1:38: read an attack of version 3, expected version 1, which this program reads: a newer Nika wrote it");
}

TEST(Attack, SaysWhereToSearchForIt) {
  const auto with = [](std::string_view search) {
    std::string text = attack_text(R"({"about": "x", "bugs": []})");
    text.replace(text.find("\"scenario\""), 0, "\"search\": " + std::string(search) + ", ");
    return attack_from_json(text, "a.json", words_of);
  };
  const auto attack = with(R"({"granularity": "kind", "rounds": 4, "leaders": "all", "one_way": true})");
  ASSERT_TRUE(attack.has_value()) << attack.error().message;
  EXPECT_EQ(attack->search.granularity, "kind");
  EXPECT_EQ(attack->search.leaders, "all");
  EXPECT_EQ(attack->search.rounds, 4U);
  EXPECT_TRUE(attack->search.one_way);
  EXPECT_FALSE(with(R"({"rounds": 0})").has_value());
  EXPECT_FALSE(with(R"({"heal_rounds": 3})").has_value());  // how long it heals follows from the property
  EXPECT_FALSE(with(R"({"luck": 1})").has_value());
}

TEST(Attack, IsARecordingOfItsFlawedSide) {
  const auto recording = recording_from_json(attack_text(R"({"about": "x", "bugs": []})"), "a.json", words_of);
  ASSERT_TRUE(recording.has_value()) << recording.error().message;
  EXPECT_EQ(recording->property, "termination");
  EXPECT_EQ(recording->scenario.bugs, std::vector<std::string>{"quorum-2f"});
}

}  // namespace
}  // namespace nika::store
