#include "tidy/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>

namespace nika::tidy {
namespace {

// Built in from tools/layers.txt, which CMake reads too.
constexpr std::string_view kTable =
#include "layers_table.inc"
    ;

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(mark), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

struct Include {
  std::size_t line;
  std::string target;
};

// The target of `#include "x"` or `#include <x>`; the code view tells a real one from one inside a literal.
std::optional<std::string> include_target(std::string_view line, std::string_view code) {
  static const std::regex kDirective(R"(^\s*#\s*include\b.*)");
  if (!std::regex_match(code.begin(), code.end(), kDirective)) return std::nullopt;
  const std::size_t open = line.find_first_of("\"<");
  const std::size_t close = line.find_last_of("\">");
  if (open == std::string_view::npos || close <= open) return std::nullopt;
  return std::string(line.substr(open, close - open));
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (auto target = include_target(file.lines[i], file.code[i])) includes.push_back({i + 1, std::move(*target)});
  }
  return includes;
}

// "model" for `"nika/model/cluster.hpp` or `<nika/model/cluster.hpp`, the opening mark included.
std::optional<std::string> included_folder(std::string_view target) {
  target.remove_prefix(1);
  if (!target.starts_with("nika/")) return std::nullopt;
  target.remove_prefix(5);
  return std::string(target.substr(0, target.find('/')));
}

bool may_include(const SourceFile& file, std::string_view folder) {
  if (folder == file.folder()) return true;
  if (file.is_test()) return folder != "cli";
  const Layer* layer = layer_named(file.folder());
  return layer != nullptr && layer->allows(folder);
}

std::optional<std::string> complaint_about(const SourceFile& file, const std::string& target) {
  const auto folder = included_folder(target);
  if (!folder) {
    if (!target.starts_with('"')) return std::nullopt;
    return fmt::format("include {}\" by its path from src: \"nika/…\"", target);
  }
  if (layer_named(*folder) == nullptr) return fmt::format("there is no folder nika/{}", *folder);
  if (may_include(file, *folder)) return std::nullopt;
  return fmt::format("{} may not include {}", file.folder(), *folder);
}

// Follows the includes between folders, depth first, and notes each edge that closes a circle.
class CycleSearch {
 public:
  explicit CycleSearch(std::span<const SourceFile> files) {
    for (const SourceFile& file : files) {
      if (file.folder().empty() || file.is_test()) continue;
      for (const Include& include : includes_of(file)) {
        const auto to = included_folder(include.target);
        if (to && *to != file.folder()) edges_[std::string(file.folder())].try_emplace(*to, at(file, include));
      }
    }
  }

  Violations run() {
    for (const auto& [folder, targets] : edges_) visit(folder);
    return found_;
  }

 private:
  static Violation at(const SourceFile& file, const Include& include) { return {file.path, include.line, ""}; }

  void visit(const std::string& folder) {
    if (!visited_.insert(folder).second) return;
    path_.push_back(folder);
    for (const auto& [to, where] : edges_[folder]) {
      const auto start = std::ranges::find(path_, to);
      if (start == path_.end()) {
        visit(to);
      } else {
        found_.push_back(where);
        found_.back().what =
            fmt::format("folders include each other: {} → {}", fmt::join(start, path_.end(), " → "), to);
      }
    }
    path_.pop_back();
  }

  std::map<std::string, std::map<std::string, Violation>> edges_;
  std::set<std::string> visited_;
  std::vector<std::string> path_;
  Violations found_;
};

}  // namespace

bool Layer::allows(std::string_view other) const { return std::ranges::find(may_include, other) != may_include.end(); }

std::vector<Layer> read_layers(std::string_view table) {
  std::vector<Layer> layers;
  for (const std::string_view line : split(table, '\n')) {
    if (line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    Layer layer;
    for (const std::string_view word : split(line.substr(0, colon), ' ')) {
      if (layer.folder.empty()) layer.folder = word;
      if (word == "repeatable") layer.deterministic = true;
      if (word == "threads") layer.has_threads = true;
    }
    if (colon != std::string_view::npos) layer.may_include = split(line.substr(colon + 1), ' ');
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::span<const Layer> layers() {
  static const std::vector<Layer> kLayers = read_layers(kTable);
  return kLayers;
}

std::string_view layer_table() { return kTable; }

const Layer* layer_named(std::string_view folder) {
  const auto found = std::ranges::find(layers(), folder, &Layer::folder);
  return found == layers().end() ? nullptr : &*found;
}

Violations check_includes(const SourceFile& file) {
  Violations found;
  if (!file.is_library()) return found;
  if (!file.folder().empty() && layer_named(file.folder()) == nullptr) {
    found.push_back({file.path, 1, fmt::format("the folder {} is not in the table of layers", file.folder())});
  }
  for (const Include& include : includes_of(file)) {
    if (auto what = complaint_about(file, include.target)) found.push_back({file.path, include.line, std::move(*what)});
  }
  return found;
}

Violations check_test_headers(const SourceFile& file) {
  Violations found;
  if (!file.is_library() || !file.is_header() || file.is_test()) return found;
  for (const Include& include : includes_of(file)) {
    const bool is_framework = include.target.starts_with("<gtest/") || include.target.starts_with("<gmock/") ||
                              include.target.starts_with("<rapidcheck");
    if (is_framework || include.target.ends_with("_test.hpp")) {
      found.push_back({file.path, include.line, "a header for tests is named x_test.hpp, so that it is not installed"});
    }
  }
  return found;
}

Violations check_cycles(std::span<const SourceFile> files) { return CycleSearch(files).run(); }

}  // namespace nika::tidy
