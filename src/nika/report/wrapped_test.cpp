#include "nika/report/wrapped.hpp"

#include <gtest/gtest.h>

namespace nika::report {
namespace {

TEST(Wrapped, LinesStayWithinTheColumnsAndHang) {
  EXPECT_EQ(wrapped("one two three four", "    ", "- ", 11), "- one two\n    three\n    four\n");
  EXPECT_EQ(wrapped("one two three four", "  ", "", 13), "one two three\n  four\n");
  EXPECT_EQ(wrapped("one two three four", "  ", "", 12), "one two\n  three four\n");
}

TEST(Wrapped, AWordThatIsTooLongStaysWhole) {
  EXPECT_EQ(wrapped("a incomprehensibilities b", " ", "", 8), "a\n incomprehensibilities\n b\n");
}

TEST(Wrapped, CharactersCountAndNotBytes) { EXPECT_EQ(wrapped("ΔΔΔ ΔΔΔ ΔΔΔ", "", "", 7), "ΔΔΔ ΔΔΔ\nΔΔΔ\n"); }

TEST(Wrapped, NothingReachesTheTerminalThatItWouldObey) {
  EXPECT_EQ(wrapped("\x1b[2Jgone\x07 and\r\nnext\x7f", "", "", 80), "\\x1b[2Jgone\\x07 and next\\x7f\n");
}

TEST(Plural, CountsOne) {
  EXPECT_EQ(plural(1, "round"), "1 round");
  EXPECT_EQ(plural(0, "round"), "0 rounds");
  EXPECT_EQ(plural(2, "round"), "2 rounds");
}

}  // namespace
}  // namespace nika::report
