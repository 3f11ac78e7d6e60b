// The commands, each of which adds itself to the command line.
#pragma once

#include "nika/campaign/registry.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

void add_twins_command(CommandLine& line, const Registry& registry);
void add_fuzz_command(CommandLine& line, const Registry& registry);
void add_zoo_command(CommandLine& line, const Registry& registry);
void add_attack_command(CommandLine& line, const Registry& registry);
void add_reproduce_command(CommandLine& line, const Registry& registry);
void add_replay_command(CommandLine& line, const Registry& registry);
void add_show_command(CommandLine& line, const Registry& registry);
void add_report_command(CommandLine& line, const Registry& registry);
void add_shrink_command(CommandLine& line, const Registry& registry);
void add_protocols_command(CommandLine& line, const Registry& registry);
void add_check_command(CommandLine& line, const Registry& registry);
// `run_words` runs another command line.
void add_campaign_command(CommandLine& line, const Registry& registry,
                          std::function<int(const std::vector<std::string>&)> run_words);
void add_top_command(CommandLine& line);
void add_doctor_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_man_command(CommandLine& line);
void add_verify_command(CommandLine& line);
void add_conform_command(CommandLine& line, const Registry& registry);

}  // namespace nika::cli
