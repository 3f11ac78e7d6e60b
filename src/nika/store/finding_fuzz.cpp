// Whatever the bytes, reading a finding gives one line of error or a finding that writes and reads back to itself.
#include <array>
#include <cstdlib>

#include "nika/store/finding.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
  static constexpr std::array<std::string_view, 1> kBugs{"quorum-2f"};
  const nika::store::Vocabulary words{kKinds, kBugs};
  const auto words_of = [&](std::string_view) -> nika::Result<nika::store::Vocabulary> { return words; };
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = nika::store::recording_from_json(text, "fuzz", words_of);
  if (!read) {
    if (read.error().message.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (!read->finding) return 0;
  const auto again = nika::store::recording_from_json(to_json(*read->finding, words), "fuzz", words_of);
  if (!again || again->scenario != read->scenario) std::abort();
  return 0;
}
