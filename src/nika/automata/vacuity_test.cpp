#include "nika/automata/vacuity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/symmetric_outcome.hpp"

namespace nika::automata {
namespace {

// Nobody can get to "late", which wants more votes than there are, nor to "lost", to which no rule leads.
std::string text_with(const std::string& property) {
  return fmt::format(
      "skel P {{ shared x; parameters n, t; assumptions {{ n > 2 * t; t >= 1; }}\n"
      "locations {{ a; b; done; late; lost; }} inits {{ a == n; b == 0; done == 0; late == 0; lost == 0; x == 0; }}\n"
      "rules {{ 1: a -> b when (true) do {{ x' == x + 1; }}; 2: b -> done when (x >= n - t) do {{}};\n"
      "3: b -> late when (x >= n + 1) do {{}}; 4: lost -> late when (true) do {{}}; }}\n"
      "specifications {{ p: {}; }} }}",
      property);
}

Outcome judged(const std::string& text) {
  const Result<Automaton> automaton = parse_automaton({"test", text});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return judge_property(prepare(*automaton, {}), *automaton->specifications.front().formula, {});
}

std::string vacuity_of_property(const std::string& property) {
  const Outcome outcome = judged(text_with(property));
  EXPECT_EQ(outcome.verdict, Verdict::holds) << property;
  EXPECT_EQ(outcome.vacuity_undecided, "") << property;
  return outcome.vacuity;
}

TEST(Vacuity, APremiseThatIsNeverMetIsTold) {
  EXPECT_EQ(vacuity_of_property("[](x > n -> a == 0)"), "its premise never holds: x > n");
  EXPECT_EQ(vacuity_of_property("t == 0 -> [](done == 0)"), "its premise never holds: t == 0");
  EXPECT_EQ(vacuity_of_property("[](x > n -> <>(done != 0))"), "its premise never holds: x > n");
  EXPECT_EQ(vacuity_of_property("<>[](a == 0 && x < n) -> <>(done != 0)"),
            "its premise never holds: <>([](a == 0 && x < n))");
  EXPECT_EQ(vacuity_of_property("[](done == 0 || x >= n - t) && [](x > n -> a == 0)"),
            "its premise never holds: x > n");
}

TEST(Vacuity, ANegationBesideOrIsAPremise) {
  EXPECT_EQ(vacuity_of_property("[](!(x > n) || a == 0)"), "its premise never holds: x > n");
  EXPECT_EQ(vacuity_of_property("[](!(done != 0) || x >= n - t)"), "");
}

TEST(Vacuity, AConclusionThatNeverMattersIsTold) {
  EXPECT_EQ(vacuity_of_property("n > 3 -> [](x > n -> a == 0)"),
            "what it concludes from this premise does not matter: x > n");
  EXPECT_EQ(vacuity_of_property("<>(done != 0 -> x > n)"),
            "what it concludes from this premise does not matter: done != 0");
}

TEST(Vacuity, APremiseThatIsMetIsNoVacuity) {
  EXPECT_EQ(vacuity_of_property("[](done != 0 -> x >= n - t)"), "");
  EXPECT_EQ(vacuity_of_property("<>[](a == 0 && (b == 0 || x < n - t)) -> <>(done != 0)"), "");
  EXPECT_EQ(vacuity_of_property("!(x > n -> a == 0) || [](x <= n)"), "");
}

TEST(Vacuity, ALocationThatNoRunReachesIsToldWhereItSettlesTheMatter) {
  EXPECT_EQ(vacuity_of_property("[](late == 0 || done == 0)"), "it names 'late', which no run reaches");
  EXPECT_EQ(vacuity_of_property("a == n -> [](late == 0)"), "it names 'late', which no run reaches");
  EXPECT_EQ(vacuity_of_property("<>(late != 0) -> a == n"), "its premise never holds: <>(late != 0)");
}

TEST(Vacuity, ThatALocationIsNeverReachedMayBeTheClaim) {
  EXPECT_EQ(vacuity_of_property("[](late == 0)"), "");
  EXPECT_EQ(vacuity_of_property("[](late == 0 && x <= n)"), "");
}

TEST(Vacuity, ALocationWithoutAWayToItProvesNothing) {
  EXPECT_EQ(vacuity_of_property("[](lost == 0)"), "it names 'lost', to which no rule leads");
  EXPECT_EQ(vacuity_of_property("[](lost == 0 || done == 0)"), "it names 'lost', to which no rule leads");
}

TEST(Vacuity, AnUnreachedLocationBesideOthersIsNamedAndNoMore) {
  const Outcome outcome = judged(text_with("[](done + lost == 0 || x >= n - t)"));
  EXPECT_EQ(outcome.vacuity, "");
  ASSERT_EQ(outcome.unreached.size(), 1U);
  EXPECT_EQ(outcome.unreached.front(), 7U);
}

TEST(Vacuity, AssumptionsThatContradictEachOtherAreTold) {
  const std::string rest = "locations { a; } inits { a == n; a >= 1; } rules { } specifications { p: [](a >= 7); } }";
  EXPECT_EQ(judged("skel P { parameters n; assumptions { n > 3; n < 3; } " + rest).vacuity,
            "no parameters satisfy the assumptions");
  EXPECT_EQ(judged("skel P { parameters n; assumptions { n < 1; } " + rest).vacuity,
            "nothing satisfies the assumptions and inits with at least one process");
  EXPECT_EQ(judged("skel P { parameters n; assumptions { n < 1; } " + rest).queries, 0U);
}

Outcome judged_with_reset(const std::string& property) {
  return judged(
      "skel P { shared x; parameters n; locations { a; b; } inits { a == n; b == 0; x == 1; }\n"
      "rules { 1: a -> a when (true) do { x' == 0; }; 2: a -> b when (x >= 2) do {}; }\n"
      "specifications { p: " +
      property + "; } }");
}

TEST(Vacuity, OutsideTheFragmentItMayStayUndecided) {
  const Outcome outcome = judged_with_reset("[]<>(x >= 2) -> <>(a <= n)");
  EXPECT_EQ(outcome.verdict, Verdict::holds);
  EXPECT_EQ(outcome.vacuity, "");
  EXPECT_NE(outcome.vacuity_undecided.find("outside the fragment"), std::string::npos) << outcome.vacuity_undecided;
}

TEST(Vacuity, OutsideTheFragmentPremisesOfSafetyAreDecided) {
  const Outcome outcome = judged_with_reset("[](b != 0 -> a <= n)");
  EXPECT_EQ(outcome.verdict, Verdict::holds);
  EXPECT_EQ(outcome.vacuity, "its premise never holds: b != 0");
  EXPECT_EQ(outcome.vacuity_undecided, "");
}

TEST(Vacuity, ASymmetryTakesItOver) {
  const Result<Automaton> automaton = parse_automaton(
      {"test",
       "skel P { shared x, y; parameters n; locations { a; b; c; d; }\n"
       "inits { a == n; b == n; c == 0; d == 0; x == 0; y == 0; }\n"
       "rules { 1: a -> c when (x >= 1) do {}; 2: b -> d when (y >= 1) do {}; }\n"
       "specifications { p: [](c != 0 -> a == 0); q: [](d != 0 -> b == 0); r: [](d == 0 || b == 0); } }"});
  ASSERT_TRUE(automaton) << automaton.error().message;
  const auto images = find_images(*automaton);
  ASSERT_TRUE(images[1] && images[2]);
  const Outcome of = judge_property(prepare(*automaton, {}), *automaton->specifications[0].formula, {});
  EXPECT_EQ(of.vacuity, "its premise never holds: c != 0");
  EXPECT_EQ(outcome_by_symmetry(*automaton, 1, *images[1], of)->vacuity, "as of p: its premise never holds: c != 0");
  // The same formula without the arrow has no premise to be told of.
  EXPECT_FALSE(outcome_by_symmetry(*automaton, 2, *images[2], of));
}

TEST(Vacuity, PremisesAreThoseThatCountTowardsTheProperty) {
  const Result<Automaton> automaton =
      parse_automaton({"test", text_with("(a == 0 -> b == 0) -> [](x >= 1 -> (b == 0 -> <>(done != 0)))")});
  ASSERT_TRUE(automaton);
  std::vector<std::string> found;
  for (const Premise& premise : premises_of(*automaton->specifications.front().formula)) {
    found.push_back(printed(*automaton, *premise.condition));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"a == 0 -> b == 0", "x >= 1", "b == 0"}));
}

}  // namespace
}  // namespace nika::automata
