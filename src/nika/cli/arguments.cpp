#include "nika/cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "nika/base/printable.hpp"
#include "nika/base/version.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/nearest_name.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {
namespace {

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Not a number is outside of all bounds.
template <class T>
bool is_within(T value, Bounds<T> bounds) {
  return value >= bounds.least && value <= bounds.most;
}

template <class T>
CLI::Option* add_number(CLI::App& app, const char* name, T& value, Bounds<T> bounds, const char* text) {
  const auto read = [name, &value, bounds](const CLI::results_t& given) {
    T number{};
    if (!read_number(given.front(), number) || !is_within(number, bounds)) {
      throw CLI::ValidationError(fmt::format("read {} {}, expected a number from {} to {}", name,
                                             in_quotes(given.front()), bounds.least, bounds.most));
    }
    value = number;
    return true;
  };
  CLI::Option* option = app.add_option(name, read, named(text));
  if (is_within(value, bounds)) option->default_str(fmt::format("{}", value));
  return option;
}

// "--name=" would take the next argument for its value, and "--name ''" an empty one: neither is what anybody means.
std::string empty_value(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      return fmt::format("{}: the value is empty", in_quotes(argument.substr(0, argument.size() - 1)));
    }
    if (!argument.empty()) continue;
    const bool after_option =
        i > 0 && arguments[i - 1].starts_with("-") && arguments[i - 1].find('=') == std::string::npos;
    return after_option ? fmt::format("{}: the value is empty", in_quotes(arguments[i - 1])) : "an argument is empty";
  }
  return {};
}

std::string with_guess(std::string message, const std::string& nearest) {
  return nearest.empty() ? message : fmt::format("{} (did you mean {}?)", message, nearest);
}

// What a command cannot take: the first thing that looks like an option, else the first word.
std::string not_taken(const CLI::App& app, const CLI::App& command) {
  const std::vector<std::string> extras = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.starts_with("-"); };
  const auto first = std::find_if(extras.begin(), extras.end(), is_option);
  if (first == extras.end()) return fmt::format("{} is one argument too many", in_quotes(extras.front()));
  const std::string name = first->substr(0, first->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  }
  return with_guess(fmt::format("there is no option {}", in_quotes(name)), nearest_name(name, names));
}

// CLI11 tells how many values of which type it wants, and names the option first.
std::string without_value(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  return fmt::format("{}: expected a value", text.substr(0, text.find(':')));
}

}  // namespace

void Command::group(const char* heading, bool* given) { headings_.push_back({heading, given}); }

CLI::Option& Command::declared(CLI::Option* option, const char* type) {
  option->type_name(type);
  if (!headings_.empty()) option->group(headings_.back().name);
  return *option;
}

void Command::note_given() const {
  for (const CLI::Option* option : app_.get_options()) {
    for (const Heading& heading : headings_) {
      if (heading.given != nullptr && option->get_group() == heading.name && option->count() > 0) *heading.given = true;
    }
  }
}

void Command::option(const char* name, std::string& value, const char* text, const char* type) {
  declared(app_.add_option(name, value, named(text)), type).capture_default_str();
}

void Command::options(const char* name, std::vector<std::string>& values, const char* text, const char* type) {
  declared(app_.add_option(name, values, named(text)), type).allow_extra_args(false);
}

void Command::choice(const char* name, std::string& value, std::vector<std::string> choices, const char* text) {
  const std::string type = fmt::format("{}", fmt::join(choices, "|"));
  choices_[name] = choices;
  const auto is_member = [name, choices = std::move(choices)](const std::string& given) {
    if (std::find(choices.begin(), choices.end(), given) != choices.end()) return std::string();
    return fmt::format("read {} {}, expected one of: {}", name, in_quotes(given), fmt::join(choices, ", "));
  };
  declared(app_.add_option(name, value, named(text)), type.c_str()).capture_default_str()->check(is_member);
}

void Command::number(const char* name, unsigned& value, Bounds<unsigned> bounds, const char* text, const char* type) {
  declared(add_number(app_, name, value, bounds, text), type);
}

void Command::number(const char* name, std::uint64_t& value, Bounds<std::uint64_t> bounds, const char* text,
                     const char* type) {
  declared(add_number(app_, name, value, bounds, text), type);
}

void Command::number(const char* name, double& value, Bounds<double> bounds, const char* text, const char* type) {
  declared(add_number(app_, name, value, bounds, text), type);
}

void Command::flag(const char* name, bool& value, const char* text) {
  declared(app_.add_flag(name, value, named(text)), "");
}

void Command::flag(const char* name, std::string& value, const char* usual, const char* text) {
  declared(app_.add_flag(fmt::format("{}{{{}}}", name, usual), value, named(text)), "");
}

void Command::positional(const char* name, std::string& value, const char* text) {
  declared(app_.add_option(name, value, named(text)), "TEXT");
}

void Command::required(const char* name, std::string& value, const char* text) {
  declared(app_.add_option(name, value, named(text)), "TEXT").required();
}

void Command::rest(const char* name, std::vector<std::string>& values, const char* text) {
  declared(app_.add_option(name, values, named(text)), "TEXT");
}

void Command::footer(const char* text) { app_.footer(named(text)); }

CommandLine::CommandLine(const char* summary, const char* footer)
    : app_(std::make_unique<CLI::App>(summary, std::string(program_name()))) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version_text(), "Print name and version and exit");
  app_->footer(named(footer));
}

CommandLine::~CommandLine() = default;

Command& CommandLine::add(const char* name, const char* summary) {
  commands_.push_back(std::make_unique<Command>(*app_->add_subcommand(name, named(summary))));
  return *commands_.back();
}

Command* CommandLine::chosen() const {
  for (const auto& command : commands_) {
    if (command->app_.parsed()) return command.get();
  }
  return nullptr;
}

std::string CommandLine::no_command(const std::string& given) const {
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->app_.get_name());
  return with_guess("there is no command " + in_quotes(given), nearest_name(given, names));
}

// CLI11 takes an unknown command for a missing one, and says of options without a command only that one is missing.
std::string CommandLine::misunderstood(const std::vector<std::string>& arguments, const CLI::ParseError& error) const {
  const Command* command = chosen();
  if (command == nullptr) {
    if (arguments.empty()) return "expected a command";
    const std::string& first = arguments.front();
    return first.starts_with("-") ? fmt::format("there is no option {}", in_quotes(first)) : no_command(first);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return not_taken(*app_, command->app_);
  return error.what();
}

int CommandLine::run(const std::vector<std::string>& arguments) {
  const auto refuse_usage = [&](const std::string& message) {
    const Command* command = chosen();
    const std::string which = command == nullptr ? "" : " " + command->app_.get_name();
    print_error(fmt::format("{}; see {}{} --help", message, program_name(), which));
    return kExitBadInput;
  };
  if (const std::string problem = empty_value(arguments); !problem.empty()) return refuse_usage(problem);
  try {
    app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return kExitHolds;
  } catch (const CLI::Success&) {
    fmt::print("{}", app_->help());
    return kExitHolds;
  } catch (const CLI::ArgumentMismatch& error) {
    return refuse_usage(without_value(error));
  } catch (const CLI::ParseError& error) {
    return refuse_usage(misunderstood(arguments, error));
  }
  Command* command = chosen();
  command->note_given();
  command->words_ = arguments;
  const Result<int> code = command->body_();
  return code ? *code : refuse(code.error());
}

ProgramHelp CommandLine::help() const {
  ProgramHelp help{app_->get_name(), app_->get_description(), app_->get_footer(), {}};
  for (const auto& command : commands_) {
    const CLI::App& app = command->app_;
    CommandHelp own{app.get_name(), app.get_description(), app.get_footer(), {}};
    for (const CLI::Option* option : app.get_options()) {
      OptionHelp told;
      told.is_positional = option->get_positional();
      told.name = told.is_positional ? option->get_name(true) : option->get_name();
      if (const std::size_t comma = told.name.find(','); comma != std::string::npos)
        told.name = told.name.substr(comma + 1);
      if (option->get_items_expected_max() > 0) told.type = option->get_type_name();
      told.text = option->get_description();
      told.usual = option->get_default_str();
      told.group = option->get_group();
      if (const auto found = command->choices_.find(told.name); found != command->choices_.end())
        told.choices = found->second;
      own.options.push_back(std::move(told));
    }
    help.commands.push_back(std::move(own));
  }
  return help;
}

}  // namespace nika::cli
