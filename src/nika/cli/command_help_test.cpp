#include "nika/cli/command_help.hpp"

#include <gtest/gtest.h>

namespace nika::cli {
namespace {

ProgramHelp help() {
  CommandHelp command{"twins", "Twins: every 'schedule'", "Examples:\n  nika twins", {}};
  command.options = {
      {"PROTOCOL", "TEXT", "see nika protocols", "", "", {}, true},
      {"--network", "rounds|steps", "how messages travel", "rounds", "Space", {"rounds", "steps"}, false},
      {"-c", "N", "lies: so many", "1", "", {}, false},
      {"--campaign", "FILE", "keep [it]", "", "", {}, false},
      {"--quiet", "", "no progress", "", "", {}, false}};
  return {"nika", "Tests consensus", ".Examples", {command}};
}

TEST(Completion, KnowsCommandsOptionsAndChoicesInEveryShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string text = completion_of(help(), shell);
    for (const char* word : {"twins", "network", "rounds steps", "campaign", "quiet"})
      EXPECT_NE(text.find(word), std::string::npos) << shell << " " << word;
  }
  EXPECT_NE(completion_of(help(), "zsh").find("keep \\[it\\]"), std::string::npos);
}

TEST(Manual, EscapesWhatTheFormatterWouldObey) {
  const std::string program = manual_of(help(), "nika 1");
  EXPECT_NE(program.find("\\&.Examples"), std::string::npos);
  const std::string page = manual_of(help(), help().commands[0], "nika 1");
  EXPECT_TRUE(page.starts_with(".TH NIKA\\-TWINS 1"));
  EXPECT_NE(page.find("\\fB\\-\\-network\\fR \\fIrounds|steps\\fR\nhow messages travel (default: rounds)"),
            std::string::npos);
}

}  // namespace
}  // namespace nika::cli
