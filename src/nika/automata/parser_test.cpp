#include "nika/automata/parser.hpp"

#include <gtest/gtest.h>

#include "nika/automata/printer.hpp"

namespace nika::automata {
namespace {

std::string with_sections(const std::string& rules, const std::string& specifications) {
  return "skel Proc {\n  local pc;\n  shared x, y;\n  parameters N, T;\n  define MOST == N - T;\n"
         "  assumptions (1) { N > 2 * T; }\n  locations (0) { a: [0]; b: [1]; }\n"
         "  inits (0) { a == N; b == 0; x == 0; y == 0; }\n  rules (0) {\n" +
         rules + "\n  }\n  specifications (0) {\n" + specifications + "\n  }\n}\n";
}

Automaton parsed(const std::string& text) {
  Result<Automaton> result = parse_automaton({"t.ta", text});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Automaton{};
}

std::string error_of(const std::string& text) {
  const Result<Automaton> result = parse_automaton({"t.ta", text});
  return result ? "no error" : result.error().message;
}

std::string formula_of(const std::string& formula) {
  const Automaton automaton = parsed(with_sections("", "p: " + formula + ";"));
  return automaton.specifications.empty() ? "" : printed(automaton, *automaton.specifications.front().formula);
}

TEST(Parser, ImplicationBindsWeakestAndGroupsToTheLeft) {
  EXPECT_EQ(formula_of("a == 0 -> b == 0 -> x == 0"), "(a == 0 -> b == 0) -> x == 0");
  EXPECT_EQ(formula_of("a == 0 || b == 0 && x == 0 -> y == 0"), "(a == 0 || (b == 0 && x == 0)) -> y == 0");
}

TEST(Parser, TemporalOperatorsTakeTheNextComparison) {
  EXPECT_EQ(formula_of("[]a == 0"), "[](a == 0)");
  EXPECT_EQ(formula_of("<>[](a == 0) && b == 0 -> !a == 1"), "(<>([](a == 0)) && b == 0) -> !(a == 1)");
}

TEST(Parser, MacrosAndArithmeticAreExpanded) {
  EXPECT_EQ(formula_of("2 * (x + y) >= MOST + 1"), "2 * x + 2 * y >= N - T + 1");
  EXPECT_EQ(formula_of("x * 2 - -1 != (a)"), "2 * x + 1 != a");
}

TEST(Parser, RulesMayRepeatTheirNumberAndUseEverySpelling) {
  const Automaton automaton =
      parsed(with_sections("1: a -> b when (1) do { x' == x + 1; unchanged(y); };\n"
                           "1: a -> b when (x >= MOST) do { x' = x; y' := y + 2 };\n"
                           "7: b -> b when (true) do {};",
                           "p: [](a >= 0);"));
  ASSERT_EQ(automaton.rules.size(), 3U);
  EXPECT_EQ(automaton.rules[0].updates.size(), 1U);
  EXPECT_EQ(automaton.rules[1].updates.size(), 1U);
  EXPECT_EQ(automaton.rules[2].updates.size(), 0U);
}

TEST(Parser, AVariableMayBeUnchangedTwice) {
  const Automaton automaton =
      parsed(with_sections("1: a -> b when (true) do { unchanged(x, y, x); };", "p: [](a >= 0);"));
  EXPECT_TRUE(automaton.rules.front().updates.empty());
}

TEST(Parser, NothingIsPutIntoComments) {
  const Automaton automaton =
      parsed(with_sections("/* ${none} // */ 1: a -> b when (true) do {}; // ${ /* ${x\n"
                           "/*/ ${none}\n ${none} */ 2: a -> b when (true) do {};\n"
                           "% for v in [3]:\n /**/ ${v}: a -> b when (true) do {};\n% endfor",
                           "p: [](a >= 0);"));
  ASSERT_EQ(automaton.rules.size(), 3U);
  EXPECT_EQ(automaton.rules.back().id, "3");
}

TEST(Parser, PropertiesHaveNamesOfTheirOwn) {
  EXPECT_EQ(error_of(with_sections("", "p: [](a >= 0); q: [](b >= 0); p: [](x >= 0);")),
            "t.ta:13:31: read 'p' a second time, expected a new name");
}

TEST(Parser, ReadsTheSpellingsOfTaco) {
  const Automaton automaton = parsed(
      "threshAuto P { // a comment to the end of the line\n shared x; parameters N; assume (1) { N > 1 }\n"
      "locations { a:[0]; b:[1]; } inits { a == N; b == 0; x == 0; } rules { 0: a -> b when (true) do { x' == x + 1; } "
      "; }\n"
      "spec (1) { p: [](b >= 0) } }");
  EXPECT_EQ(automaton.assumptions.size(), 1U);
  EXPECT_EQ(automaton.specifications.size(), 1U);
}

TEST(Parser, DivisionByANumberIsExact) {
  EXPECT_EQ(formula_of("x >= (N + T) / 2"), "2 * x >= N + T");
  EXPECT_EQ(formula_of("x / 2 + y / 3 > N - 1"), "3 * x + 2 * y > 6 * N - 6");
  EXPECT_EQ(formula_of("2 * x / 2 == 4 / 2"), "x == 2");
}

TEST(Parser, ReadsFilesWithByteOrderMarkAndForeignLineEnds) {
  EXPECT_EQ(parsed("\xef\xbb\xbfta P {\r\n locations (1) {\r\n a : [ 0 ] ;\r\n };\r\n}\r\n").locations.size(), 1U);
}

TEST(Parser, TemplatesRepeatTheirLines) {
  const Automaton automaton =
      parsed(with_sections("% for v in [0, 1]:\n  ${v + 1}: a -> b when (x >= ${1 - v}) do {};\n% endfor\n"
                           "% for v in range(1, 4):\n%   for w in ['x', 'y']:\n"
                           "  9: a -> b when (${w} >= ${2 * v}) do {};\n%   endfor\n% endfor",
                           "p: [](a >= 0);"));
  ASSERT_EQ(automaton.rules.size(), 8U);
  EXPECT_EQ(automaton.rules[0].id, "1");
  EXPECT_EQ(printed(automaton, *automaton.rules[0].guard), "x >= 1");
  EXPECT_EQ(printed(automaton, *automaton.rules[7].guard), "y >= 6");
}

TEST(Parser, ControlLinesOfTemplatesMayBeContinued) {
  const Automaton automaton = parsed(
      with_sections("  % for v in [\"x\", \\\n             \"y\"]:\n  1: a -> b when (${v} >= 1) do {};\n  % endfor",
                    "p: [](a >= 0);"));
  ASSERT_EQ(automaton.rules.size(), 2U);
  EXPECT_EQ(printed(automaton, *automaton.rules[1].guard), "y >= 1");
}

// The numbers of the rules that are left of "1: …" to "9: …", each under its own condition.
std::string rules_if(const std::string& condition) {
  const Automaton automaton =
      parsed(with_sections("% for v in range(1, 10):\n% for w in ['x', 'y']:\n% if " + condition +
                               ":\n  ${v}: a -> b when (${w} >= 1) do {};\n" + "% endif\n% endfor\n% endfor",
                           "p: [](a >= 0);"));
  std::string ids;
  for (const Rule& rule : automaton.rules) ids += rule.id;
  return ids;
}

TEST(Parser, ConditionsOfTemplatesChooseLines) {
  EXPECT_EQ(rules_if("v == 3"), "33");
  EXPECT_EQ(rules_if("v != 3 and w == 'x'"), "12456789");
  EXPECT_EQ(rules_if("w == \"y\" and (v < 2 or v >= 8)"), "189");
  EXPECT_EQ(rules_if("v <= 1 or v > 8 and not w != 'x'"), "119");
  EXPECT_EQ(rules_if("not (v < 5 or w == 'x')"), "56789");
  EXPECT_EQ(rules_if("((v + 1) % 3 == 0 and (w == 'x'))"), "258");
  EXPECT_EQ(rules_if("v % 2 == 0 and \\\n w == 'x'"), "2468");
}

TEST(Parser, TheFirstBranchOfATemplateThatIsTrueIsTaken) {
  const Automaton automaton = parsed(with_sections(
      "% for v in range(1, 6):\n% if v < 2:\n  1${v}: a -> b when (true) do {};\n% elif v < 4:\n"
      "% if v == 3:\n  2${v}: a -> b when (true) do {};\n% else:\n% for w in [7, 8]:\n  3${w}: a -> b when (true) do "
      "{};\n% endfor\n% endif\n% elif v < 5:\n% else:\n  4${v}: a -> b when (true) do {};\n% endif\n% endfor",
      "p: [](a >= 0);"));
  std::string ids;
  for (const Rule& rule : automaton.rules) ids += rule.id + " ";
  EXPECT_EQ(ids, "11 37 38 23 45 ");
}

// What is not taken is not read either: its variables need not exist.
TEST(Parser, BranchesThatAreNotTakenAreSkipped) {
  const Automaton automaton =
      parsed(with_sections("% if 1 == 1:\n  1: a -> b when (true) do {};\n% elif none == 1:\n  ${none}\n"
                           "% for v in none:\n% if none:\n% endif\n% endfor\n% else:\n  ${none}\n% endif",
                           "p: [](a >= 0);"));
  EXPECT_EQ(automaton.rules.size(), 1U);
}

TEST(Parser, ErrorsInConditionsPointAtTheSource) {
  EXPECT_EQ(error_of("skel P {\n% if (1 < 2) and 3 + 4:\n% endif\n}"),
            "t.ta:2:23: read ':' in a template, expected '==', '!=', '<', '<=', '>' or '>='");
}

TEST(Parser, PrintingAndReadingAgainGivesTheSameText) {
  const Automaton automaton = parsed(with_sections("1: a -> b when (x >= 1 && (y < N || x == T)) do { x' == x + 1; };",
                                                   "p: <>[](a == 0) -> (b != 0 -> <>(x >= T + 1));"));
  const std::string once = printed(automaton);
  EXPECT_EQ(printed(parsed(once)), once);
}

TEST(Parser, ErrorsPointAtTheSource) {
  EXPECT_EQ(error_of("skel P {\n  local pc;\n  shared x,;\n}"), "t.ta:3:12: read ';', expected a variable name");
  EXPECT_EQ(error_of("automaton P {}"),
            "t.ta:1:1: read 'automaton', expected 'thresholdAutomaton', 'threshAuto', 'skel' or 'ta'");
  EXPECT_EQ(error_of(""),
            "t.ta:1:1: read the end of the file, expected 'thresholdAutomaton', 'threshAuto', 'skel' or 'ta'");
}

TEST(Parser, ErrorsInTemplatesPointAtTheLineBeforeExpansion) {
  const std::string message =
      error_of(with_sections("% for v in [0, 1]:\n  1: a -> c${v} when (true) do {};\n% endfor", "p: [](a >= 0);"));
  EXPECT_EQ(message, "t.ta:11:11: read 'c0', expected the location where the rule ends");
}

struct BadInput {
  const char* rules;
  const char* specifications;
  const char* message;  // without the place
};

class RejectedInput : public testing::TestWithParam<BadInput> {};

TEST_P(RejectedInput, SaysWhatWasReadAndWhatWasExpected) {
  const std::string message = error_of(with_sections(GetParam().rules, GetParam().specifications));
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Parser, RejectedInput,
    testing::Values(
        BadInput{"1: a -> b when (z >= 1) do {};", "",
                 "read 'z', expected a declared parameter, shared variable, location or macro"},
        BadInput{"1: a -> b when (x) do {};", "",
                 "read an arithmetic expression, expected a condition such as 'x >= 1'"},
        BadInput{"1: a -> b when (<>(x >= 1)) do {};", "", "read a temporal operator in a guard, expected none there"},
        BadInput{"1: a -> b when (x * y >= 1) do {};", "",
                 "read a product of two variables, expected a number times a variable"},
        BadInput{"1: a -> b when (true) do { N' == N + 1; };", "",
                 "read 'N', expected a shared variable, 'unchanged' or '}'"},
        BadInput{"1: a -> b when (true) do { x' == x; unchanged(x); };", "", "expected each variable once in a rule"},
        BadInput{"1: a -> x when (true) do {};", "", "read 'x', expected the location where the rule ends"},
        BadInput{"% for v in [0]:\n1: a -> b when (true) do {};", "", "read the end of the file, expected '% endfor'"},
        BadInput{"% while v:\n", "", "read '% while', expected '% for' or '% if'"},
        BadInput{"% endfor\n", "", "read '% endfor', expected a '% for' before it"},
        BadInput{"% else:\n", "", "read '% else', expected a '% if' before it"},
        BadInput{"% if 1 == 1:\n% endfor\n", "",
                 "read '% endfor', expected '% for', '% if', '% elif', '% else' or '% endif'"},
        BadInput{"% for v in [0]:\n% endif\n", "", "read '% endif', expected '% for', '% if' or '% endfor'"},
        BadInput{"% if 1 == 1:\n% else:\n% elif 1 == 2:\n% endif\n", "",
                 "read '% elif', expected '% for', '% if' or '% endif'"},
        BadInput{"% if 1 == 1:\n", "", "read the end of the file, expected '% endif'"},
        BadInput{"% if 1:\n% endif\n", "", "read ':' in a template, expected '==', '!=', '<', '<=', '>' or '>='"},
        BadInput{"% if 1 = 1:\n% endif\n", "", "read '=' in a template, expected '==', '!=', '<', '<=', '>' or '>='"},
        BadInput{"% if 1 == 1\n% endif\n", "", "read the end of the expression in a template, expected ':'"},
        BadInput{"% if (1 == 1 or 2 == 2:\n% endif\n", "", "read ':' in a template, expected ')'"},
        BadInput{"% if v == 1:\n% endif\n", "",
                 "read 'v' in a template, expected the variable of an enclosing '% for'"},
        BadInput{"% if 'x' < 1:\n% endif\n", "", "read the text 'x' in a template, expected an integer"},
        BadInput{"1: a -> b when (x >= ${v}) do {};", "",
                 "read 'v' in a template, expected the variable of an enclosing '% for'"},
        BadInput{"", "p: 0 < x < 2;", "read '<', expected a single comparison; join two with '&&'"},
        BadInput{"", "p: [](a == 0", "read '}', expected ')'"},
        BadInput{"", "p: a @ b;", "read '@', expected a name, a number or an operator"},
        BadInput{"", "p: x >= 99999999999;", "read a number above 1000000000, expected a smaller one"},
        BadInput{"/* never closed", "", "read '/*', expected a closing '*/'"}));

TEST(Parser, DeepNestingIsAnErrorAndNotACrash) {
  const auto repeated = [](const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  };
  EXPECT_NE(error_of(with_sections(repeated("% if 1 == 1:\n", 1'000), "")).find("expected less nesting"),
            std::string::npos);
  EXPECT_NE(error_of(with_sections("% if " + repeated("not ", 100'000) + "1 == 1:\n", "")).find("fewer nested parts"),
            std::string::npos);
  EXPECT_NE(error_of(with_sections("% if " + std::string(100'000, '(') + "1 == 1:\n", "")).find("fewer nested"),
            std::string::npos);
  EXPECT_NE(error_of(with_sections("", "p: " + std::string(100'000, '('))).find("at most 1500 nested parts"),
            std::string::npos);
  EXPECT_NE(error_of(with_sections("", "p: " + std::string(100'000, '!'))).find("at most 1500 nested parts"),
            std::string::npos);
}

TEST(Parser, AMissingFileIsNamed) {
  const Result<Automaton> result = read_automaton("no/such/file.ta");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no/such/file.ta: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace nika::automata
