#include "nika/base/program_fingerprint.hpp"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "nika/base/fingerprint.hpp"

namespace nika {

std::string program_fingerprint() {
  const std::string fingerprint = file_fingerprint("/proc/self/exe");
  return fingerprint.empty() ? "unknown" : fingerprint;
}

std::string file_fingerprint(const std::string& path) {
  constexpr std::size_t kBlock = std::size_t{1} << 20U;
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  std::vector<char> block(kBlock);
  std::vector<Fingerprint> blocks;
  do {
    file.read(block.data(), kBlock);
    blocks.push_back(fingerprint_of(block.data(), static_cast<std::size_t>(file.gcount())));
  } while (file);
  if (!file.eof()) return "";
  const Fingerprint all = fingerprint_of(blocks.data(), blocks.size() * sizeof(Fingerprint));
  return fmt::format("{:016x}{:016x}", all.high, all.low);
}

}  // namespace nika
