#include "nika/base/printable.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

TEST(PrintableJson, EscapesAsJsonDoes) {
  EXPECT_EQ(printable_json("{\n  \"note\": \"\x7f \xc2\x9b \xe2\x80\xae Δ\"\n}"),
            "{\n  \"note\": \"\\u007f \\u009b \\u202e Δ\"\n}");
  EXPECT_EQ(printable_json(""), "");
}

TEST(Printable, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"), "a\\x1b[31mb\\x07");
  EXPECT_EQ(printable("one\ntwo\r\tthree"), "one\\ntwo\\r\\tthree");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // the one-character form of ESC [
}

TEST(Printable, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(printable("Δ/2, f < n/3, ✓, 𝔹"), "Δ/2, f < n/3, ✓, 𝔹");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, WhatIsNoUtf8IsSpelledOutByteByByte) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut off
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, MarksThatTurnTextAroundAreSpelledOut) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789", 9), "012345…89");
  EXPECT_EQ(shortened("ΔΔΔΔΔΔΔΔΔΔ", 4), "ΔΔ…Δ");
}

TEST(InQuotes, IsAFewDozenCharactersOfAnything) {
  EXPECT_EQ(in_quotes("some"), "\"some\"");
  const std::string seen = in_quotes(std::string(100'000'000, '\x1b'));
  EXPECT_LT(seen.size(), 50U);
  EXPECT_EQ(seen.find('\x1b'), std::string::npos);
  EXPECT_EQ(in_quotes(std::string(1000, 'a') + std::string(1000, 'b')),
            "\"" + std::string(26, 'a') + "…" + std::string(13, 'b') + "\"");
}

}  // namespace
}  // namespace nika
