// The same scenario gives the same trace, byte for byte, in every build: each *.json here has its *.trace beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "nika/cli/built_in_attacks.hpp"
#include "nika/cli/finding_files.hpp"
#include "nika/cli/registry.hpp"
#include "nika/report/trace_text.hpp"
#include "nika/store/attack.hpp"

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

// "NAME EVENTS FINGERPRINT" of the flawed side of each attack that is listed in attacks.marks.
TEST(Golden, EveryListedAttackGivesItsRecordedTrace) {
  const Registry registry = cli::built_in_protocols();
  std::istringstream marks(contents(std::filesystem::path(NIKA_GOLDEN) / "attacks.marks"));
  std::string name;
  store::TraceMark mark;
  int compared = 0;
  for (; marks >> name >> mark.events >> mark.fingerprint; ++compared) {
    const auto found = std::ranges::find(cli::built_in_attacks(), name, &cli::BuiltInAttack::name);
    ASSERT_NE(found, cli::built_in_attacks().end()) << name;
    const auto attack = store::attack_from_json(found->text, name, cli::words_in(registry));
    ASSERT_TRUE(attack.has_value()) << attack.error().message;
    const Runner& runner = **registry.find(attack->flawed.protocol);
    const auto run = cli::run_traced(runner, attack->flawed);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    const store::TraceMark now = report::mark_of({run->cluster, runner.kinds(), run->trace});
    EXPECT_EQ(now, mark) << name << ' ' << now.events << ' ' << now.fingerprint;
  }
  EXPECT_GE(compared, 5);
}

}  // namespace
}  // namespace nika
