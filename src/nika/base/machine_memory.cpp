#include "nika/base/machine_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace nika {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// A file with one number; "max" and a missing file are no number.
std::optional<std::uint64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

// The number behind a word at the beginning of a line.
std::optional<std::uint64_t> number_after(const std::filesystem::path& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(word)) return std::strtoull(line.c_str() + word.size(), nullptr, 10);
  }
  return std::nullopt;
}

struct GroupFiles {
  const char* limit;
  const char* used;
  const char* reclaimable;  // pages of files, which the kernel gives up before it refuses memory
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file "};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};

std::uint64_t left_in_group(const std::filesystem::path& directory, const GroupFiles& files) {
  const auto limit = number_in(directory / files.limit);
  const auto used = number_in(directory / files.used);
  if (!limit || !used) return kUnlimited;
  const std::uint64_t cached = std::min(*used, number_after(directory / "memory.stat", files.reclaimable).value_or(0));
  return *limit - std::min(*limit, *used - cached);
}

// A group's limit holds for the groups below it, so the least on the way to the top counts. Inside of a container the
// path may not be seen; its own group is the top then.
std::uint64_t left_in_groups(const std::filesystem::path& top, std::filesystem::path group, const GroupFiles& files) {
  std::uint64_t left = left_in_group(top, files);
  for (; group.has_relative_path(); group = group.parent_path()) {
    left = std::min(left, left_in_group(top / group.relative_path(), files));
  }
  return left;
}

std::uint64_t left_in_all_groups(const std::filesystem::path& root) {
  const std::filesystem::path top = root / "sys/fs/cgroup";
  std::uint64_t left = kUnlimited;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.find(':', line.find(':') + 1);
    if (path == std::string::npos) continue;
    if (line.starts_with("0::")) left = std::min(left, left_in_groups(top, line.substr(path + 1), kVersion2));
    if (line.find(":memory:") != std::string::npos) {
      left = std::min(left, left_in_groups(top / "memory", line.substr(path + 1), kVersion1));
    }
  }
  return left;
}

std::uint64_t left_of_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return limit.rlim_cur;
}

}  // namespace

std::uint64_t available_memory_bytes(const std::filesystem::path& root) {
  constexpr std::uint64_t kWithoutAnyWord = std::uint64_t{1} << 30U;
  const auto kibibytes = number_after(root / "proc/meminfo", "MemAvailable:");
  const std::uint64_t machine = kibibytes ? *kibibytes * 1024 : kUnlimited;
  const std::uint64_t least = std::min({machine, left_in_all_groups(root), left_of_address_space()});
  return least == kUnlimited ? kWithoutAnyWord : least;
}

std::uint64_t used_memory_bytes(const std::filesystem::path& root) {
  return number_after(root / "proc/self/status", "VmRSS:").value_or(0) * 1024;
}

std::uint64_t default_memory_bytes() {
  return std::max<std::uint64_t>(available_memory_bytes() / 2, std::uint64_t{64} << 20U);
}

}  // namespace nika
