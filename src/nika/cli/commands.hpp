// The commands, each of which adds itself to the command line. A command writes its exit code when it ran.
#pragma once

#include <CLI/CLI.hpp>

#include "nika/campaign/registry.hpp"

namespace nika::cli {

struct CommandLine {
  CLI::App& app;
  const Registry& registry;
  int& exit_code;
};

void add_twins_command(const CommandLine& line);
void add_attack_command(const CommandLine& line);
void add_reproduce_command(const CommandLine& line);
void add_replay_command(const CommandLine& line);
void add_show_command(const CommandLine& line);
void add_shrink_command(const CommandLine& line);
void add_protocols_command(const CommandLine& line);

}  // namespace nika::cli
