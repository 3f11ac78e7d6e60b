#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nika/report/finding_page.hpp"
#include "nika/report/page_html.hpp"
#include "nika/report/page_json.hpp"
#include "nika/report/run_page.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::report {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kEmptyPage = "<script type=\"application/json\">\"NIKA_DOCUMENT\"</script>";

Event event(EventKind kind, unsigned seat, unsigned time) {
  Event result;
  result.kind = kind;
  result.seat = static_cast<Seat>(seat);
  result.time = time;
  return result;
}

// A with a twin leads round 1, in which D and A' are on the other side; then the network heals, led by B.
store::Finding conflict() {
  store::Finding finding;
  finding.program = "nika 0.1.0";
  finding.property = "agreement";
  finding.kind = "two values of one round";
  Scenario& scenario = finding.scenario;
  scenario.protocol = "diembft";
  scenario.copies = {2};
  RoundPlan plan;
  plan.leaders.insert(Identity{0});
  plan.partition.block_of = {0, 0, 0, 1, 1};
  plan.note = "the split";
  scenario.rounds.push_back(plan);
  scenario.heal_rounds = 1;
  scenario.heal_leaders = {Identity{1}};
  finding.evidence.height = 1;
  finding.evidence.claims = {{"B", "A1", {{1, "A1"}}}, {"D", "A'1", {{1, "A'1"}}}};
  finding.trace.kinds = {"proposal", "vote"};
  Event commit = event(EventKind::kCommitted, 1, 1);
  commit.value = ValueId(Round(1), Seat{0}, 0);
  finding.trace.events = {event(EventKind::kNetworkRound, 0, 1), commit, event(EventKind::kNetworkRound, 0, 2)};
  return finding;
}

TEST(Page, TypesOfTheWebPageAreThoseOfTheDocument) {
  std::ifstream file(NIKA_WEB "/src/document.ts");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), typescript_types()) << "write it anew: nika report --types > web/src/document.ts";
}

TEST(Page, TheLayoutOfEventsIsTheStoredOne) {
  const PageEvents layout = event_layout();
  EXPECT_EQ(layout.kinds.size(), 23U);
  EXPECT_EQ(layout.kinds[static_cast<unsigned>(EventKind::kCommitted)], "committed");
  Event one;
  one.kind = EventKind::kFetchedBlock;
  one.seat = Seat{2};
  one.peer = Seat{3};
  one.message_kind = 4;
  one.message = 0x05060708;
  one.time = 0x090a0b0c;
  one.round = Round(13);
  one.height = Height(14);
  one.value.packed = 0x0f10;
  one.other.packed = 0x1112;
  const std::string bytes = store::bytes_of(std::array{one});
  ASSERT_EQ(bytes.size(), layout.bytes);
  std::map<std::string, unsigned> read;
  unsigned covered = 0;
  for (const PageEventField& field : layout.fields_of) {
    EXPECT_EQ(field.at, covered) << field.name;
    covered += field.bytes;
    for (unsigned i = 0; i < field.bytes; ++i)
      read[field.name] |= static_cast<unsigned>(static_cast<unsigned char>(bytes[field.at + i])) << (8 * i);
  }
  EXPECT_EQ(covered, layout.bytes);
  EXPECT_EQ(read, (std::map<std::string, unsigned>{{"kind", 22},
                                                   {"seat", 2},
                                                   {"peer", 3},
                                                   {"message_kind", 4},
                                                   {"message", 0x05060708},
                                                   {"time", 0x090a0b0c},
                                                   {"round", 13},
                                                   {"height", 14},
                                                   {"value", 0x0f10},
                                                   {"other", 0x1112}}));
}

TEST(Page, OfAFindingTellsCastScheduleAndTrace) {
  const store::Finding finding = conflict();
  const Json page = Json::parse(to_json(page_of(finding)));
  EXPECT_EQ(page["format"], "nika-page");
  EXPECT_EQ(page["version"], 1);
  EXPECT_EQ(page["automaton"], nullptr);
  const Json run = page["runs"][0];
  EXPECT_EQ(run["verdict_text"], "agreement: at height 1 B committed A1 and D committed A'1");
  ASSERT_EQ(run["seats"].size(), 5U);
  EXPECT_EQ(run["seats"][4], Json::parse(R"({"name":"A'","identity":0,"is_compromised":true,"is_client":false})"));
  ASSERT_EQ(run["bands"].size(), 2U);
  EXPECT_EQ(run["bands"][0]["leaders"], Json::parse("[0,4]"));
  EXPECT_EQ(run["bands"][0]["blocks"], Json::parse("[0,0,0,1,1]"));
  EXPECT_EQ(run["bands"][0]["note"], "the split");
  EXPECT_EQ(run["bands"][1]["label"], "healing round 2");
  EXPECT_EQ(run["bands"][1]["leaders"], Json::parse("[1]"));
  EXPECT_EQ(run["bands"][1]["blocks"], Json::array());
  EXPECT_EQ(run["event_count"], 3);
  EXPECT_EQ(store::bytes_in_base64(std::string(run["events"])).value(), store::bytes_of(finding.trace.events));
  EXPECT_EQ(page["finding"]["claims"][1]["history"], Json::parse(R"([{"height":1,"value":"A'1"}])"));
  EXPECT_EQ(page["finding"]["mark"], store::mark_of(finding));
}

TEST(Page, ALieNamesItsFieldAsFarAsItIsKnown) {
  store::Finding finding = conflict();
  Event lie = event(EventKind::kChanged, 0, 1);
  lie.message = 1;
  lie.height = Height(0);
  lie.value = ValueId(Round(1), Seat{0}, 0);
  lie.other = ValueId(Round(1), Seat{4}, 0);
  finding.trace.events.insert(finding.trace.events.begin() + 1, lie);
  const auto changes = [&](std::span<const KindLeaves> leaves) {
    return Json::parse(to_json(page_of(finding, leaves)))["runs"][0]["changes"];
  };
  const std::vector<KindLeaves> leaves{{{"value", LeafType::kValue, LeafType::kValue, {}, {}}}};
  EXPECT_EQ(changes(leaves), Json::parse(R"([{"event":1,"field":"value","before":"A1","after":"A'1"}])"));
  EXPECT_EQ(changes({}), Json::parse(R"([{"event":1,"field":"field 1","before":"256","after":"288"}])"));
}

TEST(Page, ALoopSaysWhatItAssumesAndWhereItIs) {
  store::Finding finding = conflict();
  store::LoopRecord loop;
  loop.first_round = 2;
  loop.length = 1;
  loop.proved = true;
  loop.assumptions = {true, true, Assumptions::Arrival::kAny, Assumptions::Liars::kSilent};
  loop.waiting = {"B"};
  loop.run = store::LoopRunRecord{2, 1, 1, 2, {}, {}};
  finding.loop = loop;
  const Json told = Json::parse(to_json(page_of(finding)))["finding"]["loop"];
  EXPECT_EQ(told["is_proved"], true);
  EXPECT_EQ(told["is_shown"], true);
  EXPECT_EQ(told["before_first"], 1);
  EXPECT_EQ(told["last"], 2);
  EXPECT_EQ(told["assumptions"].size(), 4U);
  finding.loop->proved = false;
  EXPECT_EQ(Json::parse(to_json(page_of(finding)))["finding"]["loop"]["is_shown"], false);
}

TEST(Page, StepsOfAnAttackAreWhereItsFileSays) {
  store::Attack attack;
  attack.steps = {"one", "two"};
  EXPECT_FALSE(attack_page_of(attack).steps[1].is_placed);
  attack.step_times = {store::StepTimes{1, 2}, std::nullopt};
  const PageAttack page = attack_page_of(attack);
  EXPECT_TRUE(page.steps[0].is_placed);
  EXPECT_EQ(page.steps[0].last, 2U);
  EXPECT_FALSE(page.steps[1].is_placed);
}

TEST(PageHtml, NothingOfADocumentIsEverHtml) {
  store::Finding finding = conflict();
  finding.program = "</script><script>alert(1)</script><!-- & \xe2\x80\xa8\xe2\x80\xa9 \x01\xff";
  finding.trace.kinds = {"</script>", "<!--"};
  finding.scenario.rounds[0].note = "]]></SCRIPT>";
  const Page page = page_of(finding);
  const auto html = html_of(page, kEmptyPage);
  ASSERT_TRUE(html.has_value()) << html.error().message;
  const std::string inner = html->substr(32, html->size() - 32 - 9);
  EXPECT_EQ(html->substr(0, 32), "<script type=\"application/json\">");
  for (const char c : {'<', '>', '&'}) EXPECT_EQ(inner.find(c), std::string::npos) << c;
  EXPECT_EQ(inner.find("\xe2\x80\xa8"), std::string::npos);
  EXPECT_EQ(Json::parse(inner), Json::parse(to_json(page)));
}

TEST(PageHtml, APageWithoutOnePlaceIsRefused) {
  const Page page;
  EXPECT_FALSE(html_of(page, "<html></html>").has_value());
  EXPECT_FALSE(html_of(page, std::string(kEmptyPage) + std::string(kEmptyPage)).has_value());
}

}  // namespace
}  // namespace nika::report
