// nika reproduce verification: what scripts and docs/verify.md rely on.
#include <gtest/gtest.h>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

TEST(ReproduceVerification, TellsTheModelsBesideThePaperAndWhatContradictsIt) {
  const Program nika;
  const Said said = nika.run("reproduce verification --json --threads 1 --models " NIKA_MODELS);
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  EXPECT_EQ(json["command"], "reproduce");
  EXPECT_EQ(json["what"], "verification");
  ASSERT_EQ(json["rows"].size(), 3U);
  const Json& broadcast = json["rows"][0];
  EXPECT_EQ(broadcast["lines"], 76);
  EXPECT_EQ(broadcast["locations"], 10);
  EXPECT_EQ(broadcast["rules"], 12);
  EXPECT_EQ(broadcast["cores"], 1);
  EXPECT_EQ(broadcast["properties"].size(), 7U);
  EXPECT_EQ(broadcast["contradicted"], Json::array());
  EXPECT_EQ(broadcast["paper"]["lines"], 116);
  EXPECT_EQ(broadcast["paper"]["seconds"], 40);
  EXPECT_EQ(broadcast["paper"]["seconds_is_bound"], true);
  EXPECT_EQ(json["rows"][1]["contradicted"], Json({"round_termination"}));
  EXPECT_EQ(json["rows"][2]["contradicted"], Json::array());
  EXPECT_EQ(json["rows"][2]["paper"]["seconds"], 1046);
  EXPECT_EQ(json["rows"][2]["paper"]["cores"], 64);
  for (const std::size_t row : {0, 2}) {
    for (const Json& property : json["rows"][row]["properties"]) EXPECT_EQ(property["verdict"], "holds") << property;
  }
  EXPECT_EQ(json["rows"][2]["properties"][4]["name"], "round1_termination");
  EXPECT_EQ(json["rows"][2]["properties"][4]["paper"], nullptr);
}

TEST(ReproduceVerification, ReadsEveryFileBeforeItBegins) {
  const Program nika;
  const Said said = nika.run("reproduce verification --paper nowhere --models " NIKA_MODELS);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "nika: nowhere/bv-broadcast.ta: cannot be opened: No such file or directory\n");
  EXPECT_EQ(nika.run("reproduce attacks --models x").exit_code, 2);
  EXPECT_EQ(nika.run("reproduce verification --seconds 3").exit_code, 2);
}

}  // namespace
}  // namespace nika::tests
