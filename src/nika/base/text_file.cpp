#include "nika/base/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "nika/base/printable.hpp"

namespace nika {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// A bound as a reader would say it.
std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  return bytes % kMebibyte == 0 ? fmt::format("{} MiB", bytes / kMebibyte) : fmt::format("{} bytes", bytes);
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t most_bytes) {
  const auto refused = [&](std::string_view why) {
    return bad_input(fmt::format("{}: {}", shortened(printable(path), 120), why));
  };
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return refused(fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1U << 16U> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), file.get())) {
    if (size > most_bytes - text.size()) {
      return refused(fmt::format("is too large, expected at most {}", size_text(most_bytes)));
    }
    text.append(part.data(), size);
  }
  // A directory can be opened; only reading fails.
  if (std::ferror(file.get()) != 0) return refused(fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace nika
