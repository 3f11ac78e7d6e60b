// What the command line says of itself, as plain values: completion scripts and manual pages are made of it.
#pragma once

#include <string>
#include <vector>

namespace nika::cli {

struct OptionHelp {
  std::string name;  // "--threads", "-c"; of a positional one its name
  std::string type;  // empty for a flag
  std::string text;
  std::string usual;                 // the default; may be empty
  std::string group;                 // the heading
  std::vector<std::string> choices;  // if only these are taken
  bool is_positional = false;
};

struct CommandHelp {
  std::string name;
  std::string summary;
  std::string footer;  // examples, exit codes
  std::vector<OptionHelp> options;
};

struct ProgramHelp {
  std::string name;
  std::string summary;
  std::string footer;
  std::vector<CommandHelp> commands;
};

// For "bash", "zsh" or "fish".
std::string completion_of(const ProgramHelp& help, const std::string& shell);

// In the language of man(7), for section 1: of the program, or of one of its commands.
std::string manual_of(const ProgramHelp& help, const std::string& version);
std::string manual_of(const ProgramHelp& help, const CommandHelp& command, const std::string& version);

}  // namespace nika::cli
