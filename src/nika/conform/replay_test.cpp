// Counterexamples of the broken models are runs of the protocols with the same flaws, and the runs break what they
// should.
#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/conform/counterexample.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::conform {
namespace {

struct Case {
  std::string protocol;
  std::string model;
  std::vector<std::string> bugs;
};

class Replay : public testing::Test {
 protected:
  Result<std::vector<Shown>> shown_of(const Case& c, std::string_view property) {
    automaton = automata::read_automaton(std::string(NIKA_SOURCE_DIR "/models/") + c.model).value();
    Request request;
    request.pair = pair_of(c.protocol, automaton).value();
    request.runner = registry.find(c.protocol).value();
    request.automaton = &automaton;
    request.bugs = c.bugs;
    return show_counterexamples(request, registry, property, nullptr);
  }
  // "justification0 by justification", in the order of the file.
  std::vector<std::string> happening(const Case& c) {
    std::vector<std::string> result;
    const std::vector<Shown> all = shown_of(c, "all").value();
    for (const Shown& shown : all) {
      EXPECT_EQ(shown.reason, "") << c.model << " " << shown.property;
      EXPECT_TRUE(shown.finding) << c.model << " " << shown.property;
      if (shown.finding) result.push_back(shown.property + " by " + shown.finding->property);
    }
    return result;
  }

  const Registry registry = built_in_protocols();
  automata::Automaton automaton;
};

using Happening = std::vector<std::string>;

TEST_F(Replay, BvBroadcastThatEchoesAfterTDeliversWhatNobodyProposed) {
  EXPECT_EQ(happening({"bv-broadcast", "bv-broadcast-broken.ta", {"echo-t"}}),
            (Happening{"justification0 by justification", "justification1 by justification"}));
}

TEST_F(Replay, ReliableBroadcastWithTooFewNodesHangs) {
  EXPECT_EQ(happening({"bracha", "reliable-broadcast-broken.ta", {"resilience-2f"}}),
            (Happening{"correctness by termination", "relay by totality"}));
}

TEST_F(Replay, OneStepThatDecidesTooEarlyHandsOverAnotherValue) {
  EXPECT_EQ(happening({"one-step", "one-step-broken.ta", {"decide-n+t"}}),
            (Happening{"handover0 by handover", "handover1 by handover"}));
}

TEST_F(Replay, DbftWithSilentDecidersLeavesOthersWaiting) {
  EXPECT_EQ(happening({"dbft", "dbft-broken.ta", {"silent-deciders"}}),
            (Happening{"round_termination by termination"}));
}

TEST_F(Replay, DbftAsPrintedHangsInItsFirstRoundAndInItsSecond) {
  EXPECT_EQ(happening({"dbft", "dbft-as-printed.ta", {"stops-echoing", "silent-deciders"}}),
            (Happening{"round1_termination by termination", "round_termination by termination",
                       "second_fault by termination"}));
}

// The protocol without the flaw cannot be led there: nothing is found, and that is told as what it is.
TEST_F(Replay, TheCorrectProtocolDoesNotFollow) {
  const auto shown = shown_of({"bv-broadcast", "bv-broadcast-broken.ta", {}}, "justification0").value();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].conclusion, Conclusion::kUnknown);
  EXPECT_FALSE(shown[0].replayed);
  EXPECT_NE(shown[0].reason.find("no run of bv-broadcast was found"), std::string::npos) << shown[0].reason;
}

TEST_F(Replay, ARunIsAScenarioThatReadsBackAndRunsAlike) {
  const auto shown = shown_of({"bv-broadcast", "bv-broadcast-broken.ta", {"echo-t"}}, "justification0").value();
  const Runner& runner = *registry.find("bv-broadcast").value();
  const store::Finding& finding = *shown.at(0).finding;
  const std::string text = store::to_json(finding.scenario, words_of(runner));
  EXPECT_NE(text.find("{\"says\": \"bv\", \"fields\": {\"value\": 0}, \"of\": \"D\", \"to\": \"A\"}"),
            std::string::npos)
      << text;
  const auto again = store::scenario_from_json(text, "s.json", words_in(registry));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, finding.scenario);
}

TEST_F(Replay, TheShrinkerWorksOnIt) {
  const auto shown = shown_of({"one-step", "one-step-broken.ta", {"decide-n+t"}}, "handover0").value();
  const Scenario& scenario = shown.at(0).finding->scenario;
  Findings findings(*registry.find("one-step").value(), {});
  const auto* property = *std::ranges::find(registry.properties(), std::string_view("handover"), &Property::name);
  ASSERT_TRUE(findings.add(*property, scenario, std::nullopt));
  const Scenario& smaller = findings.all().at(0).finding.scenario;
  EXPECT_LE(smaller.steps->size(), scenario.steps->size());
  EXPECT_EQ(smaller.node_count, 4);
}

TEST_F(Replay, WhatHoldsHasNoCounterexample) {
  EXPECT_EQ(shown_of({"dbft", "dbft.ta", {}}, "agreement0").error().message,
            "agreement0 holds: there is no counterexample to replay");
  EXPECT_EQ(shown_of({"dbft", "dbft.ta", {}}, "nothing").error().message,
            "no property 'nothing', expected one of: validity0, agreement0, validity1, agreement1, round1_termination, "
            "round_termination, all");
}

}  // namespace
}  // namespace nika::conform
