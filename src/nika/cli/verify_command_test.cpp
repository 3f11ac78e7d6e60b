#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "nika/cli/run.hpp"

namespace nika::cli {
namespace {

constexpr const char* kModel = R"(
skel P { shared x; parameters n, t; assumptions { n > 2 * t; t >= 1; } locations { a; b; c; }
  inits { a == n; b == 0; c == 0; x == 0; }
  rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= n - t) do {}; }
  specifications { safe: [](c == 0 || x >= n - t); never: [](c == 0); } })";

// Everything comes in two kinds that behave alike.
constexpr const char* kTwoKinds = R"(
skel P { shared x0, x1; parameters n, t; assumptions { n > 2 * t; t >= 1; } locations { a; b0; b1; c0; c1; }
  inits { a == n; b0 == 0; b1 == 0; c0 == 0; c1 == 0; x0 == 0; x1 == 0; }
  rules {
% for v in [0, 1]:
    1: a -> b${v} when (true) do { x${v}' == x${v} + 1; };
    2: b${v} -> c${v} when (x${v} >= n - t) do {};
% endfor
  }
  specifications {
% for v in [0, 1]:
    safe${v}: [](c${v} == 0 || x${v} >= n - t);
    never${v}: [](c${v} == 0);
% endfor
    one: [](c0 == 0 || c1 == 0); } })";

struct CommandRun {
  int exit_code = 0;
  std::string output, errors;
};

class VerifyCommand : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::temp_directory_path() / (std::string("nika_verify_") + info->name() + ".ta");
    std::ofstream(path) << text;
    return path.string();
  }

  static CommandRun run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"nika", "verify"});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    CommandRun result;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    result.exit_code = cli::run(static_cast<int>(argv.size()), argv.data(), Registry());
    result.output = testing::internal::GetCapturedStdout();
    result.errors = testing::internal::GetCapturedStderr();
    return result;
  }
};

TEST_F(VerifyCommand, ExitCodeTellsTheWorstVerdict) {
  const std::string file = write(kModel);
  EXPECT_EQ(run({file, "--property", "safe"}).exit_code, 0);
  EXPECT_EQ(run({file, "--property", "never"}).exit_code, 1);
  EXPECT_EQ(run({file}).exit_code, 1);
  EXPECT_EQ(run({file, "--property", "safe", "--threads", "2", "--solver", "both"}).exit_code, 0);
}

TEST_F(VerifyCommand, JsonFollowsTheContract) {
  const CommandRun result = run({write(kModel), "--json", "--timeout", "60"});
  const auto report = nlohmann::json::parse(result.output);
  ASSERT_EQ(report["properties"].size(), 2U);
  EXPECT_EQ(report["properties"][0]["name"], "safe");
  EXPECT_EQ(report["properties"][0]["verdict"], "holds");
  EXPECT_TRUE(report["properties"][0]["seconds"].is_number());
  const auto counterexample = report["properties"][1]["counterexample"];
  EXPECT_EQ(counterexample["parameters"], nlohmann::json({{"n", 3}, {"t", 1}}));
  ASSERT_EQ(counterexample["steps"].size(), 2U);
  EXPECT_EQ(counterexample["steps"][0]["count"], 2);
  EXPECT_EQ(counterexample["steps"][0]["from"], "a");
  EXPECT_EQ(counterexample["steps"][1]["changed"], nlohmann::json({{"b", 1}, {"c", 1}}));
  EXPECT_TRUE(counterexample["loop"].is_array());
  EXPECT_EQ(report["command"], "verify");
  EXPECT_EQ(report["verdict"], "violated");
  EXPECT_EQ(report["properties"][1]["formula"], "[](c == 0)");
  EXPECT_EQ(counterexample["steps"][0]["unlocked"], nlohmann::json({"x >= n - t"}));
  EXPECT_EQ(counterexample["steps"][1]["rule_index"], 1);
  EXPECT_EQ(counterexample["steps"][1]["line"], 4);
  EXPECT_EQ(counterexample["steps"][1]["guard"], "x >= n - t");
  EXPECT_FALSE(counterexample["steps"][1].contains("configuration"));
}

TEST_F(VerifyCommand, ConfigurationsAreToldOnRequest) {
  const std::string file = write(kModel);
  const auto report = nlohmann::json::parse(run({file, "--json", "--configurations"}).output);
  EXPECT_EQ(report["properties"][1]["counterexample"]["steps"][1]["configuration"],
            nlohmann::json({{"x", 2}, {"a", 1}, {"b", 1}, {"c", 1}}));
  const std::string text = run({file, "--configurations"}).output;
  EXPECT_NE(text.find("\nnever is violated: [](c == 0)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("rule 2: b → c                         x = 2, a = 1, b = 1, c = 1\n"), std::string::npos) << text;
}

TEST_F(VerifyCommand, ASymmetryAnswersForTheOtherProperty) {
  const std::string file = write(kTwoKinds);
  const CommandRun text = run({file});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_NE(text.output.find("        0  by symmetry with safe0\n"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("        0  by symmetry with never0\n"), std::string::npos) << text.output;
  const auto with = nlohmann::json::parse(run({file, "--json"}).output)["properties"];
  const auto without = nlohmann::json::parse(run({file, "--json", "--no-symmetry"}).output)["properties"];
  ASSERT_EQ(with.size(), 5U);
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i]["verdict"], without[i]["verdict"]);
    EXPECT_FALSE(without[i].contains("by_symmetry_with"));
    EXPECT_GT(without[i]["queries"], 0);
    EXPECT_EQ(with[i].contains("by_symmetry_with"), i == 2 || i == 3);
  }
  EXPECT_EQ(with[2]["by_symmetry_with"], "safe0");
  EXPECT_EQ(with[2]["queries"], 0);
  EXPECT_EQ(with[3]["by_symmetry_with"], "never0");
  EXPECT_EQ(with[1]["counterexample"]["steps"].back()["to"], "c0");
  EXPECT_EQ(with[3]["counterexample"]["steps"].back()["to"], "c1");
}

TEST_F(VerifyCommand, APropertyThatIsAskedForAloneIsDecidedByItself) {
  const std::string file = write(kTwoKinds);
  const auto alone = nlohmann::json::parse(run({file, "--json", "--property", "never1"}).output)["properties"];
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0]["verdict"], "violated");
  EXPECT_FALSE(alone[0].contains("by_symmetry_with"));
  const auto both = nlohmann::json::parse(run({file, "--json", "-p", "never1", "-p", "never0"}).output)["properties"];
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1]["by_symmetry_with"], "never0");
}

TEST_F(VerifyCommand, ThreadsChangeNothingButTheSeconds) {
  const std::string file = write(kTwoKinds);
  const auto answers = [&](const std::string& threads) {
    auto report = nlohmann::json::parse(run({file, "--json", "--threads", threads}).output);
    for (auto& property : report["properties"]) property.erase("seconds");
    return report["properties"];
  };
  const auto expected = answers("1");
  for (const char* threads : {"2", "3", "8"}) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(answers(threads), expected);
  }
}

TEST_F(VerifyCommand, WhatWaitsForAnotherPropertyIsUnknownWhenTheTimeIsOver) {
  const CommandRun result = run({write(kTwoKinds), "--json", "--timeout", "0.000001"});
  EXPECT_EQ(result.exit_code, 3);
  const auto report = nlohmann::json::parse(result.output);
  ASSERT_FALSE(report["properties"].empty());
  for (const auto& property : report["properties"]) {
    EXPECT_EQ(property["verdict"], "unknown");
    EXPECT_EQ(property["reason"], "out of time");
  }
}

// Outside the fragment nothing is found for the first of the two; the second is tried all the same.
TEST_F(VerifyCommand, TheImageOfAnUnknownIsDecidedByItself) {
  const std::string file = write(
      "skel P { shared x, y; parameters n; locations { a; b; } inits { a == n; b == n; x == 1; y == 1; }\n"
      "rules { 1: a -> a when (true) do { x' == 0; }; 2: b -> b when (true) do { y' == 0; }; }\n"
      "specifications { p: <>[](x <= 1); q: <>[](y <= 1); } }");
  const auto properties = nlohmann::json::parse(run({file, "--json"}).output)["properties"];
  EXPECT_EQ(properties[1]["verdict"], "unknown");
  EXPECT_EQ(properties[1]["queries"], 1);
  EXPECT_FALSE(properties[1].contains("by_symmetry_with"));
}

TEST_F(VerifyCommand, WhatCannotBeDecidedIsUnknownWithAReason) {
  const std::string file = write(
      "skel P { shared x; parameters n; locations { a; } inits { a == n; x == 1; }\n"
      "rules { 1: a -> a when (true) do { x' == 0; }; } specifications { p: <>[](x <= 1); } }");
  const CommandRun result = run({file, "--json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(nlohmann::json::parse(result.output)["properties"][0]["reason"],
            "outside the fragment: rule 1 does not only add to 'x'; nothing was found with parameters up to 5");
}

TEST_F(VerifyCommand, WhatHoldsOfNothingIsNoSuccess) {
  const std::string file = write(
      "skel P { shared x; parameters n; assumptions { n >= 1; } locations { a; b; } inits { a == n; b == 0; x == 0; }\n"
      "rules { 1: a -> b when (x >= 1) do {}; } specifications { p: [](b != 0 -> a == 0); q: [](b == 0); } }");
  const CommandRun text = run({file});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.output.find("\np         vacuous "), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("  its premise never holds: b != 0\n"), std::string::npos) << text.output;
  const auto properties = nlohmann::json::parse(run({file, "--json"}).output)["properties"];
  EXPECT_EQ(properties[0]["verdict"], "vacuous");
  EXPECT_EQ(properties[0]["vacuity"], "its premise never holds: b != 0");
  EXPECT_EQ(properties[1]["verdict"], "holds");
  EXPECT_FALSE(properties[1].contains("vacuity"));
  EXPECT_EQ(run({file, "-p", "q"}).exit_code, 0);
}

TEST_F(VerifyCommand, ContradictoryAssumptionsAreNoSuccess) {
  const std::string file = write(
      "skel P { parameters n; assumptions { n > 3; n < 3; } locations { a; } inits { a == n; }\n"
      "rules { } specifications { p: [](a == 0); } }");
  const CommandRun result = run({file, "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const auto property = nlohmann::json::parse(result.output)["properties"][0];
  EXPECT_EQ(property["verdict"], "vacuous");
  EXPECT_EQ(property["vacuity"], "no parameters satisfy the assumptions");
  EXPECT_EQ(property["queries"], 0);
}

// Seven processes are wanted, more than the search tries by itself.
TEST_F(VerifyCommand, WithATimeLimitTheSearchDeepensUntilThen) {
  const std::string file = write(
      "skel P { shared x; parameters n; locations { a; b; c; } inits { a == n; b == 0; c == 0; x == 0; }\n"
      "rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (true) do { x' == 0; }; }\n"
      "specifications { p: <>(x > 6) -> <>(c > n); } }");
  EXPECT_EQ(run({file}).exit_code, 3);
  const CommandRun found = run({file, "--json", "--timeout", "600"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(found.output)["properties"][0]["counterexample"]["parameters"]["n"], 7);
}

TEST_F(VerifyCommand, VerdictsAreToldInTheOrderInWhichTheyCome) {
  const std::string output = run({write(kTwoKinds)}).output;
  std::size_t last = 0;
  for (const char* name : {"\nsafe0 ", "\nsafe1 ", "\nnever0 ", "\nnever1 ", "\none "}) {
    const std::size_t at = output.find(name);
    ASSERT_NE(at, std::string::npos) << output;
    EXPECT_GT(at, last) << name << output;
    last = at;
  }
}

TEST_F(VerifyCommand, ATimeoutThatIsOverIsUnknown) {
  const CommandRun result = run({write(kModel), "--timeout", "0.000001"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.output.find("out of time"), std::string::npos);
}

TEST_F(VerifyCommand, BadInputIsOneClearMessageAndCodeTwo) {
  const std::string file = write("skel P { shared x y; }");
  const CommandRun result = run({file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "nika: " + file + ":1:19: read 'y', expected ';'\n");
  EXPECT_EQ(run({"no-such-file.ta"}).exit_code, 2);
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({file, "--solver", "mathsat"}).exit_code, 2);
}

TEST_F(VerifyCommand, ATimeoutMeansWhatItSaysOrIsRefused) {
  const std::string file = write(kModel);
  for (const char* timeout : {"nan", "-nan", "inf", "-1", "0", "1e-9", "1e400", "ten", "5s"}) {
    const CommandRun result = run({file, "--timeout", timeout});
    EXPECT_EQ(result.exit_code, 2) << timeout;
    EXPECT_EQ(result.errors, std::string("nika: read --timeout \"") + timeout +
                                 "\", expected a number from 1e-06 to 1e+300; see nika verify --help\n");
  }
  // What is longer than a century is no limit.
  for (const char* timeout : {"60", "3150000000", "1e10", "1e30", "1e300"}) {
    EXPECT_EQ(run({file, "--property", "safe", "--timeout", timeout}).exit_code, 0) << timeout;
  }
}

TEST_F(VerifyCommand, WhatIsNoModelIsReadInPartAndRefusedInOneLine) {
  EXPECT_EQ(run({"/dev/zero"}).errors, "nika: /dev/zero: is too large, expected at most 16 MiB\n");
  EXPECT_EQ(run({"/"}).errors, "nika: /: cannot be read: Is a directory\n");
  EXPECT_EQ(run({"missing.ta"}).errors, "nika: missing.ta: cannot be opened: No such file or directory\n");
  for (const std::string& text : {"skel P " + std::string(5'000'000, 'y'), std::string("skel \x1b[2J\x07 { }"),
                                  "skel P { local " + std::string(100'000, ';') + " }"}) {
    const CommandRun result = run({write(text)});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_LT(result.errors.size(), 250U);
    EXPECT_EQ(result.errors.find_first_of("\x1b\x07"), std::string::npos);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
  }
}

// Both would keep the program busy, or without a stack, before any budget is looked at.
TEST_F(VerifyCommand, MacrosOfMacrosAreBounded) {
  for (const auto& [step, count] : {std::pair("d{0} && d{0}", 60), std::pair("!d{0}", 100'000)}) {
    std::string text = "skel P { shared x; parameters n; define d0 == x >= 1;\n";
    for (int i = 1; i < count; ++i) {
      text += fmt::format("define d{} == {};\n", i, fmt::format(fmt::runtime(step), i - 1));
    }
    const CommandRun result = run({write(text + "locations { a; } inits { a == n; x == 0; } }")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find("read a formula that its macros make huge, expected at most 1000000 parts, 4000 deep"),
              std::string::npos)
        << result.errors;
  }
}

TEST_F(VerifyCommand, RepetitionsOfWhatIsLeftOutAreBounded) {
  const CommandRun result = run({write("% for i in range(10000):\n% if 0 == 1:\n" + std::string(1'000'000, '\n') +
                                       "% endif\n% endfor\nskel P { locations { a; } }")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("expected fewer or shorter repetitions"), std::string::npos) << result.errors;
}

TEST_F(VerifyCommand, AFileMayFollowAProperty) { EXPECT_EQ(run({"--property", "safe", write(kModel)}).exit_code, 0); }

TEST_F(VerifyCommand, AnUnknownPropertyNamesTheKnownOnes) {
  const std::string file = write(kModel);
  const CommandRun result = run({file, "--property", "sfae"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "nika: " + file + ": no property 'sfae', expected one of: safe, never\n");
}

TEST_F(VerifyCommand, WithoutSpecificationsItIsPrintedAndDrawn) {
  const std::string file =
      write("skel P { parameters n; locations { a; b; } inits { a == n; } rules { 1: a -> b when (true) do {}; } }");
  EXPECT_EQ(run({file, "--print"}).exit_code, 0);
  EXPECT_EQ(run({file, "--dot"}).exit_code, 0);
  EXPECT_EQ(run({file}).errors, "nika: " + file + ": has no specifications, expected at least one\n");
}

TEST_F(VerifyCommand, PrintAndDotDecideNothing) {
  const std::string file = write(kModel);
  const CommandRun printed = run({file, "--print"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_NE(printed.output.find("never: [](c == 0);"), std::string::npos);
  EXPECT_NE(run({file, "--dot"}).output.find("a -> b [label=\"1: true\\nx := x + 1\""), std::string::npos);
}

}  // namespace
}  // namespace nika::cli
