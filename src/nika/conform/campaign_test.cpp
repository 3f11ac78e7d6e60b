// Protocols against their automata: no step differs, and planted differences in the code and in the automaton are seen.
#include "nika/conform/campaign.hpp"

#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika::conform {
namespace {

class Conformance : public testing::Test {
 protected:
  void read(const std::string& model) {
    automaton = automata::read_automaton(std::string(NIKA_SOURCE_DIR "/models/") + model).value();
  }
  Outcome run_of(const char* protocol, std::vector<std::string> bugs = {}) {
    Request request;
    request.pair = pair_of(protocol, automaton).value();
    request.runner = &built_in_protocol(protocol);
    request.automaton = &automaton;
    request.bugs = std::move(bugs);
    if (request.pair->varies_inputs()) {  // with four nodes nobody decides in one step
      request.nodes = 6;
      request.rounds = 1;
      request.runs = 200;
    }
    request.runs = 2'000;
    request.threads = 2;
    return run(request, {}).value();
  }
  void forget_rule(const std::string& id) {
    std::erase_if(automaton.rules, [&](const automata::Rule& rule) { return rule.id == id; });
  }

  automata::Automaton automaton;
};

TEST_F(Conformance, EachProtocolIsAnInstanceOfItsAutomaton) {
  for (const Pair* pair : pairs()) {
    SCOPED_TRACE(pair->protocol());
    read(std::string(pair->model().substr(pair->model().find('/') + 1)));
    const Outcome outcome = run_of(std::string(pair->protocol()).c_str(), pair->bugs());
    EXPECT_EQ(outcome.conclusion, Conclusion::kNoneFound);
    EXPECT_EQ(outcome.total().misfits, 0U);
    const bool are_few = pair->varies_inputs();  // larger clusters, fewer runs
    EXPECT_GT(outcome.total().moves, are_few ? 2'500U : 10'000U);
    for (const Part& part : outcome.parts) EXPECT_GT(part.moves, are_few ? 200U : 1'000U) << name_of(part.source);
  }
}

TEST_F(Conformance, RunsTakeEveryRuleOfReliableBroadcast) {
  read("reliable-broadcast.ta");
  EXPECT_EQ(run_of("bracha").rules_covered(), 6U);
}

TEST_F(Conformance, AThresholdThatIsTooLowInTheCodeIsSeenBySourcesOfAllKinds) {
  read("reliable-broadcast.ta");
  const Outcome outcome = run_of("bracha", {"quorum-2f"});
  EXPECT_EQ(outcome.conclusion, Conclusion::kViolated);
  for (const Part& part : outcome.parts) {
    EXPECT_GT(part.misfits, 0U) << name_of(part.source);
    ASSERT_TRUE(part.first);
    EXPECT_NE(part.first->misfit.what.find("wants"), std::string::npos) << part.first->misfit.what;
  }
}

// The automaton was once without it, and runs showed that it is needed.
TEST_F(Conformance, ARuleThatTheAutomatonLacksIsSeen) {
  read("reliable-broadcast.ta");
  forget_rule("6");
  const Outcome outcome = run_of("bracha");
  EXPECT_EQ(outcome.conclusion, Conclusion::kViolated);
  EXPECT_GT(outcome.total().misfits, 100U);
}

// Nobody sees a tie where a liar may break it, so that rule 4 is there for a reason only where nobody lies.
TEST_F(Conformance, RunsTakeEveryRuleOfOneStepThatTheirNodesLetThemTake) {
  read("one-step.ta");
  EXPECT_EQ(run_of("one-step").rules_covered(), 10U);
  Request request;
  request.pair = pair_of("one-step").value();
  request.runner = &built_in_protocol("one-step");
  request.automaton = &automaton;
  request.nodes = 5;
  request.faulty = 0;
  request.rounds = 0;
  request.runs = 500;
  request.threads = 1;
  const Outcome outcome = run(request, {}).value();
  EXPECT_EQ(outcome.conclusion, Conclusion::kNoneFound);
  for (std::size_t r = 0; r < outcome.taken.size(); ++r) {
    if (automaton.rules[r].id != "4") continue;
    EXPECT_GT(outcome.taken[r], 0U) << r;
  }
}

// The threshold (n+t)/2 in the code; what is handed over in the code; a rule, and a bound, that the automaton lacks.
TEST_F(Conformance, PlantedDifferencesOfOneStepAreSeen) {
  read("one-step.ta");
  for (const char* bug : {"decide-n+t", "keeps-own-value"}) {
    const Outcome outcome = run_of("one-step", {bug});
    EXPECT_EQ(outcome.conclusion, Conclusion::kViolated) << bug;
    EXPECT_GT(outcome.total().misfits, 50U) << bug;
  }
  forget_rule("3");
  EXPECT_EQ(run_of("one-step").conclusion, Conclusion::kViolated);
  read("one-step-broken.ta");
  EXPECT_EQ(run_of("one-step").conclusion, Conclusion::kViolated);
  EXPECT_EQ(run_of("one-step", {"decide-n+t"}).conclusion, Conclusion::kNoneFound);
}

TEST_F(Conformance, AFindingIsFollowedAgainToTheSameStep) {
  read("reliable-broadcast.ta");
  const Outcome outcome = run_of("bracha", {"quorum-2f"});
  Request request;
  request.pair = pair_of("bracha").value();
  request.runner = &built_in_protocol("bracha");
  request.automaton = &automaton;
  for (const Part& part : outcome.parts) {
    SCOPED_TRACE(name_of(part.source));
    std::vector<std::uint64_t> taken;
    const auto again = follow(request, part.first->scenario, taken);
    ASSERT_TRUE(again && again->misfit);
    EXPECT_EQ(again->misfit->what, part.first->misfit.what);
    EXPECT_EQ(again->misfit->time, part.first->misfit.time);
  }
}

TEST_F(Conformance, ResultsDoNotDependOnThreads) {
  read("reliable-broadcast.ta");
  Request request;
  request.pair = pair_of("bracha").value();
  request.runner = &built_in_protocol("bracha");
  request.automaton = &automaton;
  request.bugs = {"quorum-2f"};
  request.runs = 3'000;
  request.threads = 1;
  const Outcome one = run(request, {}).value();
  request.threads = 3;
  const Outcome three = run(request, {}).value();
  EXPECT_EQ(one.taken, three.taken);
  ASSERT_EQ(one.parts.size(), three.parts.size());
  for (std::size_t p = 0; p < one.parts.size(); ++p) {
    EXPECT_EQ(one.parts[p].misfits, three.parts[p].misfits);
    EXPECT_EQ(one.parts[p].steps, three.parts[p].steps);
    EXPECT_EQ(one.parts[p].first->index, three.parts[p].first->index);
  }
}

TEST_F(Conformance, AMapThatNamesWhatIsNotThereIsRefused) {
  read("dbft.ta");
  Request request;
  request.pair = pair_of("bracha").value();
  request.runner = &built_in_protocol("bracha");
  request.automaton = &automaton;
  request.threads = 1;
  EXPECT_EQ(run(request, {}).error().message, "has no location 'idle', which the map of bracha names");
}

}  // namespace
}  // namespace nika::conform
