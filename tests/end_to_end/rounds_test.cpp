// nika verify --rounds: what scripts and docs/verify.md rely on.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(VerifyRounds, WhatOneRoundOfBenOrDoesHoldsOfAllRounds) {
  const Program nika;
  const std::string model = NIKA_MODELS "/ben-or.ta";
  const Said said =
      nika.run({"verify", model, "--json", "--rounds", "decided0, est0 -> start0; decided1, est1 -> start1"});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  EXPECT_EQ(json["rounds"]["schedules"], "round-rigid");
  const Json& properties = json["properties"];
  ASSERT_EQ(properties.size(), 5U);
  for (const Json& property : properties) EXPECT_EQ(property["all_rounds"]["verdict"], "holds") << property;
  EXPECT_EQ(
      properties[0]["all_rounds"]["text"],
      "in every round; once a round starts without start1, nobody is in est1, decided1 in it or in any later one");
  EXPECT_EQ(
      properties[1]["all_rounds"]["text"],
      "in every round; once somebody is in decided0, by validity0 nobody is in est1, decided1 in any later round");
  EXPECT_EQ(properties[4]["all_rounds"]["text"],
            "in every round, if everybody goes on and all rounds before it are fair as round_termination says");
}

// Safety of what is printed goes on for ever, and its termination fails in the first two rounds already.
TEST(VerifyRounds, TheWorstOfAllRoundsIsTheExitCode) {
  const Program nika;
  const std::string model = NIKA_MODELS "/dbft-as-printed.ta";
  const Said said = nika.run({"verify", model, "--json", "--rounds",
                              "decided0, est0x -> start0; decided1, est1x -> start1", "--threads", "2"});
  EXPECT_EQ(said.exit_code, 1);
  std::string verdicts;
  const Json json = said.json();
  for (const Json& property : json["properties"])
    verdicts += property["all_rounds"]["verdict"].get<std::string>() + " ";
  EXPECT_EQ(verdicts, "holds holds holds holds violated violated violated ");
}

TEST(VerifyRounds, WhatDoesNotFitIsRefused) {
  const Program nika;
  const std::string model = NIKA_MODELS "/ben-or.ta";
  const Said said = nika.run({"verify", model, "--rounds", "decided0, est0 -> start0; decided1 -> start1"});
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err,
            "nika: " + model +
                ": the reduction to one round does not apply: no rule leads out of 'est1', and the switch does "
                "not say where to go on from it\n");
}

}  // namespace
}  // namespace nika::tests
