#include "tidy/rules.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

namespace nika::tidy {
namespace {

constexpr std::string_view kCleanHeader =
    "// What it is.\n"
    "#pragma once\n"
    "\n"
    "#include \"nika/base/ids.hpp\"\n"
    "\n"
    "namespace nika {\n"
    "\n"
    "struct Implication {\n"
    "  int cost() const { return 1; }  // \"…\" and 'TODOs' are fine\n"
    "};\n"
    "\n"
    "}  // namespace nika\n";

Violations check(std::string path, std::string_view text) { return check_file(parse_source(std::move(path), text)); }

std::string repeated(std::string_view line, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line;
  return text;
}

TEST(Rules, ACleanHeaderPasses) { EXPECT_EQ(check("src/nika/model/a.hpp", kCleanHeader), Violations{}); }

TEST(Rules, TabsAndTrailingSpacesAreCaught) {
  EXPECT_EQ(check("a.cpp", "int a;\n\tint b;\n"), (Violations{{"a.cpp", 2, "a tab; indent with spaces"}}));
  EXPECT_EQ(check("a.cpp", "int a; \n"), (Violations{{"a.cpp", 1, "space at the end of the line"}}));
  EXPECT_EQ(check("a.cpp", "int a;\r\n"), (Violations{{"a.cpp", 1, "space at the end of the line"}}));
}

TEST(Rules, LongLinesAreCaughtByCharactersNotBytes) {
  EXPECT_EQ(check("a.cpp", "//" + repeated("…", 118)), Violations{});
  EXPECT_EQ(check("a.cpp", "//" + repeated("…", 119)), (Violations{{"a.cpp", 1, "121 columns; at most 120"}}));
}

TEST(Rules, LongFilesAreCaught) {
  EXPECT_EQ(check("a.cpp", repeated("int a;\n", 499)), Violations{});
  EXPECT_EQ(check("a.cpp", repeated("int a;\n", 500)),
            (Violations{{"a.cpp", 500, "500 lines; a file stays under 500"}}));
}

TEST(Rules, LongFunctionsAreCaught) {
  EXPECT_EQ(check("a.cpp", "void f() {\n" + repeated("  g();\n", 58) + "}\n"), Violations{});
  EXPECT_EQ(check("a.cpp", "\nvoid f() {\n" + repeated("  g();\n", 59) + "}\n"),
            (Violations{{"a.cpp", 2, "a function of 61 lines; at most 60"}}));
  EXPECT_EQ(check("a.cpp", "class A {\n  void f() {\n" + repeated("    g();\n", 70) + "  }\n};\n"),
            (Violations{{"a.cpp", 2, "a function of 72 lines; at most 60"}}));
}

TEST(Rules, HeadersWithoutTheirOpeningAreCaught) {
  EXPECT_EQ(check("a.hpp", "#pragma once\n"),
            (Violations{{"a.hpp", 1, "a header opens with 1 to 5 lines of comment, not 0"}}));
  EXPECT_EQ(check("a.hpp", repeated("// x\n", 6) + "#pragma once\n"),
            (Violations{{"a.hpp", 1, "a header opens with 1 to 5 lines of comment, not 6"}}));
  EXPECT_EQ(check("a.hpp", "// x\n\n#include <array>\n"),
            (Violations{{"a.hpp", 2, "#pragma once must follow the header's opening comment"}}));
}

TEST(Rules, EmptyWordsInTypeNamesAreCaught) {
  for (const std::string_view declaration :
       {"class RunManager {};", "struct Helpers {};", "enum class Util {};", "using ClockImpl = int;",
        "template <class Impl> void f();", "concept ImplLike = true;", "union ManagerState {};"}) {
    const auto found = check("a.cpp", declaration);
    ASSERT_EQ(found.size(), 1U) << declaration;
    EXPECT_NE(found[0].what.find("says nothing"), std::string::npos) << declaration;
  }
  EXPECT_EQ(check("a.cpp", "struct Implies {};\nstruct Utilization {};\nint RunManager;\n"), Violations{});
}

TEST(Rules, ThreadsLocksAndClocksBelongToCampaign) {
  for (const char* word : {"std::thread", "std::jthread", "std::mutex", "std::condition_variable", "std::async",
                           "std::lock_guard", "std::scoped_lock"}) {
    const std::string line = std::string(word) + " x;\n";
    for (const char* folder : {"base", "model", "sim", "store", "report", "automata", "smt", "cli"}) {
      const std::string path = std::string("src/nika/") + folder + "/a.cpp";
      EXPECT_EQ(check_file(parse_source(path, line)),
                (Violations{{path, 1,
                             std::string(word) + " in " + folder + ": threads, locks and clocks belong to campaign"}}));
    }
    for (const char* path : {"src/nika/campaign/a.cpp", "src/nika/explore/a.cpp", "src/nika/base/threads.cpp",
                             "src/nika/cli/verify_workers.cpp", "src/nika/sim/a_test.cpp", "bench/a.cpp"}) {
      EXPECT_EQ(check_file(parse_source(path, line)), Violations{}) << path;
    }
  }
  EXPECT_EQ(check_file(parse_source("src/nika/report/a.cpp", "std::chrono::steady_clock::now();\n")).size(), 1U);
  EXPECT_EQ(check_file(parse_source("src/nika/cli/a.cpp", "std::thread::hardware_concurrency();\n")), Violations{});
}

TEST(Rules, NondeterminismIsCaughtFromBaseToExploreOnly) {
  for (const std::string_view word :
       {"random_device", "system_clock", "steady_clock", "high_resolution_clock", "thread_local"}) {
    const std::string code = fmt::format("int a; std::{} b;\n", word);
    for (const std::string_view folder : {"base", "model", "protocols", "scenarios", "sim", "properties", "explore"}) {
      const std::string path = fmt::format("src/nika/{}/a.cpp", folder);
      EXPECT_EQ(check(path, code), (Violations{{path, 1, fmt::format("{} in {}: runs must repeat", word, folder)}}));
    }
    EXPECT_EQ(check("src/nika/campaign/a.cpp", code), Violations{});
    EXPECT_EQ(check("src/nika/base/a.cpp", fmt::format("// No {} here.\n", word)), Violations{});
  }
}

TEST(Rules, PostponedWorkIsCaughtInComments) {
  EXPECT_EQ(check("a.cpp", "int a;  // TODO: b\n"), (Violations{{"a.cpp", 1, "TODO: do it, or file an issue"}}));
  EXPECT_EQ(check("a.cpp", "/* b\n FIXME */\n"), (Violations{{"a.cpp", 2, "FIXME: do it, or file an issue"}}));
}

TEST(Rules, ForbiddenIncludesAreReportedWithTheRest) {
  EXPECT_EQ(check("src/nika/base/a.cpp", "#include \"nika/cli/a.hpp\"\n\tint a;\n"),
            (Violations{{"src/nika/base/a.cpp", 1, "base may not include cli"},
                        {"src/nika/base/a.cpp", 2, "a tab; indent with spaces"}}));
}

}  // namespace
}  // namespace nika::tidy
