// nika_tidy ROOT: checks the sources of the project at ROOT. Exit code 0: clean, 1: violations, 2: bad usage.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tidy/layers.hpp"
#include "tidy/rules.hpp"

namespace {

namespace fs = std::filesystem;
namespace tidy = nika::tidy;

constexpr std::array kTrees{"src", "bench", "tests", "tools", "examples"};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<tidy::SourceFile> sources_under(const fs::path& root) {
  std::vector<tidy::SourceFile> files;
  for (const char* tree : kTrees) {
    if (!fs::is_directory(root / tree)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / tree)) {
      const auto extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
      files.push_back(tidy::parse_source(fs::relative(entry.path(), root).generic_string(), content_of(entry.path())));
    }
  }
  std::ranges::sort(files, {}, &tidy::SourceFile::path);
  return files;
}

tidy::Violations check_all(const std::vector<tidy::SourceFile>& files) {
  tidy::Violations found;
  for (const tidy::SourceFile& file : files) std::ranges::copy(tidy::check_file(file), std::back_inserter(found));
  std::ranges::copy(tidy::check_cycles(files), std::back_inserter(found));
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !fs::is_directory(fs::path(argv[1]) / "src")) {
    fmt::print(stderr, "usage: nika_tidy ROOT, where ROOT holds src/\n");
    return 2;
  }
  const auto files = sources_under(argv[1]);
  const auto found = check_all(files);
  for (const auto& [path, line, what] : found) fmt::print("{}:{}: {}\n", path, line, what);
  std::fflush(stdout);
  fmt::print(stderr, "nika_tidy: {} files, violations: {}\n", files.size(), found.size());
  return found.empty() ? 0 : 1;
}
