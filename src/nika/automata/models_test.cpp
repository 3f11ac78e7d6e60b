// The verdict of every property of every model that comes with the project.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "nika/automata/parser.hpp"
#include "nika/automata/vacuity.hpp"

namespace nika::automata {
namespace {

using Verdicts = std::map<std::string, std::string>;

Verdicts verdicts_of(const std::string& name, smt::Backend backend) {
  const Result<Automaton> automaton = read_automaton(std::string(NIKA_SOURCE_DIR) + "/models/" + name + ".ta");
  EXPECT_TRUE(automaton) << automaton.error().message;
  if (!automaton) return {};
  const System system = prepare(*automaton, {});
  Verdicts verdicts;
  VerifyOptions options;
  options.backend = backend;
  for (const Specification& specification : automaton->specifications) {
    const Outcome outcome = judge_property(system, *specification.formula, options);
    verdicts[specification.name] = outcome.vacuity.empty() ? to_string(outcome.verdict) : outcome.vacuity;
    EXPECT_EQ(outcome.vacuity_undecided, "") << name << " " << specification.name;
    EXPECT_TRUE(outcome.unreached.empty()) << name << " " << specification.name;
  }
  return verdicts;
}

const std::map<std::string, Verdicts> kExpected = {
    {"ben-or",
     {{"validity0", "holds"},
      {"validity1", "holds"},
      {"agreement0", "holds"},
      {"agreement1", "holds"},
      {"round_termination", "holds"}}},
    {"bv-broadcast",
     {{"obligation0", "holds"},
      {"obligation1", "holds"},
      {"justification0", "holds"},
      {"justification1", "holds"},
      {"uniformity0", "holds"},
      {"uniformity1", "holds"},
      {"termination", "holds"}}},
    {"bv-broadcast-broken",
     {{"obligation0", "holds"},
      {"obligation1", "holds"},
      {"justification0", "violated"},
      {"justification1", "violated"},
      {"uniformity0", "holds"},
      {"uniformity1", "holds"},
      {"termination", "holds"}}},
    {"dbft",
     {{"validity0", "holds"},
      {"validity1", "holds"},
      {"agreement0", "holds"},
      {"agreement1", "holds"},
      {"round1_termination", "holds"},
      {"round_termination", "holds"}}},
    {"dbft-broken",
     {{"validity0", "holds"},
      {"validity1", "holds"},
      {"agreement0", "holds"},
      {"agreement1", "holds"},
      {"round1_termination", "holds"},
      {"round_termination", "violated"}}},
    {"dbft-as-printed",
     {{"validity0", "holds"},
      {"validity1", "holds"},
      {"agreement0", "holds"},
      {"agreement1", "holds"},
      {"round1_termination", "violated"},
      {"round_termination", "violated"},
      {"second_fault", "violated"}}},
    {"reliable-broadcast", {{"unforgeability", "holds"}, {"correctness", "holds"}, {"relay", "holds"}}},
    {"reliable-broadcast-broken", {{"unforgeability", "holds"}, {"correctness", "violated"}, {"relay", "violated"}}},
    {"one-step",
     {{"agreement", "holds"},
      {"handover0", "holds"},
      {"handover1", "holds"},
      {"one_step0", "holds"},
      {"one_step1", "holds"},
      {"termination", "holds"}}},
    {"one-step-broken",
     {{"agreement", "holds"},
      {"handover0", "violated"},
      {"handover1", "violated"},
      {"one_step0", "holds"},
      {"one_step1", "holds"},
      {"termination", "holds"}}},
};

TEST(Models, EveryVerdictIsAsDocumented) {
  for (const auto& [name, expected] : kExpected) EXPECT_EQ(verdicts_of(name, smt::Backend::z3), expected) << name;
}

TEST(Models, TheSecondSolverAgrees) {
  for (const char* name : {"bv-broadcast", "dbft", "reliable-broadcast-broken"}) {
    EXPECT_EQ(verdicts_of(name, smt::Backend::both), kExpected.at(name)) << name;
  }
}

TEST(Models, NoneIsForgotten) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(NIKA_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".ta") continue;
    EXPECT_EQ(kExpected.count(entry.path().stem().string()), 1U) << entry.path();
  }
}

}  // namespace
}  // namespace nika::automata
