// Any bytes give a scenario or one line of error, and a scenario that was read is written and read back unchanged.
#include <array>
#include <cstddef>
#include <cstdint>

#include "nika/base/require.hpp"
#include "nika/store/scenario_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nika;
  static constexpr std::array<std::string_view, 3> kKinds{"proposal", "vote", "timeout"};
  static constexpr std::array<std::string_view, 2> kBugs{"quorum-2f", "b"};
  const store::Vocabulary words{kKinds, kBugs};
  const auto words_of = [&](std::string_view protocol) -> Result<store::Vocabulary> {
    if (protocol.size() > 7) return bad_input("another protocol");
    return words;
  };
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto first = store::scenario_from_json(text, "f", words_of);
  if (!first) {
    NIKA_REQUIRE(first.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const auto second = store::scenario_from_json(store::to_json(*first, words), "f", words_of);
  NIKA_REQUIRE(second.has_value() && *second == *first);
  return 0;
}
