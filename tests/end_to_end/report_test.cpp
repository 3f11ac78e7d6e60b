// nika report and --html: pages from what is stored. What a browser makes of them is tested in web/browser.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

using Json = nlohmann::json;

// Without Node.js the program has no page, and says so.
bool has_page(const Program& nika) {
  const Said said = nika.run("report zyzzyva-fork -o probe.html");
  if (said.exit_code == 0) return true;
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_NE(said.err.find("was built without the page of reports: Node.js"), std::string::npos) << said.err;
  return false;
}

TEST(Report, OfAFindingRunsNothing) {
  const Program nika;
  const Said found = nika.run("twins diembft --bug quorum-2f --rounds 4 --stop-at-first --json");
  const std::string file = found.json()["findings"][0]["file"];
  const Said told = nika.run("report " + file + " --json");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  // Another scenario beside the same trace: to run it would show another run.
  Json finding = Json::parse(nika.read(file));
  finding["scenario"]["rounds"][0]["partition"] = "A B C D A'";
  nika.write("changed.json", finding.dump());
  EXPECT_EQ(nika.run("replay changed.json").exit_code, 4);
  const Said again = nika.run("report changed.json --json");
  EXPECT_EQ(again.json()["runs"][0]["events"], told.json()["runs"][0]["events"]);
  EXPECT_EQ(again.json()["finding"]["mark"], finding["fingerprint"]);
}

TEST(Report, OfAnAttackHasBothSides) {
  const Program nika;
  const Json page = nika.run("report zyzzyva-fork --json").json();
  ASSERT_EQ(page["runs"].size(), 2U);
  EXPECT_EQ(page["runs"][0]["verdict"], "violated");
  EXPECT_EQ(page["runs"][0]["event_count"], 523);
  EXPECT_EQ(page["runs"][1]["verdict"], "holds");
  EXPECT_EQ(page["attack"]["steps"].size(), 3U);
  EXPECT_EQ(page["attack"]["steps"][2]["first"], 3);
  std::stringstream text;
  text << std::ifstream(NIKA_ATTACKS "/zyzzyva-fork.json").rdbuf();
  nika.write("own.json", text.str());
  EXPECT_EQ(nika.run("report own.json --json").json()["runs"], page["runs"]);
}

TEST(Report, BadUsageIsOneLine) {
  const Program nika;
  nika.write("scenario.json", R"({"format": "nika-scenario", "version": 1, "protocol": "diembft", "bugs": [],
    "nodes": 4, "faults": 1, "copies": {}, "rounds": [{"leaders": ["A"]}]})");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"report", "expected a finding or an attack"},
      {"report zyzzyva-fork", "expected either --output FILE"},
      {"report zyzzyva-fork --json -o x.html", "expected either --output FILE"},
      {"report no-such-attack --json", "there is no attack \"no-such-attack\""},
      {"report no-such-file.json --json", "no-such-file.json"},
      {"report scenario.json --json", "a scenario, which holds no trace"},
      {"attack --all --html x.html", "read --html without the name of an attack"},
      {"verify " NIKA_MODELS "/bv-broadcast.ta --svg --html x.html", "--html draws what is decided"},
  };
  for (const auto& [words, complaint] : cases) {
    const Said said = nika.run(words);
    EXPECT_EQ(said.exit_code, 2) << words;
    EXPECT_NE(said.err.find(complaint), std::string::npos) << words << ": " << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << words;
  }
}

TEST(Report, ShortcutsWriteTheSamePages) {
  const Program nika;
  if (!has_page(nika)) return;
  EXPECT_EQ(nika.run("attack zyzzyva-fork --html fork.html --json").exit_code, 0);
  EXPECT_EQ(nika.read("fork.html"), nika.read("probe.html"));
  const Said found = nika.run("twins diembft --bug quorum-2f --rounds 4 --shard 3/4 --html twins.html --json");
  const Json findings = found.json()["findings"];
  ASSERT_EQ(findings.size(), 2U);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    EXPECT_EQ(nika.run("report " + std::string(findings[i]["file"]) + " -o told.html").out, "told.html\n");
    EXPECT_EQ(nika.read(i == 0 ? "twins.html" : "twins-2.html"), nika.read("told.html"));
  }
  const std::string model = NIKA_MODELS "/bv-broadcast-broken.ta";
  EXPECT_EQ(nika.run("verify " + model + " --property justification0 --html ta.html").exit_code, 1);
  EXPECT_NE(nika.read("ta.html").find("\"property\":\"justification0\""), std::string::npos);
  EXPECT_EQ(nika.run("report zyzzyva-fork -o no/such/folder.html").exit_code, 2);
}

}  // namespace
}  // namespace nika::tests
