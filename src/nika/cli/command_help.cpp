#include "nika/cli/command_help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika::cli {
namespace {

// In single quotes for a shell.
std::string in_shell_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string function_name(const std::string& program) {
  std::string name = "_" + program;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

std::string first_sentence(std::string_view text) {
  const std::size_t end = text.find_first_of(";:(");
  std::string sentence(text.substr(0, end));
  while (sentence.ends_with(' ')) sentence.pop_back();
  return sentence;
}

bool takes_a_file(const OptionHelp& option) { return option.type == "FILE" || option.type == "DIR"; }

std::string words_of(const CommandHelp& command) {
  std::string words;
  for (const OptionHelp& option : command.options) {
    if (!option.is_positional) words += (words.empty() ? "" : " ") + option.name;
    if (option.is_positional) {
      for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
    }
  }
  return words;
}

std::string bash_of(const ProgramHelp& help) {
  const std::string function = function_name(help.name);
  std::string commands;
  std::string cases;
  for (const CommandHelp& command : help.commands) {
    commands += (commands.empty() ? "" : " ") + command.name;
    std::string values;
    for (const OptionHelp& option : command.options) {
      if (option.choices.empty() || option.is_positional) continue;
      values += fmt::format("        {}) words={} ;;\n", option.name,
                            in_shell_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
    }
    cases += fmt::format("    {})\n      case \"$before\" in\n{}        *) words={} ;;\n      esac ;;\n", command.name,
                         values, in_shell_quotes(words_of(command)));
  }
  return fmt::format(
      "# bash completion for {0}: source it, or put it where bash-completion looks.\n"
      "{1}() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" words=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words={2}\n"
      "  else\n"
      "    case \"${{COMP_WORDS[1]}}\" in\n{3}    esac\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F {1} {0}\n",
      help.name, function, in_shell_quotes(commands + " --help --version"), cases);
}

// Colons and brackets mean something to zsh.
std::string for_zsh(std::string_view text) {
  std::string result;
  for (const char c : first_sentence(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_of(const ProgramHelp& help) {
  std::string commands;
  std::string cases;
  for (const CommandHelp& command : help.commands) {
    commands += fmt::format("    {}\n", in_shell_quotes(command.name + ":" + for_zsh(command.summary)));
    std::string options;
    for (const OptionHelp& option : command.options) {
      const std::string values = !option.choices.empty() ? fmt::format(":({})", fmt::join(option.choices, " "))
                                 : takes_a_file(option)  ? ":_files"
                                                         : ": ";
      if (option.is_positional) {
        const std::string_view start = option.name == "FILE" ? "*" : "";
        options += fmt::format(
            " \\\n        {}",
            in_shell_quotes(fmt::format("{}:{}{}", start, option.name, option.choices.empty() ? ":_files" : values)));
      } else {
        const std::string value = option.type.empty() ? "" : fmt::format(":{}{}", for_zsh(option.type), values);
        options += fmt::format(" \\\n        {}",
                               in_shell_quotes(fmt::format("{}[{}]{}", option.name, for_zsh(option.text), value)));
      }
    }
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, options);
  }
  return fmt::format(
      "#compdef {0}\n# zsh completion for {0}: put it into a directory of $fpath as _{0}.\n"
      "{1}() {{\n  local -a commands\n  commands=(\n{2}  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n{3}  esac\n}}\ncompdef {1} {0}\n",
      help.name, function_name(help.name), commands, cases);
}

std::string fish_of(const ProgramHelp& help) {
  std::string text =
      fmt::format("# fish completion for {0}: put it into ~/.config/fish/completions/{0}.fish.\n", help.name);
  for (const CommandHelp& command : help.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", help.name, command.name,
                        in_shell_quotes(first_sentence(command.summary)));
  }
  for (const CommandHelp& command : help.commands) {
    const std::string start =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", help.name, command.name);
    for (const OptionHelp& option : command.options) {
      const std::string choices =
          option.choices.empty() ? "" : " -f -a " + in_shell_quotes(fmt::format("{}", fmt::join(option.choices, " ")));
      if (option.is_positional) {
        if (!choices.empty()) text += fmt::format("{}{}\n", start, choices);
        continue;
      }
      const bool is_long = option.name.starts_with("--");
      text += fmt::format("{} -{} {}{}{} -d {}\n", start, is_long ? "l" : "s", option.name.substr(is_long ? 2 : 1),
                          option.type.empty() ? "" : " -r", choices, in_shell_quotes(first_sentence(option.text)));
    }
  }
  return text;
}

}  // namespace

std::string completion_of(const ProgramHelp& help, const std::string& shell) {
  if (shell == "bash") return bash_of(help);
  return shell == "zsh" ? zsh_of(help) : fish_of(help);
}

}  // namespace nika::cli
