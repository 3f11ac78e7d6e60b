#include "nika/cli/campaign_options.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "nika/cli/shard_environment.hpp"

namespace nika::cli {
namespace {

using Words = std::vector<std::string>;

TEST(WordsWithout, LeaveOutFlagsAndOptionsWithTheirValues) {
  const Words words{"twins",   "diembft", "--threads", "4",           "--threads=8",
                    "--quiet", "--seed",  "--quiet",   "--threadsx=1"};
  EXPECT_EQ(words_without(words, {"--threads="}),
            (Words{"twins", "diembft", "--quiet", "--seed", "--quiet", "--threadsx=1"}));
  EXPECT_EQ(words_without(words, {}), words);
  EXPECT_EQ(words_without({"--threads"}, {"--threads="}), Words());
}

TEST(WordsWithout, KeepWhatMakesACampaignWhatItIs) {
  const CampaignPlace place =
      place_of({"a.db", true, 3}, {"twins", "x", "--campaign", "a.db", "--seconds=3", "--json", "--seed=2"});
  EXPECT_EQ(place.words, (Words{"twins", "x", "--seed=2"}));
  EXPECT_EQ(place.file, "a.db");
  EXPECT_TRUE(place.takes_other_program);
}

class Environment : public testing::Test {
 protected:
  static constexpr const char* kNames[] = {"SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
                                           "SLURM_ARRAY_TASK_STEP", "OMPI_COMM_WORLD_RANK",   "OMPI_COMM_WORLD_SIZE",
                                           "JOB_COMPLETION_INDEX",  "JOB_COMPLETIONS"};
  Environment() {
    for (const char* name : kNames) unsetenv(name);
  }
  ~Environment() override {
    for (const char* name : kNames) unsetenv(name);
  }
};

TEST_F(Environment, TellsTheShardOfEachKindOfArray) {
  EXPECT_EQ(shard_of_environment().value(), "");
  setenv("JOB_COMPLETION_INDEX", "4", 1);
  EXPECT_EQ(shard_of_environment().value(), "");  // of how many?
  setenv("JOB_COMPLETIONS", "5", 1);
  EXPECT_EQ(shard_of_environment().value(), "5/5");
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  EXPECT_EQ(shard_of_environment().value(), "1/2");
  setenv("SLURM_ARRAY_TASK_ID", "7", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
  setenv("SLURM_ARRAY_TASK_MIN", "5", 1);
  EXPECT_EQ(shard_of_environment().value(), "3/3");
  setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
  EXPECT_EQ(shard_of_environment().value(), "2/3");
}

TEST_F(Environment, ThatContradictsItselfIsRefused) {
  setenv("OMPI_COMM_WORLD_RANK", "2", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  EXPECT_FALSE(shard_of_environment());
  setenv("OMPI_COMM_WORLD_SIZE", "many", 1);
  EXPECT_FALSE(shard_of_environment());
}

}  // namespace
}  // namespace nika::cli
