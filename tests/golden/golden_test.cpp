// The same scenario gives the same trace, byte for byte, in every build: each *.json here has its *.trace beside it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "nika/cli/finding_files.hpp"
#include "nika/cli/registry.hpp"
#include "nika/report/trace_text.hpp"

namespace nika {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Golden, EveryScenarioGivesItsRecordedTrace) {
  const Registry registry = cli::built_in_protocols();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NIKA_GOLDEN)) {
    if (entry.path().extension() != ".json") continue;
    const auto recording = store::read_recording(entry.path().string(), cli::words_in(registry));
    ASSERT_TRUE(recording.has_value()) << recording.error().message;
    const Runner& runner = **registry.find(recording->scenario.protocol);
    const auto run = cli::run_traced(runner, recording->scenario);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    const report::TraceView view{run->cluster, runner.kinds(), run->trace};
    const std::filesystem::path expected = std::filesystem::path(entry.path()).replace_extension(".trace");
    EXPECT_EQ(report::trace_text(view), contents(expected)) << entry.path();
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

}  // namespace
}  // namespace nika
