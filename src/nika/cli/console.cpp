#include "nika/cli/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "nika/base/printable.hpp"
#include "nika/base/version.hpp"

namespace nika::cli {
namespace {

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kLongestError = 240;
std::string name_of_program = "nika";

constexpr std::string_view kMostExact = "9007199254740992";  // 2^53

bool is_above_exact(std::string_view decimal) {
  if (decimal.size() != kMostExact.size()) return decimal.size() > kMostExact.size();
  return decimal > kMostExact;
}

}  // namespace

std::string_view program_name() { return name_of_program; }

void set_program_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.empty()) name_of_program = shortened(printable(name), kLongestName);
}

std::string version_text() {
  if (program_name() == "nika") return fmt::format("nika {}", version());
  return fmt::format("{} (nika {})", program_name(), version());
}

std::string named(std::string_view text) {
  static constexpr std::string_view kPlaceholder = "NIKA";
  std::string result;
  for (std::size_t at = text.find(kPlaceholder); at != text.npos; at = text.find(kPlaceholder)) {
    result += text.substr(0, at);
    result += program_name();
    text.remove_prefix(at + kPlaceholder.size());
  }
  result += text;
  return result;
}

void print_error(std::string_view message) {
  std::string line(message);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  while (line.ends_with(' ')) line.pop_back();
  // A message quotes little; whatever still gets long, such as a path, loses its middle.
  tell(fmt::format("{}: {}\n", program_name(), shortened(printable(line), kLongestError)));
}

void tell(std::string_view text) {
  // If it cannot be written there is nobody left to tell, and the exit code still counts.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int refuse(const Error& error) {
  print_error(error.message);
  return kExitBadInput;
}

std::string lines_of(const Json& json) {
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

void print_json(const Json& json) { fmt::print("{}", lines_of(json)); }

Json json_count(std::string_view decimal) {
  if (is_above_exact(decimal)) return std::string(decimal);
  return std::strtoull(std::string(decimal).c_str(), nullptr, 10);
}

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 100;
  constexpr std::size_t kLeast = 40;
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::max<std::size_t>(size.ws_col, kLeast);
}

Paint::Paint() {
  const char* no_color = std::getenv("NO_COLOR");
  on_ = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string Paint::verdict(Verdict verdict, std::string_view text) const {
  switch (verdict) {
    case Verdict::kHolds: return wrap("1;32", text);
    case Verdict::kViolated: return wrap("1;31", text);
    case Verdict::kUnknown: break;
  }
  return wrap("1;33", text);
}

std::string Paint::conclusion(Conclusion conclusion, std::string_view text) const {
  switch (conclusion) {
    case Conclusion::kHolds:
    case Conclusion::kNoneFound: return verdict(Verdict::kHolds, text);
    case Conclusion::kViolated: return verdict(Verdict::kViolated, text);
    case Conclusion::kUnknown: break;
  }
  return verdict(Verdict::kUnknown, text);
}

ProgressLine::ProgressLine() : on_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::string_view text) {
  if (!on_) return;
  winsize size{};
  // A line that wraps would be written over only in part, and flood a narrow terminal.
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) text = text.substr(0, size.ws_col - 1U);
  tell(fmt::format("\r\033[K{}", text));
  dirty_ = true;
}

void ProgressLine::clear() {
  if (dirty_) tell("\r\033[K");
  dirty_ = false;
}

void LongProgress::show(std::string_view text) {
  if (line_.is_shown()) return line_.show(text);
  if (watch_.seconds() < next_line_) return;
  next_line_ = watch_.seconds() + kSecondsBetweenLines;
  tell(std::string(text) + "\n");
}

std::string LongProgress::text_of(Wide executed, Wide asked) {
  if (!before_) before_ = executed;
  const double rate = static_cast<double>(executed - *before_) / std::max(watch_.seconds(), 1e-3);
  const std::string left =
      rate > 0 ? fmt::format("{} s left", grouped(fmt::format("{:.0f}", static_cast<double>(asked - executed) / rate)))
               : "";
  return fmt::format("{:5.1f}%  {} of {}  {} a second  {}",
                     100 * static_cast<double>(executed) / static_cast<double>(std::max<Wide>(asked, 1)),
                     grouped(executed), grouped(asked), grouped(fmt::format("{:.0f}", rate)), left);
}

}  // namespace nika::cli
