#include "nika/cli/nearest_name.hpp"

#include <gtest/gtest.h>

namespace nika::cli {
namespace {

const std::vector<std::string> kOptions{"--rounds", "--seed", "--seconds", "--nodes"};

TEST(NearestName, OneCharacterThatIsMissingAddedOrWrong) {
  EXPECT_EQ(nearest_name("--round", kOptions), "--rounds");
  EXPECT_EQ(nearest_name("--seeed", kOptions), "--seed");
  EXPECT_EQ(nearest_name("--modes", kOptions), "--nodes");
}

TEST(NearestName, NothingIsNearEnough) {
  EXPECT_EQ(nearest_name("--partitions", kOptions), "");
  EXPECT_EQ(nearest_name("", kOptions), "");
  EXPECT_EQ(nearest_name(std::string(1000, 's'), kOptions), "");
}

TEST(NearestName, TheFirstOfEquals) { EXPECT_EQ(nearest_name("ab", {"abc", "abd"}), "abc"); }

}  // namespace
}  // namespace nika::cli
