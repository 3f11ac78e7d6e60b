// nika completion and nika man: what the command line says of itself, for shells and for man.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "nika/base/printable.hpp"
#include "nika/cli/command_help.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"

namespace nika::cli {

void add_completion_command(CommandLine& line) {
  Command& command = line.add("completion", "Print a script that completes commands and options in a shell");
  const auto shell = std::make_shared<std::string>();
  command.choice("SHELL", *shell, {"bash", "zsh", "fish"}, "the shell that reads it");
  command.footer(
      "Examples:\n"
      "  NIKA completion bash > ~/.local/share/bash-completion/completions/NIKA\n"
      "  NIKA completion zsh > ~/.zfunc/_NIKA\n"
      "  NIKA completion fish > ~/.config/fish/completions/NIKA.fish");
  command.on_run([shell, &line]() -> Result<int> {
    if (shell->empty()) return bad_input("expected a shell: bash, zsh or fish");
    fmt::print("{}", completion_of(line.help(), *shell));
    return kExitHolds;
  });
}

void add_man_command(CommandLine& line) {
  Command& command = line.add("man", "Print a manual page, made of the help");
  const auto name = std::make_shared<std::string>();
  command.positional("COMMAND", *name, "of which; without one, of the program");
  command.footer(
      "Examples:\n"
      "  NIKA man twins | man -l -\n"
      "  NIKA man > /usr/local/share/man/man1/NIKA.1");
  command.on_run([name, &line]() -> Result<int> {
    const ProgramHelp help = line.help();
    if (name->empty()) {
      fmt::print("{}", manual_of(help, version_text()));
      return kExitHolds;
    }
    const auto found = std::ranges::find(help.commands, *name, &CommandHelp::name);
    if (found == help.commands.end()) return bad_input("there is no command " + in_quotes(*name));
    fmt::print("{}", manual_of(help, *found, version_text()));
    return kExitHolds;
  });
}

}  // namespace nika::cli
