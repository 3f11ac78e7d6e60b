// Memory that runs out, on whichever thread and inside of whichever library, is one line and exit code 4.
#include <gtest/gtest.h>

#include <algorithm>

#include "end_to_end/program.hpp"

namespace nika::tests {
namespace {

// How much is too little depends on the libraries: from far too little on, until there is enough.
void expect_clean_ends(const std::string& words) {
  const Program nika;
  int exit_code = 4;
  int refused = 0;
  for (unsigned mebibytes = 60; exit_code != 0 && mebibytes <= 500; mebibytes += 10) {
    const Said said = nika.run_with_memory(mebibytes, words);
    exit_code = said.exit_code;
    if (exit_code == 127 || exit_code == 0) continue;  // not even the program itself; enough
    EXPECT_EQ(exit_code, 4) << words << " with " << mebibytes << " MiB: " << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_TRUE(said.err.starts_with("nika: out of memory") || said.err.starts_with("nika: no further thread"))
        << said.err;
    ++refused;
  }
  EXPECT_EQ(exit_code, 0) << words;
  EXPECT_GT(refused, 0) << words;
}

TEST(Memory, VerifyEndsCleanly) {
  expect_clean_ends("verify " NIKA_MODELS "/bv-broadcast.ta --threads 2");
  expect_clean_ends("verify " NIKA_MODELS "/bv-broadcast.ta -p obligation0 --solver cvc5");
}

TEST(Memory, SweepsAndSearchesEndCleanly) {
  expect_clean_ends("twins bracha --rounds 2 --step3 random:2000 --threads 4");
  expect_clean_ends("twins bracha --rounds 3 --exhaustive --threads 2");
}

}  // namespace
}  // namespace nika::tests
