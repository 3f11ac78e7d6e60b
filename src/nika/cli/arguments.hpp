// The command line: commands that declare options into plain variables. The only header that knows how arguments are
// read; the library that reads them is seen by arguments.cpp alone. In every text the word NIKA stands for the
// program's own name. An empty value is refused, never taken for one that was not given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/cli/command_help.hpp"

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace nika::cli {

template <class T>
struct Bounds {
  T least;
  T most;
};

class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // What is declared from here on stands under this heading. `given` becomes true if any of it is on the command line.
  void group(const char* heading, bool* given = nullptr);

  // The value at the time of declaration is the default, and help shows it unless it is empty.
  void option(const char* name, std::string& value, const char* text, const char* type);
  // May be given more than once, with one value each time.
  void options(const char* name, std::vector<std::string>& values, const char* text, const char* type);
  void choice(const char* name, std::string& value, std::vector<std::string> choices, const char* text);
  // A default outside of the bounds is not shown: the text says what it means.
  void number(const char* name, unsigned& value, Bounds<unsigned> bounds, const char* text, const char* type);
  void number(const char* name, std::uint64_t& value, Bounds<std::uint64_t> bounds, const char* text, const char* type);
  void number(const char* name, double& value, Bounds<double> bounds, const char* text, const char* type);
  void flag(const char* name, bool& value, const char* text);
  // "--name" alone means `usual`; "--name=other" something else.
  void flag(const char* name, std::string& value, const char* usual, const char* text);
  void positional(const char* name, std::string& value, const char* text);
  void required(const char* name, std::string& value, const char* text);

  // Any number of them, behind all other positional ones.
  void rest(const char* name, std::vector<std::string>& values, const char* text);
  // All words of the command line, its own name first; while it runs.
  const std::vector<std::string>& words() const { return words_; }

  // Below the options: examples, exit codes.
  void footer(const char* text);
  // Does what the command is for and returns the exit code; an error is told, and its code is that of bad input.
  void on_run(std::function<Result<int>()> body) { body_ = std::move(body); }

 private:
  friend class CommandLine;
  struct Heading {
    std::string name;
    bool* given;
  };

  CLI::Option& declared(CLI::Option* option, const char* type);
  void note_given() const;

  CLI::App& app_;
  std::vector<Heading> headings_;
  std::vector<std::string> words_;
  std::map<std::string, std::vector<std::string>> choices_;  // by the name of the option
  std::function<Result<int>()> body_;
};

class CommandLine {
 public:
  CommandLine(const char* summary, const char* footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command& add(const char* name, const char* summary);

  // Reads the arguments and runs the command that they name. Help and version are printed; bad usage is one line.
  int run(const std::vector<std::string>& arguments);
  // Of all commands, as --help tells it.
  ProgramHelp help() const;

 private:
  Command* chosen() const;
  std::string no_command(const std::string& given) const;
  std::string misunderstood(const std::vector<std::string>& arguments, const CLI::ParseError& error) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace nika::cli
