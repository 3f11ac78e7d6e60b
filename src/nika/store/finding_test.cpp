#include "nika/store/finding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "nika/store/trace_data.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 1> kBugs{"quorum-2f"};
constexpr std::array<std::string_view, 2> kProperties{"agreement", "termination"};
const Vocabulary kWords{kKinds, kBugs, kProperties};

Result<Vocabulary> words_of(std::string_view) { return kWords; }
Result<Recording> read(const std::string& text) { return recording_from_json(text, "f.json", words_of); }

Finding example() {
  Finding finding;
  finding.property = "agreement";
  finding.kind = "two values of one round";
  finding.program = "nika 0.1.0";
  finding.scenario.protocol = "diembft";
  finding.scenario.bugs = {"quorum-2f"};
  finding.scenario.copies = {2};
  finding.scenario.rounds.resize(2);
  for (RoundPlan& plan : finding.scenario.rounds) plan.leaders.insert(Identity{0});
  finding.evidence.height = 1;
  finding.evidence.claims = {{"B", "A1", {{1, "A1"}, {2, "A2"}}}, {"D", "A'1", {{1, "A'1"}}}};
  finding.trace = {{"proposal", "vote"}, {"undid"}, {}};
  finding.trace.events = {{.kind = EventKind::kNetworkRound, .time = 1},
                          {.kind = EventKind::kVoted, .seat = Seat{1}, .time = 1, .round = Round(1)},
                          {.kind = own_note(0), .seat = Seat{3}, .time = 2}};
  finding.shrink_runs = 26;
  finding.original = finding.scenario;
  finding.origin =
      Origin{"340282366920938463463374607431768211455", R"({"protocol":"diembft","bugs":["quorum-2f"],"share":-0.5})"};
  return finding;
}

Finding standstill() {
  Finding finding = example();
  finding.property = "termination";
  finding.kind = "no valid proposal exists";
  finding.evidence = {"v1 has a certificate, v2 has f+1 votes", 3, 0, {"B"}, {}};
  return finding;
}

Finding endless() {
  Finding finding = standstill();
  LoopRecord loop{.first_round = 5, .length = 2, .proved = true};
  loop.assumptions = {.healed = true, .fair = false, .order = Assumptions::Arrival::kAny};
  loop.assumptions.liars = Assumptions::Liars::kSelective;
  loop.waiting = {"B", "C"};
  loop.ends = {{"A", {5, "A1", "genesis", "genesis"}, {7, "A1", "genesis", "genesis"}},
               {"B", {6, "", "", ""}, {8, "", "", ""}}};
  loop.repaired = RepairedRecord{"diembft", {}, 5};
  finding.loop = loop;
  return finding;
}

// Its loop lies behind what was recorded.
Finding endless_behind() {
  Finding finding = endless();
  finding.loop->run = LoopRunRecord{4, 2, 4, 6, 3, {{.kind = EventKind::kVoted, .seat = Seat{1}, .time = 6}}};
  return finding;
}

// The text of `finding` with one piece of it replaced.
std::string edited(const Finding& finding, std::string_view piece, std::string_view replacement) {
  std::string text = to_json(finding, kWords);
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), replacement);
}

TEST(Finding, ReadsBackAsItWasWritten) {
  Finding finding = example();
  const auto back = read(to_json(finding, kWords));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(*back->finding, finding);
  EXPECT_EQ(back->scenario, finding.scenario);
  EXPECT_EQ(back->property, "agreement");
  EXPECT_EQ(to_json(*back->finding, kWords), to_json(finding, kWords));
  finding.origin.reset();
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
  EXPECT_EQ(*read(to_json(standstill(), kWords))->finding, standstill());
}

TEST(Finding, WithALoopReadsBackAsItWasWritten) {
  Finding finding = endless();
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
  finding.loop->repaired->decides_in = 0;
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
  finding.loop->repaired.reset();
  finding.loop->ends.clear();
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
}

TEST(Finding, WithALoopBehindItsTraceReadsBackAsItWasWritten) {
  Finding finding = endless_behind();
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
  finding.loop->counts_views = true;
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
  finding.loop->run->since.reset();
  finding.loop->run->events.clear();
  EXPECT_EQ(*read(to_json(finding, kWords))->finding, finding);
}

// What findings had before is marked as before, so that old ones are still read.
TEST(Finding, MarksWhatIsNewInALoopOnlyWhereItIsThere) {
  EXPECT_EQ(mark_of(endless()), "d9b5ede5332297cb24760d8029eafc97");
  EXPECT_NE(mark_of(endless_behind()), mark_of(endless()));
  Finding views = endless();
  views.loop->counts_views = true;
  EXPECT_NE(mark_of(views), mark_of(endless()));
}

TEST(Finding, WhoseLoopsRunWasEditedIsRefused) {
  Finding finding = endless_behind();
  finding.loop->counts_views = true;
  const std::vector<std::pair<std::string, std::string>> edits{
      {"    \"unit\": \"views\",\n", ""}, {"\"scheduled\": 4", "\"scheduled\": 5"},
      {"\"period\": 2", "\"period\": 1"}, {"\"from\": 4", "\"from\": 3"},
      {"\"to\": 6", "\"to\": 7"},         {"\"since\": 3", "\"since\": 4"}};
  for (const auto& [piece, replacement] : edits) EXPECT_FALSE(read(edited(finding, piece, replacement))) << piece;
  const auto said = [&](std::string_view piece, std::string_view replacement) {
    return read(edited(finding, piece, replacement)).error().message;
  };
  EXPECT_EQ(said("\"views\"", "\"ticks\""), "f.json:27:13: read \"ticks\", expected \"views\", or no \"unit\"");
  EXPECT_EQ(said("\"events\": 1,", "\"events\": 2,"),
            "f.json:38:84: read 2, expected 1, as many as there are in \"data\"");
  EXPECT_EQ(said("\"period\": 2", "\"period\": 5"), "f.json:38:39: read 5, expected a number from 1 to 4");
}

TEST(Finding, SaysNoRoundOfARepairedProtocolThatDoesNotDecide) {
  Finding finding = endless();
  finding.loop->repaired->decides_in = 0;
  const auto back = read(edited(finding, "\"decides\": false", "\"decides\": false, \"round\": 5"));
  ASSERT_FALSE(back.has_value());
  EXPECT_NE(back.error().message.find("expected no \"round\" of a protocol that does not decide"), std::string::npos)
      << back.error().message;
}

// How many rounds a timed network heals for changes nothing that is recorded.
TEST(Finding, OfATimedRunHealsForOneRound) {
  Finding finding = endless();
  finding.scenario.timing = Timing{2, 40, 1};
  finding.scenario.heal_rounds = 1;
  finding.scenario.heal_leaders = {Identity{1}};
  finding.original = finding.scenario;
  const auto good = read(to_json(finding, kWords));
  ASSERT_TRUE(good.has_value()) << good.error().message;
  const auto back = read(edited(finding, "\"heal\": {\"rounds\": 1", "\"heal\": {\"rounds\": 7"));
  ASSERT_FALSE(back.has_value());
  EXPECT_NE(back.error().message.find("expected a timed scenario with"), std::string::npos) << back.error().message;
}

TEST(LoopRun, KeepsWhatTheTraceDoesNotTell) {
  const auto at = [](unsigned time, unsigned seat = 1) {
    return Event{.kind = EventKind::kVoted, .seat = static_cast<Seat>(seat), .time = time};
  };
  const Loop loop{.first_round = 3, .length = 2, .proved = true, .part = {2, 2, 1}};
  LoopEnds ends;
  ends.from = 2;
  ends.to = 4;
  ends.trace = {at(0), at(1), at(2), at(3), at(3), at(4)};
  // The recorded run went on behind the loop, as it did in it.
  ends.trace.push_back(at(5));
  const Trace until_loop(ends.trace.begin(), ends.trace.end() - 1);
  Trace recorded = ends.trace;
  LoopRunRecord run = run_of(loop, ends, recorded);
  EXPECT_EQ(run, (LoopRunRecord{2, 1, 2, 4, {}, {}}));
  EXPECT_EQ(run.scheduled_round(1), 1U);
  EXPECT_EQ(run.scheduled_round(4), 2U);
  // It ended before.
  recorded = {at(0), at(1), at(2)};
  run = run_of(loop, ends, recorded);
  EXPECT_EQ(run.since, 3U);
  EXPECT_EQ(run.events, (Trace{at(3), at(3), at(4)}));
  EXPECT_EQ(events_of(run, recorded), until_loop);
  // It did something else in the middle of a round, and more at its end.
  recorded = {at(0), at(1), at(2), at(3), at(3, 2), at(4), at(5)};
  run = run_of(loop, ends, recorded);
  EXPECT_EQ(run.since, 3U);
  EXPECT_EQ(events_of(run, recorded), until_loop);
  recorded = until_loop;
  recorded.push_back(at(4));
  run = run_of(loop, ends, recorded);
  EXPECT_EQ(run.since, 4U);
  EXPECT_EQ(events_of(run, recorded), until_loop);
  // Behind the loop it did something else.
  recorded = until_loop;
  recorded.push_back(at(5, 2));
  run = run_of(loop, ends, recorded);
  EXPECT_EQ(run, (LoopRunRecord{2, 1, 2, 4, 5, {}}));
  EXPECT_EQ(events_of(run, recorded), until_loop);
}

TEST(Finding, LoopIsWrittenAsScriptsReadIt) {
  EXPECT_EQ(to_json(*endless().loop),
            R"({
    "first_round": 5,
    "length": 2,
    "proved": true,
    "assumptions": {"healed": true, "fair": false, "order": "any", "liars": "selective"},
    "waiting": ["B", "C"],
    "ends": [
      {"seat": "A", "before": {"view": 5, "prepared": "A1", "locked": "genesis", "executed": "genesis"}, )"
            R"("after": {"view": 7, "prepared": "A1", "locked": "genesis", "executed": "genesis"}},
      {"seat": "B", "before": {"view": 6}, "after": {"view": 8}}
    ],
    "repaired": {"protocol": "diembft", "bugs": [], "decides": true, "round": 5}
  })");
}

// Whatever is edited in it, and whatever is left out, the finding says so itself.
TEST(Finding, WhoseLoopWasEditedIsRefused) {
  const std::vector<std::pair<std::string, std::string>> edits{
      {"\"first_round\": 5", "\"first_round\": 4"},
      {"\"length\": 2", "\"length\": 4"},
      {"\"proved\": true", "\"proved\": false"},
      {"\"healed\": true", "\"healed\": false"},
      {"\"fair\": false", "\"fair\": true"},
      {"\"order\": \"any\"", "\"order\": \"one\""},
      {"\"liars\": \"selective\"", "\"liars\": \"silent\""},
      {"[\"B\", \"C\"]", "[\"B\"]"},
      {"\"view\": 6", "\"view\": 7"},
      {"\"locked\": \"genesis\"", "\"locked\": \"A1\""},
      {"\"decides\": true, \"round\": 5", "\"decides\": false"},
      {"\"round\": 5", "\"round\": 6"}};
  for (const auto& [piece, replacement] : edits) {
    const auto back = read(edited(endless(), piece, replacement));
    ASSERT_FALSE(back.has_value()) << replacement;
    EXPECT_NE(back.error().message.find("the fingerprint of this property, kind, evidence, loop and trace"),
              std::string::npos)
        << back.error().message;
  }
  Finding without = endless();
  without.loop.reset();
  std::string text = to_json(without, kWords);
  const std::string mark = mark_of(without);
  text.replace(text.find(mark), mark.size(), mark_of(endless()));
  EXPECT_FALSE(read(text).has_value());
}

TEST(Finding, LoopThatIsNoneIsToldWithItsPlace) {
  const auto said = [](std::string_view piece, std::string_view replacement) {
    return read(edited(endless(), piece, replacement)).error().message;
  };
  EXPECT_EQ(said("\"order\": \"any\"", "\"order\": \"most\""),
            "f.json:30:61: read \"most\", expected one of \"one\", \"any\"");
  EXPECT_EQ(said("\"liars\": \"selective\"", "\"liars\": 3"), "f.json:30:77: read 3, expected a text for \"liars\"");
  EXPECT_EQ(said("\"length\": 2", "\"length\": 0"), "f.json:28:15: read 0, expected a number from 1 to 65535");
  EXPECT_EQ(said("\"proved\": true,", ""), "f.json:26:11: read an object without \"proved\", expected true or false");
  EXPECT_EQ(
      said("\"waiting\"", "\"waits\""),
      "f.json:31:5: read \"waits\", expected one of unit, first_round, length, proved, assumptions, waiting, ends, "
      "repaired, run");
  EXPECT_EQ(said("\"before\": {\"view\": 6}, ", ""), "f.json:34:7: read an object without \"before\", expected it");
}

TEST(Finding, LoopOfAnotherRunIsADifference) {
  const Finding recorded = endless();
  Finding shown = endless();
  EXPECT_EQ(difference_between(recorded, shown), "");
  shown.loop->repaired.reset();
  EXPECT_EQ(difference_between(recorded, shown), "");
  shown.loop = recorded.loop;
  shown.loop->repaired->decides_in = 6;
  EXPECT_EQ(difference_between(recorded, shown),
            "the repaired protocol does not do in the loop's schedule what was recorded");
  shown.loop->ends.pop_back();
  EXPECT_EQ(difference_between(recorded, shown),
            "what the seats hold at the ends of the loop is not what was recorded");
  shown.loop->assumptions.fair = true;
  EXPECT_EQ(difference_between(recorded, shown), "the loop has not the assumptions that were recorded");
  shown.loop->length = 4;
  EXPECT_EQ(difference_between(recorded, shown), "the loop is of rounds 5..8, recorded is rounds 5..6");
  shown.loop.reset();
  EXPECT_EQ(difference_between(recorded, shown), "the loop of rounds 5..6 that was recorded is not there");
  EXPECT_EQ(difference_between(shown, recorded), "");
  // A finding that was written before says nothing of its run.
  EXPECT_EQ(difference_between(recorded, endless_behind()), "");
  shown = endless_behind();
  shown.loop->run->events.clear();
  EXPECT_EQ(difference_between(endless_behind(), shown),
            "the run does not come to the loop and through it as was recorded");
}

std::string arbitrary_text() { return *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)); }
unsigned below(unsigned end) { return *rc::gen::inRange(0U, end); }

TEST(Finding, AnyEvidenceAndTraceSurvivesTheRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    Finding finding = example();
    finding.kind = arbitrary_text();
    finding.program = arbitrary_text();
    finding.shrink_runs = *rc::gen::arbitrary<std::uint64_t>();
    finding.is_cut_short = *rc::gen::arbitrary<bool>();
    finding.evidence = {arbitrary_text(), below(256), below(256), {}, {}};
    for (unsigned i = below(3); i > 0; --i) finding.evidence.seats.push_back(arbitrary_text());
    finding.evidence.claims.resize(below(3));
    for (ClaimRecord& claim : finding.evidence.claims) {
      claim = {arbitrary_text(), arbitrary_text(), {}};
      for (unsigned i = below(3); i > 0; --i) claim.history.push_back({below(256), arbitrary_text()});
    }
    finding.trace.notes.resize(below(3), "note");
    finding.trace.events.resize(below(8));
    for (Event& event : finding.trace.events) {
      event = {
          .kind = EventKind::kSent, .seat = static_cast<Seat>(below(16)), .message = below(~0U), .time = below(~0U)};
    }
    const auto back = read(to_json(finding, kWords));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back->finding == finding);
  }));
}

TEST(Finding, EvidenceIsWrittenAsFarAsThePropertyUsesIt) {
  EXPECT_EQ(to_json(EvidenceRecord{}), "{}");
  EXPECT_EQ(
      to_json(standstill().evidence),
      "{\n    \"why\": \"v1 has a certificate, v2 has f+1 votes\",\n    \"since\": 3,\n    \"seats\": [\"B\"]\n  }");
}

TEST(Finding, MayBeAScenarioAlone) {
  const auto back = read(to_json(example().scenario, kWords));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->scenario, example().scenario);
  EXPECT_FALSE(back->finding.has_value());
}

TEST(Finding, OfAnotherVersionSaysWhichWasReadAndWhichIs) {
  EXPECT_EQ(read(edited(example(), "\"version\": 2", "\"version\": 1")).error().message,
            "f.json:3:14: read a finding of version 1, expected version 2, which this program reads");
  EXPECT_EQ(read(edited(example(), "\"version\": 2", "\"version\": 7")).error().message,
            "f.json:3:14: read a finding of version 7, expected version 2, which this program reads: a newer Nika "
            "wrote it");
  EXPECT_EQ(read(edited(example(), "\"version\": 2", "\"version\": \"2\"")).error().message,
            "f.json:3:14: read \"2\" as the version of a finding, expected version 2, which this program reads");
  // A finding of the last version, with members that there are no more.
  EXPECT_EQ(read(R"({"format": "nika-finding", "version": 1, "conflict": {}})").error().message,
            "f.json:1:39: read a finding of version 1, expected version 2, which this program reads");
}

TEST(Finding, ThatWasEditedIsRefused) {
  const std::string expected = "the fingerprint of this property, kind, evidence and trace: one of them was changed";
  const std::vector<std::pair<std::string, std::string>> edits{
      {"\"property\": \"agreement\"", "\"property\": \"termination\""},
      {"two values of one round", "values of different rounds"},
      {"\"height\": 1,", "\"height\": 2,"},
      {"\"seat\": \"D\"", "\"seat\": \"C\""},
      {"\"value\": \"A'1\", \"history\"", "\"value\": \"B1\", \"history\""},
      {"{\"height\": 2, \"value\": \"A2\"}", "{\"height\": 2, \"value\": \"A3\"}"},
      {", {\"height\": 2, \"value\": \"A2\"}", ""},
  };
  for (const auto& [piece, replacement] : edits) {
    const auto back = read(edited(example(), piece, replacement));
    ASSERT_FALSE(back.has_value()) << piece;
    EXPECT_NE(back.error().message.find(expected), std::string::npos) << back.error().message;
  }
  for (const auto& [piece, replacement] : std::vector<std::pair<std::string, std::string>>{
           {"v1 has a", "v2 has a"}, {"\"since\": 3", "\"since\": 4"}, {"[\"B\"]", "[\"C\"]"}, {"[\"B\"]", "[]"}}) {
    EXPECT_FALSE(read(edited(standstill(), piece, replacement)).has_value()) << piece;
  }
}

TEST(Finding, WithAnotherTraceThanItsFingerprintIsRefused) {
  const Finding finding = example();
  Trace other = finding.trace.events;
  other[1].seat = Seat{2};
  const auto changed = read(edited(finding, base64_of(bytes_of(finding.trace.events)), base64_of(bytes_of(other))));
  ASSERT_FALSE(changed.has_value());
  EXPECT_NE(changed.error().message.find(", the fingerprint of these events"), std::string::npos);
  const auto fewer = read(edited(finding, "\"events\": 3", "\"events\": 4"));
  EXPECT_NE(fewer.error().message.find("read 4, expected 3, as many as there are in \"data\""), std::string::npos);
  const auto garbled = read(edited(finding, "\"data\": \"A", "\"data\": \"!"));
  EXPECT_NE(garbled.error().message.find("read another text, expected base64"), std::string::npos);
}

TEST(Finding, ThatWasCutOffIsRefusedWithItsPlace) {
  const std::string text = to_json(example(), kWords);
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_FALSE(read(text.substr(0, size)).has_value()) << size;
  }
  EXPECT_EQ(read("{}").error().message,
            "f.json:1:1: read an object, expected a finding or a scenario: an object with a \"format\"");
}

TEST(Finding, BreaksAPropertyThatThereIs) {
  Finding finding = example();
  finding.property = "luck";
  const auto back = read(to_json(finding, kWords));
  ASSERT_FALSE(back.has_value());
  EXPECT_EQ(back.error().message, "f.json:5:15: read \"luck\", expected a property, one of agreement, termination");
  const auto anything = [](std::string_view) -> Result<Vocabulary> { return Vocabulary{kKinds, kBugs}; };
  EXPECT_TRUE(recording_from_json(to_json(finding, kWords), "f.json", anything).has_value());
}

TEST(Finding, ControlCharactersAreEscapedInItsText) {
  Finding finding = example();
  finding.evidence.why = "\x1b[2J\x07\r";
  const std::string text = to_json(finding, kWords);
  EXPECT_EQ(text.find_first_of("\x1b\x07\r"), std::string::npos);
  EXPECT_EQ(*read(text)->finding, finding);
}

TEST(Mark, IsTheSameEverywhere) { EXPECT_EQ(mark_of(example()), "cbd7e72bf26ab56c122b3ab82309a0fc"); }

TEST(Mark, IsOfWhatIsClaimedAndNotOfHowItWasFound) {
  Finding finding = example();
  finding.shrink_runs = 7;
  finding.origin.reset();
  finding.program = "another";
  finding.trace.kinds = {"a", "b"};
  EXPECT_EQ(mark_of(finding), mark_of(example()));
}

TEST(Difference, IsToldInOneLine) {
  EXPECT_EQ(difference_between(example(), example()), "");
  EXPECT_EQ(difference_between(example(), standstill()), "it breaks termination, recorded is agreement");
  Finding other = example();
  other.kind = "values of different rounds";
  EXPECT_EQ(difference_between(example(), other),
            "it breaks agreement by \"values of different rounds\", recorded is \"two values of one round\"");
  other = example();
  other.evidence.height = 2;
  EXPECT_EQ(difference_between(example(), other), "what shows the violation is not what was recorded");
  other = example();
  other.trace.events.pop_back();
  EXPECT_EQ(
      difference_between(example(), other),
      "the trace is not the recorded one: 2 events with fingerprint b89153b6347f6d4d0c1cdfda57411fd9, recorded 3 with "
      "a0b7ddaecd5557312f3ee6948881941f; event 3 is the first that differs");
}

}  // namespace
}  // namespace nika::store
