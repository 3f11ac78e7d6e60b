#include "nika/store/scenario_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

#include "nika/base/random.hpp"

namespace nika::store {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"proposal", "vote", "timeout"};
constexpr std::array<std::string_view, 2> kBugs{"quorum-2f", "conflicting-votes"};
const Vocabulary kWords{kKinds, kBugs};

Result<Vocabulary> words_of(std::string_view protocol) {
  if (protocol == "diembft") return kWords;
  return bad_input("read protocol \"" + std::string(protocol) + "\", expected diembft");
}

Result<Scenario> read(std::string_view text) { return scenario_from_json(text, "s.json", words_of); }

std::string complaint(std::string_view text) {
  const auto scenario = read(text);
  return scenario ? "" : scenario.error().message;
}

constexpr std::string_view kGolden = R"({
  "format": "nika-scenario",
  "version": 1,
  "about": "made up",
  "protocol": "diembft",
  "bugs": ["quorum-2f"],
  "nodes": 4,
  "faults": 1,
  "copies": {"A": 2},
  "inputs": {"A": "v1", "B": "v1", "A'": "v2"},
  "rounds": [
    {"leaders": ["A"], "partition": "A B | C D A'", "note": "split"},
    {"leaders": ["A", "C"], "partition": "A B C D A'", "order": {"first": "A'", "own_first": false}, )"
                                     R"("orders": {"D": {"first": "B", "own_first": true}, )"
                                     R"("B": {"first": "", "own_first": true}}, "gives_up": ["B", "A'"]}
  ],
  "heal": {"rounds": 3, "leaders": ["A"], "order": {"first": "", "own_first": false}},
  "rules": [
    {"rounds": "1..2", "kinds": ["vote"], "from": "A B", "to": "C", "action": "delay", "ticks": 2},
    {"action": "drop"},
    {"rounds": "1", "kinds": ["vote"], "links": "A B C | D A'"},
    {"rounds": "2..", "links": "A C -> B, D -> B A'", "note": "only B hears"},
    {"rounds": "4..5", "from": "A'", "action": "drop"},
    {"rounds": "1", "to": "D", "action": "late", "by": 2},
    {"kinds": ["timeout"], "action": "twice", "by": 0}
  ],
  "crashes": [
    {"seat": "A'", "down": 4, "up": 5, "memory": false}
  ]
}
)";

Scenario golden_scenario() {
  Scenario s;
  s.about = "made up";
  s.protocol = "diembft";
  s.bugs = {"quorum-2f"};
  s.copies = {2};
  s.inputs = {"v1", "v1", "", "", "v2"};
  s.rounds.resize(2);
  s.rounds[0].leaders = {Identity{0}};
  s.rounds[0].partition.block_of = {0, 0, 1, 1, 1};
  s.rounds[0].note = "split";
  s.rounds[1].leaders = {Identity{0}, Identity{2}};
  s.rounds[1].order = {{1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, false};
  s.rounds[1].receiver_orders = {{Seat{3}, {{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, true}},
                                 {Seat{1}, Order::fifo()}};
  s.rounds[1].gives_up = {Seat{1}, Seat{4}};
  s.heal_rounds = 3;
  s.heal_leaders = {Identity{0}};
  s.heal_order.own_first = false;
  s.rules = {{Round(1), Round(2), 2U, {Seat{0}, Seat{1}}, {Seat{2}}, Action::kDelay, 2}, {}};
  Rule blocks{.last_round = Round(1), .kinds = 2U, .action = Action::kLinks};
  blocks.reach = reach_of({{0, 0, 0, 1, 1}}, 5);
  Rule one_way{.first_round = Round(2), .action = Action::kLinks, .note = "only B hears"};
  one_way.reach = {SeatSet{Seat{0}, Seat{1}}, {Seat{1}}, {Seat{1}, Seat{2}}, {Seat{1}, Seat{3}, Seat{4}}, {Seat{4}}};
  const Rule silent{.first_round = Round(4), .last_round = Round(5), .from = {Seat{4}}};
  const Rule late{.last_round = Round(1), .to = {Seat{3}}, .action = Action::kLate, .delay_rounds = 2};
  const Rule twice{.kinds = 4U, .action = Action::kTwice};
  s.rules.insert(s.rules.end(), {blocks, one_way, silent, late, twice});
  s.crashes = {{Seat{4}, Round(4), Round(5), false}};
  return s;
}

// The golden text with one piece of it replaced.
std::string with(std::string_view piece, std::string_view replacement) {
  std::string text(kGolden);
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), replacement);
}

SeatSet random_seats(Random& random, const Cluster& cluster) {
  return SeatSet::from_bits(static_cast<std::uint32_t>(random.below(std::uint64_t{1} << cluster.seat_count)));
}

Order random_order(Random& random, const Cluster& cluster) {
  Order order;
  order.own_first = random.below(2) == 0;
  for (std::size_t i = cluster.seat_count; i > 1; --i) std::swap(order.rank[i - 1], order.rank[random.below(i)]);
  return order;
}

RoundPlan random_plan(Random& random, const Cluster& cluster) {
  RoundPlan plan;
  plan.leaders = IdentitySet::from_bits(
      static_cast<std::uint32_t>(1 + random.below((std::uint64_t{1} << cluster.node_count) - 1)));
  const std::uint64_t blocks = 1 + random.below(cluster.seat_count);
  for (unsigned s = 0; s < cluster.seat_count; ++s)
    plan.partition.block_of[s] = static_cast<std::uint8_t>(random.below(blocks));
  plan.partition.normalize(cluster.seat_count);
  if (random.below(2) == 0) plan.order = random_order(random, cluster);
  if (random.below(2) == 0) plan.gives_up = random_seats(random, cluster);
  if (random.below(2) == 0) return plan;
  for (Seat seat : random_seats(random, cluster)) {
    plan.receiver_orders.insert(plan.receiver_orders.begin(), {seat, random_order(random, cluster)});
  }
  return plan;
}

Rule random_rule(Random& random, const Cluster& cluster, std::size_t rounds) {
  Rule rule;
  rule.first_round = Round(static_cast<unsigned>(1 + random.below(rounds)));
  if (random.below(2) == 0) rule.first_round = Round(1);
  if (random.below(2) == 0) rule.last_round = rule.first_round;
  if (random.below(2) == 0) rule.kinds = static_cast<std::uint32_t>(random.below(8));
  if (random.below(2) == 0) rule.from = random_seats(random, cluster);
  if (random.below(2) == 0) rule.to = random_seats(random, cluster);
  if (random.below(2) == 0) rule.note = "a \"note\" \n in \xc3\xa9";
  rule.action = static_cast<Action>(random.below(7));
  if (rule.action == Action::kLinks) {
    rule.from = rule.to = Rule{}.from;
    rule.reach = reach_of(random_plan(random, cluster).partition, cluster.seat_count);
    for (Seat seat : random_seats(random, cluster)) rule.reach[index_of(seat)] |= random_seats(random, cluster);
  }
  if (rule.action == Action::kDelay) rule.delay_ticks = static_cast<std::uint8_t>(1 + random.below(255));
  if (rule.action == Action::kLate) rule.delay_rounds = static_cast<std::uint8_t>(1 + random.below(kMaxRound));
  if (rule.action == Action::kTwice) rule.delay_rounds = static_cast<std::uint8_t>(random.below(kMaxRound + 1));
  return rule;
}

Scenario random_scenario(std::uint64_t seed) {
  Random random(seed);
  Scenario s;
  s.protocol = "diembft";
  for (const auto bug : kBugs) {
    if (random.below(2) == 0) s.bugs.emplace_back(bug);
  }
  s.node_count = static_cast<std::uint8_t>(1 + random.below(8));
  s.fault_count = static_cast<std::uint8_t>(random.below(s.node_count + 1U));
  s.copies.resize(random.below(s.node_count + 1U));
  for (auto& count : s.copies) count = static_cast<std::uint8_t>(1 + random.below(2));
  while (!s.copies.empty() && s.copies.back() == 1) s.copies.pop_back();
  const Cluster cluster = make_cluster(s.node_count, s.copies).value();
  s.rounds.resize(1 + random.below(9));
  for (RoundPlan& plan : s.rounds) plan = random_plan(random, cluster);
  s.heal_rounds = static_cast<std::uint8_t>(random.below(5));
  s.heal_leaders.resize(1 + random.below(3));
  for (Identity& id : s.heal_leaders) id = static_cast<Identity>(random.below(s.node_count));
  s.rules.resize(random.below(4));
  for (Rule& rule : s.rules) rule = random_rule(random, cluster, s.rounds.size());
  if (random.below(2) == 0) {
    s.inputs.resize(cluster.seat_count);
    for (std::string& input : s.inputs) input = std::array{"", "v1", "v2"}[random.below(3)];
    s.inputs[0] = "v1";
  }
  // One behind the other, so that those of one seat do not overlap.
  s.crashes.resize(random.below(4));
  unsigned free = 1;
  for (Crash& crash : s.crashes) {
    const auto down = static_cast<unsigned>(free + random.below(40));
    const auto up = static_cast<unsigned>(down + 1 + random.below(40));
    crash = {static_cast<Seat>(random.below(cluster.seat_count)), Round(down), Round(up), random.below(2) == 0};
    free = up;
  }
  return s;
}

// Without what an asynchronous run does not have.
Scenario random_stepped_scenario(std::uint64_t seed) {
  Scenario s = random_scenario(seed);
  Random random(seed);
  const Cluster cluster = make_cluster(s.node_count, s.copies).value();
  s.heal_rounds = 0;
  s.rules.clear();
  s.crashes.clear();
  for (RoundPlan& plan : s.rounds) plan.partition = {};
  s.steps.emplace(random.below(10));
  for (Step& step : *s.steps) {
    step.to = static_cast<Seat>(random.below(cluster.seat_count));
    if (random.below(3) == 0) {
      step.timer = static_cast<std::uint8_t>(random.below(3));
      continue;
    }
    step.message = static_cast<std::uint32_t>(1 + random.below(~0U));
    step.from = static_cast<Seat>(random.below(cluster.seat_count));
  }
  return s;
}

TEST(ScenarioJson, IsWrittenInThePapersNotation) { EXPECT_EQ(to_json(golden_scenario(), kWords), kGolden); }

TEST(ScenarioJson, TheWrittenScenarioIsReadBack) {
  const auto scenario = read(kGolden);
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  EXPECT_EQ(*scenario, golden_scenario());
}

TEST(ScenarioJson, EveryScenarioSurvivesTheRoundTrip) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Scenario scenario = seed % 4 == 0 ? random_stepped_scenario(seed) : random_scenario(seed);
    const std::string text = to_json(scenario, kWords);
    const auto back = read(text);
    ASSERT_TRUE(back.has_value()) << back.error().message << '\n' << text;
    ASSERT_EQ(*back, scenario) << text;
    ASSERT_EQ(to_json(*back, kWords), text);
  }
}

TEST(ScenarioJson, SeatsMayBeListedInAnyOrderAndTrivialPartsLeftOut) {
  EXPECT_EQ(read(with("A B | C D A'", " A'  D C|B A")), golden_scenario());
  EXPECT_EQ(read(with("A B C | D A'", "A <-> B C, B<->C, D <-> A'")), golden_scenario());
  const auto short_one = read(R"({"format":"nika-scenario","version":1,"protocol":"diembft","nodes":1,"faults":0,
                                  "rounds":[{"leaders":["A"]}]})");
  ASSERT_TRUE(short_one.has_value()) << short_one.error().message;
  EXPECT_EQ(short_one->horizon(), 1U);
}

TEST(ScenarioJson, EveryMistakeIsNamedWithItsPlace) {
  const std::vector<std::array<std::string, 3>> mistakes{
      {"nika-scenario", "nika-finding", "s.json:2:13: read \"nika-finding\", expected \"nika-scenario\""},
      {"\"version\": 1", "\"version\": 2",
       "s.json:3:14: read a scenario of version 2, expected version 1, which this program reads: a newer Nika wrote "
       "it"},
      {"\"diembft\"", "\"paxos\"", "s.json:5:15: read protocol \"paxos\", expected diembft"},
      {"quorum-2f", "quorum-f", "s.json:6:12: read \"quorum-f\", expected one of quorum-2f, conflicting-votes"},
      {"\"nodes\": 4", "\"nodes\": 17", "s.json:7:12: read 17, expected a number from 1 to 16"},
      {"\"nodes\": 4", "\"node\": 4",
       "s.json:7:3: read \"node\", expected one of format, version, about, protocol, bugs, nodes, faults, copies, "
       "unls, inputs, rounds, heal, rules, crashes, timing, steps, liars, outages, lies, lies_go_on, faults_count, "
       "coins, turns"},
      {"\"faults\": 1", "\"faults\": 1.5", "s.json:8:13: read 1.5, expected a number from 0 to 4"},
      {"{\"A\": 2}", "{\"E\": 2}", "s.json:9:14: read \"E\", expected a node from A to D, each once"},
      {"{\"A\": 2}", "{\"A\": 16}", "s.json:9:13: 4 nodes and 15 twins need 19 seats; at most 16 are supported"},
      {"A B | C D A'", "A B | C D", "s.json:12:37: read \"A B | C D\", expected every seat, also A'"},
      {"A B | C D A'", "A B | C D B'", "s.json:12:37: read \"A B | C D B'\", expected only the seats A B C D A'"},
      {"A B | C D A'", "A B | C D A' A", "s.json:12:37: read \"A B | C D A' A\", expected each seat once, not A twice"},
      {"A B | C D A'", "A B || C D A'",
       "s.json:12:37: read \"A B || C D A'\", expected at least one seat in each block"},
      {"[\"A\", \"C\"]", "[\"A\", \"X\"]", "s.json:13:23: read \"X\", expected a node from A to D"},
      {"[\"A\", \"C\"]", "[]", "s.json:13:5: read a round without a leader, expected at least one in \"leaders\""},
      {"\"rounds\": 3", "\"rounds\": 249", "s.json:11:13: read 2 rounds, expected 1 to 1 besides the 249 of healing"},
      {"\"1..2\"", "\"3..2\"", "s.json:17:16: read \"3..2\", expected rounds such as \"2..3\", from 1 to 250"},
      {"[\"vote\"]", "[\"veto\"]",
       "s.json:17:34: read \"veto\", expected a kind of message, one of proposal, vote, timeout"},
      {"\"delay\"", "\"lose\"",
       "s.json:17:79: read \"lose\", expected one of deliver, drop, delay, withhold, late, twice"},
      {"\"ticks\": 2", "\"ticks\": 256", "s.json:17:97: read 256, expected a number from 1 to 255"},
      {"{\"action\": \"drop\"}", "{\"action\": \"drop\", \"ticks\": 1}",
       "s.json:18:24: read \"ticks\" of \"drop\", expected them for \"delay\" only"},
      {"\"B\": \"v1\"", "\"A\": \"v1\"", "s.json:10:25: read \"A\", expected only the seats A B C D A', each once"},
      {"\"B\": \"v1\"", "\"B\": \"\"", "s.json:10:30: read \"\", expected the name of a value, such as \"v1\""},
      {"A B C | D A'\"}", "A B C | D\"}", "s.json:19:49: read \"A B C | D\", expected every seat, also A'"},
      {"A C -> B,", "A C -> ,",
       "s.json:20:32: read \"A C -> , D -> B A'\", expected links such as \"A B -> C, C <-> D\""},
      {"\"rounds\": \"2..\",", "\"rounds\": \"2..\", \"to\": \"A\",",
       "s.json:20:23: read \"to\" beside \"links\", expected one or the other"},
      {"\"rounds\": \"2..\",", "\"rounds\": \"2..4\",",
       "s.json:20:5: rounds 3 to 5 heal, when honest seats hear each other, but this rule keeps messages of B from C"},
      {"\"from\": \"A'\", ", "",
       "s.json:21:5: rounds 3 to 5 heal, when honest seats hear each other, but this rule keeps messages of B from C"},
      {"\"up\": 5", "\"up\": 4", "s.json:26:37: read 4, expected a number from 5 to 255"},
      {"\"seat\": \"A'\"", "\"seat\": \"A''\"", "s.json:26:14: read \"A''\", expected only the seats A B C D A'"},
      {"{\"D\": {", "{\"E\": {", "s.json:13:113: read \"E\", expected only the seats A B C D A', each once"},
      {"\"B\": {\"first\"", "\"D\": {\"first\"",
       "s.json:13:153: read \"D\", expected only the seats A B C D A', each once"},
      {"[\"B\", \"A'\"]", "[\"B\", \"B\"]", "s.json:13:211: read \"B\", expected only the seats A B C D A', each once"},
      {"\"by\": 2", "\"by\": 0", "s.json:22:56: read 0, expected a number from 1 to 250"},
      {", \"by\": 2", "", "s.json:22:5: read an object without \"by\", expected a number from 1 to 250"},
      {"{\"action\": \"drop\"}", "{\"action\": \"drop\", \"by\": 1}",
       "s.json:18:24: read \"by\" of \"drop\", expected a number of rounds for \"late\" and \"twice\" only"},
  };
  for (const auto& [piece, replacement, expected] : mistakes) EXPECT_EQ(complaint(with(piece, replacement)), expected);
}

std::string with_crashes(std::string_view crashes) {
  return with(R"({"seat": "A'", "down": 4, "up": 5, "memory": false})", crashes);
}

TEST(ScenarioJson, CrashesOfOneSeatDoNotOverlap) {
  constexpr std::string_view kFirst = R"({"seat": "B", "down": 2, "up": 4, "memory": true}, )";
  const auto second = [&](std::string_view crash) {
    return complaint(with_crashes(std::string(kFirst).append(crash)));
  };
  EXPECT_EQ(second(R"({"seat": "B", "down": 3, "up": 5, "memory": true})"),
            "s.json:26:56: read a crash of B in rounds 3 to 5, expected a time outside its other crash, 2 to 4");
  EXPECT_NE(second(R"({"seat": "B", "down": 1, "up": 9, "memory": true})"), "");
  EXPECT_EQ(second(R"({"seat": "C", "down": 3, "up": 5, "memory": true})"), "");
  EXPECT_EQ(second(R"({"seat": "B", "down": 4, "up": 5, "memory": true})"), "");
  EXPECT_EQ(second(R"({"seat": "B", "down": 1, "up": 2, "memory": true})"), "");
}

TEST(ScenarioJson, ASeatLosesItsMemoryOnlyAsOftenAsItsValuesCanTell) {
  const auto losses = [](unsigned count) {
    std::string crashes;
    for (unsigned i = 0; i < count; ++i) {
      crashes += i == 0 ? "" : ", ";
      crashes += R"({"seat": "B", "down": )" + std::to_string(2 * i + 1) + R"(, "up": )" + std::to_string(2 * i + 2) +
                 R"(, "memory": false})";
    }
    return complaint(with_crashes(crashes));
  };
  EXPECT_EQ(losses(ValueId::kMaxIncarnation), "");
  EXPECT_EQ(losses(ValueId::kMaxIncarnation + 1),
            "s.json:26:374: read one more loss of memory of B, expected at most 7 of one seat");
}

constexpr std::string_view kStepped = R"({
  "format": "nika-scenario",
  "version": 1,
  "protocol": "diembft",
  "bugs": [],
  "nodes": 4,
  "faults": 1,
  "copies": {},
  "rounds": [
    {"leaders": ["A"], "partition": "A B C D"}
  ],
  "heal": {"rounds": 0, "leaders": []},
  "steps": [
    {"message": 7, "of": "C", "to": "B"}, {"timer": "C"}, {"timer": "A", "which": 3},
    {"message": 4294967295, "of": "A", "to": "D"}
  ]
}
)";

TEST(ScenarioJson, StepsAreMessagesOfTheirSendersAndTimers) {
  const auto scenario = read(kStepped);
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  EXPECT_EQ(
      scenario->steps,
      (std::vector<Step>{{7, Seat{1}, Seat{2}}, {0, Seat{2}}, {.to = Seat{0}, .timer = 2}, {~0U, Seat{3}, Seat{0}}}));
  EXPECT_EQ(to_json(*scenario, kWords), kStepped);
}

TEST(ScenarioJson, MistakesInStepsAreNamedWithTheirPlace) {
  const auto stepped = [](std::string_view piece, std::string_view replacement) {
    std::string text(kStepped);
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return complaint(text.replace(at, piece.size(), replacement));
  };
  EXPECT_EQ(stepped("\"message\": 7", "\"message\": 0"),
            "s.json:14:17: read 0, expected a number from 1 to 4294967295");
  EXPECT_EQ(stepped("\"timer\": \"C\"", "\"timer\": \"E\""),
            "s.json:14:53: read \"E\", expected only the seats A B C D");
  EXPECT_EQ(stepped("\"message\": 7", "\"timer\": \"B\""),
            "s.json:14:5: read a message and a timer, expected a message that arrives, or a timer");
  EXPECT_EQ(stepped("A B C D\"", "A B | C D\""),
            "s.json:13:3: read \"steps\" beside a partition, expected one or the other");
  EXPECT_EQ(stepped("\"rounds\": 0, \"leaders\": []", "\"rounds\": 1, \"leaders\": [\"A\"]"),
            "s.json:13:3: read \"steps\" beside healing rounds, expected one or the other");
  EXPECT_EQ(stepped("\"steps\": [", "\"timing\": {\"delta\": 2, \"ticks\": 9}, \"steps\": ["),
            "s.json:13:39: read \"steps\" beside \"timing\", expected one or the other");
  EXPECT_EQ(stepped("\"steps\": [", "\"rules\": [{\"action\": \"drop\"}], \"steps\": ["),
            "s.json:13:34: read \"steps\" beside rules, expected one or the other");
  EXPECT_EQ(stepped("\"steps\": [",
                    "\"crashes\": [{\"seat\": \"A\", \"down\": 1, \"up\": 2, \"memory\": true}], \"steps\": ["),
            "s.json:13:67: read \"steps\" beside crashes, expected one or the other");
  EXPECT_EQ(stepped("{\"timer\": \"C\"}", "7"), "s.json:14:43: read 7, expected an object");
}

TEST(ScenarioJson, TheExampleOfTheDocumentationIsRead) {
  const std::string page = read_text_file(NIKA_DOCS "/scenarios.md").value();
  const std::size_t begin = page.find("```json\n") + 8;
  const auto scenario = read(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  EXPECT_EQ(scenario->rules.size(), 4U);
  EXPECT_EQ(read(to_json(*scenario, kWords)), *scenario);
}

TEST(ScenarioJson, AFileCutOffAnywhereIsAnErrorOfOneLine) {
  // The last byte is a line feed, which the format does not need.
  for (std::size_t size = 0; size + 1 < kGolden.size(); ++size) {
    const std::string message = complaint(kGolden.substr(0, size));
    ASSERT_TRUE(message.starts_with("s.json:")) << size;
    ASSERT_EQ(message.find('\n'), std::string::npos) << size;
  }
}

TEST(ScenarioJson, RandomBytesAreAnErrorOfOneLine) {
  Random random(7);
  for (unsigned i = 0; i < 5000; ++i) {
    std::string bytes(1 + random.below(200), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    const std::string message = complaint(bytes);
    ASSERT_TRUE(message.starts_with("s.json:1:") || message.starts_with("s.json:")) << message;
    ASSERT_TRUE(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; })) << message;
  }
}

TEST(ScenarioJson, OneChangedByteIsReadOrNamedButNeverMore) {
  Random random(11);
  for (unsigned i = 0; i < 20'000; ++i) {
    std::string text(kGolden);
    text[random.below(text.size())] = static_cast<char>(random.below(256));
    const auto scenario = read(text);
    if (scenario) {
      ASSERT_EQ(read(to_json(*scenario, kWords)), *scenario);
    } else {
      ASSERT_EQ(scenario.error().message.find('\n'), std::string::npos);
    }
  }
}

TEST(ScenarioJson, FilesThatCannotBeReadAreNamed) {
  EXPECT_EQ(read_scenario("no-such-file.json", words_of).error().message,
            "no-such-file.json: cannot be opened for reading");
  EXPECT_EQ(read_scenario(".", words_of).error().message, ".: is a directory");
  EXPECT_EQ(read_scenario("/dev/zero", words_of).error().message, "/dev/zero: is a device, expected a file");
  const std::string path = ::testing::TempDir() + "nika_scenario_json_test.json";
  std::ofstream(path) << kGolden;
  EXPECT_EQ(read_scenario(path, words_of), golden_scenario());
  std::remove(path.c_str());
}

// A protocol with two clients: on seats 5 and 6, behind the twin.
Result<Scenario> read_with_clients(std::string_view rest) {
  const auto words = [](std::string_view) -> Result<Vocabulary> { return Vocabulary{kKinds, kBugs, {}, 2}; };
  const std::string text = R"({"format": "nika-scenario", "version": 1, "protocol": "other", "bugs": [], "nodes": 4,
    "faults": 1, "copies": {"A": 2}, )" +
                           std::string(rest) + "}";
  auto scenario = scenario_from_json(text, "s.json", words);
  if (scenario) {
    EXPECT_EQ(*scenario_from_json(to_json(*scenario, *words("")), "again.json", words), *scenario);
  }
  return scenario;
}

TEST(ScenarioJson, AClientIsInTouchWithEverybodyUnlessItIsNamed) {
  const auto scenario = read_with_clients(R"("rounds": [{"leaders": ["A"], "partition": "A B | C D A'"},
    {"leaders": ["A"], "partition": "A B c2 | C D A'"}, {"leaders": ["A"], "partition": "A B C D A'"}],
    "rules": [{"kinds": ["vote"], "links": "A c1 | B C D A'"}, {"from": "c1", "to": "A c2", "action": "drop"}])");
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  constexpr auto kAll = Partition::kEverywhere;
  EXPECT_EQ(scenario->client_count, 2);
  EXPECT_EQ(scenario->rounds[0].partition, (Partition{{0, 0, 1, 1, 1, kAll, kAll}}));
  EXPECT_EQ(scenario->rounds[1].partition, (Partition{{0, 0, 1, 1, 1, kAll, 0}}));
  EXPECT_EQ(scenario->rounds[2].partition, Partition{});
  const Reach& reach = scenario->rules[0].reach;
  EXPECT_EQ(reach[0], (SeatSet{Seat{0}, Seat{5}, Seat{6}}));
  EXPECT_EQ(reach[1], (SeatSet{Seat{1}, Seat{2}, Seat{3}, Seat{4}, Seat{6}}));
  EXPECT_EQ(reach[5], (SeatSet{Seat{0}, Seat{5}, Seat{6}}));
  EXPECT_EQ(reach[6], SeatSet::first(7));
  EXPECT_EQ(scenario->rules[1].from, SeatSet{Seat{5}});
  EXPECT_EQ(scenario->rules[1].to, (SeatSet{Seat{0}, Seat{6}}));
}

TEST(ScenarioJson, AClientNeverLeadsAndNobodyElseIsLeftOut) {
  const auto complaint_of = [](std::string_view rest) {
    const auto scenario = read_with_clients(rest);
    return scenario ? "" : scenario.error().message.substr(scenario.error().message.find("expected"));
  };
  EXPECT_EQ(complaint_of(R"("rounds": [{"leaders": ["c1"]}])"), "expected a node from A to D");
  EXPECT_EQ(complaint_of(R"("rounds": [{"leaders": ["A"], "partition": "A B | C D c1"}])"),
            "expected every seat, also A'");
}

}  // namespace
}  // namespace nika::store
