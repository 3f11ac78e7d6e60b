// A generator and a property of one's own: nothing of the simulator, the search or the campaign has to know them.
#include <gtest/gtest.h>

#include "nika/campaign/findings.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/model/links.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

constexpr unsigned kRounds = 4;

// Four honest nodes that lead in turn. In each round one of them hears nobody and is not heard, or nobody is: 5
// choices, of which the last round's comes first in the number of a schedule.
Scenario isolating(Wide index) {
  Scenario scenario;
  scenario.rounds.resize(kRounds);
  for (unsigned r = 0; r < kRounds; ++r, index /= 5) {
    scenario.rounds[r].leaders = {static_cast<Identity>(r % 4)};
    const auto alone = static_cast<unsigned>(index % 5);
    if (alone < 4) scenario.rounds[r].partition.block_of[alone] = 1;
    scenario.rounds[r].partition.normalize(4);
  }
  scenario.heal_leaders = {Identity{0}};
  return scenario;
}

class IsolatingSchedule final : public IndexedSchedule {
 public:
  IsolatingSchedule() { begin(4, kRounds, 0); }

  void seek(Wide index) override {
    scenario_ = isolating(index);
    for (unsigned r = 0; r < kRounds; ++r) leaders_[r + 1] = scenario_.rounds[r].leaders;
    set_heal_leaders(leaders_, kRounds, scenario_.heal_leaders);
  }

 private:
  void choose(Round round, RoundAnswers& answers) override {
    const RoundPlan& plan = scenario_.rounds[round.number - 1U];
    links_ = links_of(plan.partition, 4);
    answers.links = &links_;
    answers.order = &plan.order;
  }

  Scenario scenario_;
  Links links_;
};

class Isolating final : public Generator {
 public:
  const Cluster& cluster() const override { return cluster_; }
  std::optional<Wide> size() const override { return 5 * 5 * 5 * 5; }
  std::unique_ptr<IndexedSchedule> schedule() const override { return std::make_unique<IsolatingSchedule>(); }
  Scenario scenario(Wide index) const override { return isolating(index); }

 private:
  const Cluster cluster_ = *make_cluster(4, {});
};

// No honest node commits anything before round 3.
struct PatienceMonitor {
  SeatSet hasty{};
  Height early{};
  std::uint8_t unused = 0;  // no padding: monitors are compared as bytes

  void committed(const Sight& sight, Seat seat, Commit commit) {
    if (sight.now >= Round(3)) return;
    if (hasty.empty()) early = commit.height;
    hasty.insert(seat);
  }
  bool is_settled(const Sight& sight) const { return !hasty.empty() || sight.now >= Round(3); }
  Judgement judge(const Sight& sight) const {
    if (hasty.empty()) return sight.now < Round(2) ? Judgement::unknown(Unjudged::kCutShort) : Judgement::holds();
    Evidence evidence;
    evidence.kind = "too early";
    evidence.height = early;
    evidence.seats = hasty;
    return Judgement::violated(evidence);
  }
};
constexpr Property kPatience = property_of<PatienceMonitor>("patience", "nobody commits anything before round 3");

SweepResult swept(std::string_view protocol, unsigned threads) {
  const Isolating generator;
  RangeWork work({0, *generator.size()});
  SweepOptions options;
  options.threads = threads;
  return sweep(built_in_protocol(protocol), {generator.cluster(), {}, only(kPatience)}, generator, work, options)
      .value();
}

// HotStuff decides in the view of the proposal, with the three that hear each other. Only if A is alone in round 1 and
// B in round 2, which lead there, nobody does: 5^2 of 5^4.
TEST(OwnGeneratorAndProperty, AreSweptWithExactCounts) {
  const Tally tally = swept("hotstuff", 1).tally;
  EXPECT_EQ(to_string(tally.scenarios), "625");
  EXPECT_EQ(to_string(tally.violating), "600");
  EXPECT_EQ(to_string(tally.unknown), "0");
  EXPECT_EQ(swept("hotstuff", 3).tally, tally);
}

// In Fast-HotStuff the votes of a round go to the next leader. C commits the first block in round 2, if the proposals
// of A and B and the votes for them reach B and C: neither A nor B is alone in round 1, nor B nor C in round 2.
TEST(OwnGeneratorAndProperty, CountWhatTheProtocolDoes) {
  EXPECT_EQ(to_string(swept("fast-hotstuff", 2).tally.violating), to_string(3 * 3 * 5 * 5));
}

// DiemBFT needs three rounds in a row.
TEST(OwnGeneratorAndProperty, HoldWhereTheyShould) {
  const Tally tally = swept("diembft", 2).tally;
  EXPECT_EQ(to_string(tally.scenarios), "625");
  EXPECT_EQ(to_string(tally.violating), "0");
  EXPECT_EQ(to_string(tally.unknown), "0");
}

TEST(OwnGeneratorAndProperty, AreShrunkAndTold) {
  const Runner& runner = built_in_protocol("hotstuff");
  const SweepResult result = swept("hotstuff", 1);
  ASSERT_EQ(result.sightings.size(), 1U);
  Findings findings(runner, {});
  Scenario first = isolating(result.sightings[0].index);
  first.protocol = runner.name();
  ASSERT_TRUE(findings.add(kPatience, first, result.sightings[0].index).has_value());
  ASSERT_EQ(findings.all().size(), 1U);
  const store::Finding& finding = findings.all()[0].finding;
  EXPECT_EQ(finding.property, "patience");
  EXPECT_EQ(finding.kind, "too early");
  EXPECT_EQ(finding.scenario.rounds.size(), 1U);
  EXPECT_FALSE(finding.is_cut_short);
  EXPECT_EQ(finding.evidence.height, 1U);
  EXPECT_EQ(finding.original, first);
}

// What is interrupted is told as small as it is, and says so.
TEST(OwnGeneratorAndProperty, AreToldAsCutShortIfShrinkingIsStopped) {
  const Runner& runner = built_in_protocol("hotstuff");
  const std::atomic<bool> stop{true};
  Findings findings(runner, {"", "", true, &stop});
  Scenario first = isolating(swept("hotstuff", 1).sightings[0].index);
  first.protocol = runner.name();
  ASSERT_TRUE(findings.add(kPatience, first, std::nullopt).has_value());
  const store::Finding& finding = findings.all()[0].finding;
  EXPECT_TRUE(finding.is_cut_short);
  EXPECT_EQ(finding.shrink_runs, 1U);
  EXPECT_EQ(finding.scenario.rounds.size(), first.rounds.size());
}

// A file may name what the program can judge, and nothing else.
TEST(OwnGeneratorAndProperty, AreKnownToReadersOfFiles) {
  Registry registry = built_in_protocols();
  const auto names = [&] {
    const auto words = words_in(registry)("hotstuff").value();
    return std::vector<std::string_view>(words.properties.begin(), words.properties.end());
  };
  std::vector<std::string_view> expected{"agreement",  "termination",    "totality",        "validity",
                                         "integrity",  "responsiveness", "temperature",     "bounded-time",
                                         "deadlock",   "lasso",          "confirmed-lasso", "justification",
                                         "obligation", "handover",       "common-subset",   "accountable-safety"};
  EXPECT_EQ(names(), expected);
  registry.add(kPatience);
  expected.push_back("patience");
  EXPECT_EQ(names(), expected);
}

// A work that has no memory left after its first range.
class ExhaustedWork final : public Work {
 public:
  Result<std::optional<twins::Range>> next() override {
    if (std::exchange(has_begun_, true)) throw std::bad_alloc();
    return std::optional<twins::Range>({0, 5});
  }

 private:
  bool has_begun_ = false;
};

TEST(OwnGeneratorAndProperty, MemoryThatRunsOutOnAThreadComesBackToTheCaller) {
  const Isolating generator;
  for (const unsigned threads : {1U, 3U}) {
    ExhaustedWork work;
    SweepOptions options;
    options.threads = threads;
    const nika::Setup setup{generator.cluster(), {}, only(kPatience)};
    EXPECT_THROW(sweep(built_in_protocol("hotstuff"), setup, generator, work, options).has_value(), std::bad_alloc);
  }
}

}  // namespace
}  // namespace nika
