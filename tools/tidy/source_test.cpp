#include "tidy/source.hpp"

#include <gtest/gtest.h>

namespace nika::tidy {
namespace {

using Lines = std::vector<std::string>;

TEST(Source, CodeAndCommentsArePartedInPlace) {
  const auto file = parse_source("a.cpp", "int a;  // why\n/* b\nc */ int d;\n");
  EXPECT_EQ(file.lines, (Lines{"int a;  // why", "/* b", "c */ int d;"}));
  EXPECT_EQ(file.code, (Lines{"int a;        ", "    ", "     int d;"}));
  EXPECT_EQ(file.comments, (Lines{"        // why", "/* b", "c */       "}));
}

TEST(Source, InsidesOfLiteralsAreNeitherCodeNorComment) {
  const auto file = parse_source("a.cpp", R"(f("a // {\"b", '{', '\'');)");
  EXPECT_EQ(file.code, (Lines{R"(f("         ", ' ', '  ');)"}));
  EXPECT_EQ(file.comments, (Lines{std::string(file.lines[0].size(), ' ')}));
}

TEST(Source, RawStringsEndAtTheirOwnDelimiter) {
  const auto file = parse_source("a.cpp", "auto s = R\"x(a)\" {\n)x\"; int b;\n");
  EXPECT_EQ(file.code, (Lines{"auto s =  \"       ", "  \"; int b;"}));
}

TEST(Source, DigitSeparatorsOpenNoLiteral) {
  const auto file = parse_source("a.cpp", "int a = 1'000'000; char b = u8'x';\n");
  EXPECT_EQ(file.code, (Lines{"int a = 1'000'000; char b = u8' ';"}));
}

TEST(Source, UnfinishedLiteralsAndCommentsEndWithTheText) {
  EXPECT_EQ(parse_source("a.cpp", "\"abc").code, (Lines{"\"   "}));
  EXPECT_EQ(parse_source("a.cpp", "\"abc\\").code, (Lines{"\"    "}));
  EXPECT_EQ(parse_source("a.cpp", "/* abc").comments, (Lines{"/* abc"}));
  EXPECT_EQ(parse_source("a.cpp", "R\"abc").lines, (Lines{"R\"abc"}));
  EXPECT_TRUE(parse_source("a.cpp", "").lines.empty());
}

TEST(Source, TheFolderIsTheFirstBelowSrcNika) {
  EXPECT_EQ(parse_source("src/nika/base/ids.hpp", "").folder(), "base");
  EXPECT_EQ(parse_source("src/nika/protocols/diembft/rules.cpp", "").folder(), "protocols");
  EXPECT_EQ(parse_source("src/nika/stray.cpp", "").folder(), "");
  EXPECT_EQ(parse_source("bench/base/ids.hpp", "").folder(), "");
}

}  // namespace
}  // namespace nika::tidy
