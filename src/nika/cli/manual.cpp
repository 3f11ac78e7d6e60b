// Manual pages in the language of man(7), made of what the help says.
#include <fmt/format.h>

#include <algorithm>

#include "nika/cli/command_help.hpp"

namespace nika::cli {
namespace {

// Backslashes, hyphens and dots at the start of a line mean something to the formatter.
std::string plain(std::string_view text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string heading(const std::string& page, const std::string& version) {
  return fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n", plain(upper(page)), plain(version));
}

std::string as_it_is(std::string_view text) { return ".nf\n" + plain(text) + "\n.fi\n"; }

std::string option_text(const OptionHelp& option) {
  const std::string type = option.type.empty() || option.is_positional ? "" : " \\fI" + plain(option.type) + "\\fR";
  const std::string usual = option.usual.empty() ? "" : fmt::format(" (default: {})", option.usual);
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(option.name), type, plain(option.text + usual));
}

}  // namespace

std::string manual_of(const ProgramHelp& help, const std::string& version) {
  std::string text = heading(help.name, version);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n.SH COMMANDS\n",
                      plain(help.name), plain(help.summary), plain(help.name));
  for (const CommandHelp& command : help.commands)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}; see\n.BR {}\\-{} (1)\n", plain(command.name), plain(command.summary),
                        plain(help.name), plain(command.name));
  return text + ".SH EXAMPLES\n" + as_it_is(help.footer);
}

std::string manual_of(const ProgramHelp& help, const CommandHelp& command, const std::string& version) {
  const std::string page = help.name + "-" + command.name;
  std::string text = heading(page, version);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {} {}\n", plain(page), plain(command.summary),
                      plain(help.name), plain(command.name));
  for (const OptionHelp& option : command.options) {
    if (option.is_positional) text += fmt::format("[\\fI{}\\fR]\n", plain(option.name));
  }
  text += "[\\fIOPTION\\fR...]\n";
  std::string group;
  for (const OptionHelp& option : command.options) {
    const std::string own = option.group.empty() ? "Options" : option.group;
    if (own != group) text += fmt::format(".SH {}\n", plain(upper(own)));
    group = own;
    text += option_text(option);
  }
  text += ".SH EXAMPLES AND EXIT CODES\n" + as_it_is(command.footer);
  return text + fmt::format(".SH SEE ALSO\n.BR {} (1)\n", plain(help.name));
}

}  // namespace nika::cli
