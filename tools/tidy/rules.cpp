#include "tidy/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <regex>
#include <string_view>
#include <utility>

#include "tidy/functions.hpp"
#include "tidy/layers.hpp"

namespace nika::tidy {
namespace {

constexpr std::array<std::string_view, 4> kEmptyWords{"Manager", "Helper", "Util", "Impl"};
constexpr std::array<std::string_view, 2> kPostponements{"TODO", "FIXME"};
constexpr std::array<std::string_view, 5> kNondeterminism{"random_device", "system_clock", "steady_clock",
                                                          "high_resolution_clock", "thread_local"};

constexpr std::array<std::string_view, 9> kConcurrency{
    "std::thread", "std::jthread",    "std::mutex",       "std::shared_mutex", "std::condition_variable",
    "std::async",  "std::lock_guard", "std::unique_lock", "std::scoped_lock"};
constexpr std::array<std::string_view, 3> kClocks{"steady_clock", "system_clock", "high_resolution_clock"};

// What has a thread or a clock of its own beside the folders that the table of layers marks: the solvers' watchdog and
// budget, the one function that starts threads, the tables that threads share, the workers that a solver must not hold
// up, and the solvers that they ask side by side.
constexpr std::array<std::string_view, 10> kMayBeConcurrent{
    "src/nika/base/threads.cpp",    "src/nika/base/interner.hpp",      "src/nika/base/memo.hpp",
    "src/nika/smt/solver.hpp",      "src/nika/smt/z3_solver.cpp",      "src/nika/smt/z3_session.hpp",
    "src/nika/smt/cvc5_solver.cpp", "src/nika/cli/verify_workers.cpp", "src/nika/smt/race.hpp",
    "src/nika/smt/race.cpp"};

bool may_be_concurrent(const SourceFile& file) {
  const Layer* layer = layer_named(file.folder());
  return layer == nullptr || layer->has_threads || file.is_test() ||
         std::ranges::find(kMayBeConcurrent, file.path) != kMayBeConcurrent.end();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end]))) return true;
  }
  return false;
}

// Asking how many cores there are starts nothing.
bool starts_or_waits(std::string_view code, std::string_view word) {
  return has_word(code, word) && code.find("std::thread::hardware_concurrency") == std::string_view::npos;
}

// Characters, not bytes: the continuation bytes of UTF-8 do not count.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

// Whether an empty word is one of the words of a PascalCase name: Impl is in ClockImpl and Utils is Util, but Implies
// is a word of its own.
bool holds_empty_word(std::string_view name, std::string_view word) {
  const std::size_t found = name.find(word);
  if (found == std::string_view::npos) return false;
  std::string_view after = name.substr(found + word.size());
  if (after.starts_with('s')) after.remove_prefix(1);
  return after.empty() || std::islower(static_cast<unsigned char>(after.front())) == 0;
}

class FileCheck {
 public:
  explicit FileCheck(const SourceFile& file) : file_(file) {}

  Violations run() {
    for (std::size_t i = 0; i < file_.lines.size(); ++i) {
      check_layout(i);
      check_words(i);
      check_type_names(i);
    }
    check_header_opening();
    check_sizes();
    std::ranges::copy(check_includes(file_), std::back_inserter(found_));
    std::ranges::copy(check_test_headers(file_), std::back_inserter(found_));
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  void report(std::size_t line, std::string what) { found_.push_back({file_.path, line, std::move(what)}); }

  void check_layout(std::size_t i) {
    const std::string& line = file_.lines[i];
    if (line.find('\t') != std::string::npos) report(i + 1, "a tab; indent with spaces");
    if (line.ends_with(' ') || line.ends_with('\r')) report(i + 1, "space at the end of the line");
    const std::size_t columns = columns_of(line);
    if (columns > kMaxColumns) report(i + 1, fmt::format("{} columns; at most {}", columns, kMaxColumns));
  }

  void check_words(std::size_t i) {
    for (const std::string_view word : kPostponements) {
      if (has_word(file_.comments[i], word)) report(i + 1, fmt::format("{}: do it, or file an issue", word));
    }
    check_concurrency(i);
    const Layer* layer = layer_named(file_.folder());
    if (layer == nullptr || !layer->deterministic) return;
    for (const std::string_view word : kNondeterminism) {
      if (has_word(file_.code[i], word)) report(i + 1, fmt::format("{} in {}: runs must repeat", word, layer->folder));
    }
  }

  void check_concurrency(std::size_t i) {
    if (!file_.is_library() || may_be_concurrent(file_)) return;
    const auto told = [&](std::string_view word) {
      report(i + 1, fmt::format("{} in {}: threads, locks and clocks belong to campaign", word, file_.folder()));
    };
    for (const std::string_view word : kConcurrency) {
      if (starts_or_waits(file_.code[i], word)) told(word);
    }
    if (layer_named(file_.folder())->deterministic) return;  // another rule tells of its clocks
    for (const std::string_view word : kClocks) {
      if (has_word(file_.code[i], word)) told(word);
    }
  }

  void check_type_names(std::size_t i) {
    static const std::regex kDeclaration(R"(\b(?:enum\s+class|enum|class|struct|union|concept|using)\s+(\w+))");
    const std::string& code = file_.code[i];
    for (std::sregex_iterator match(code.begin(), code.end(), kDeclaration), end; match != end; ++match) {
      const std::string name = (*match)[1];
      for (const std::string_view word : kEmptyWords) {
        if (holds_empty_word(name, word)) report(i + 1, fmt::format("{}: \"{}\" says nothing", name, word));
      }
    }
  }

  void check_header_opening() {
    if (!file_.is_header()) return;
    const auto is_comment = [](const std::string& line) { return line.starts_with("//"); };
    const auto after = std::ranges::find_if_not(file_.lines, is_comment);
    const auto comment_lines = static_cast<std::size_t>(after - file_.lines.begin());
    if (comment_lines < 1 || comment_lines > kMaxHeaderCommentLines) {
      report(1, fmt::format("a header opens with 1 to {} lines of comment, not {}", kMaxHeaderCommentLines,
                            comment_lines));
    }
    if (after == file_.lines.end() || *after != "#pragma once") {
      report(comment_lines + 1, "#pragma once must follow the header's opening comment");
    }
  }

  void check_sizes() {
    if (file_.lines.size() >= kFileLinesBelow) {
      report(file_.lines.size(), fmt::format("{} lines; a file stays under {}", file_.lines.size(), kFileLinesBelow));
    }
    for (const FunctionBody& body : function_bodies(file_)) {
      if (body.line_count() <= kMaxFunctionLines) continue;
      report(body.first_line, fmt::format("a function of {} lines; at most {}", body.line_count(), kMaxFunctionLines));
    }
  }

  const SourceFile& file_;
  Violations found_;
};

}  // namespace

Violations check_file(const SourceFile& file) { return FileCheck(file).run(); }

}  // namespace nika::tidy
