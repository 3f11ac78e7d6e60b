// How the program speaks: one line for an error, one JSON object for a script, colours and progress only for a
// terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "nika/base/result.hpp"
#include "nika/base/wide.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {

using Json = nlohmann::ordered_json;

// What the user called: "nika", or the program of a project with protocols of its own. Set once, before any thread.
std::string_view program_name();
void set_program_name(std::string_view path);
// "nika 0.1.0"; "own-protocol (nika 0.1.0)".
std::string version_text();
// The text with the program's own name wherever it says NIKA.
std::string named(std::string_view text);

// Prints exactly one line on standard error, printable and not much longer than 200 characters.
void print_error(std::string_view message);
// Writes on standard error as it is. Nothing is thrown if that cannot be written either.
void tell(std::string_view text);
// The same as print_error, and the exit code for bad input.
int refuse(const Error& error);

// In lines, without any character that a terminal would obey.
std::string lines_of(const Json& json);
void print_json(const Json& json);
// Numbers that a script's floating point would spoil are decimal strings.
Json json_count(std::string_view decimal);
inline Json json_count(Wide count) { return json_count(to_string(count)); }

// As wide as standard output is, if it is a terminal.
std::size_t terminal_columns();

// Colours of standard output: none if it is no terminal or NO_COLOR is set.
class Paint {
 public:
  Paint();
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string faint(std::string_view text) const { return wrap("2", text); }
  std::string verdict(Verdict verdict, std::string_view text) const;
  std::string conclusion(Conclusion conclusion, std::string_view text) const;

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool on_;
};

// One line on standard error that is written over and over, if that is a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return on_; }
  void show(std::string_view text);
  void clear();

 private:
  bool on_;
  bool dirty_ = false;
};

// Of work that takes long: a line that is written over on a terminal; elsewhere a line now and then, so that a log
// shows that it goes on.
class LongProgress {
 public:
  void show(std::string_view text);
  void clear() { line_.clear(); }
  double seconds() const { return watch_.seconds(); }
  // "  2.5%  12 of 480  300 a second  2 s left". What was done before the first call is not of this session's rate.
  std::string text_of(Wide executed, Wide asked);

 private:
  static constexpr double kSecondsBetweenLines = 10;
  ProgressLine line_;
  Watch watch_;
  double next_line_ = kSecondsBetweenLines;
  std::optional<Wide> before_;  // what was done when it was first asked
};

}  // namespace nika::cli
