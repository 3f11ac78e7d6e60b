// Any bytes give a scenario or one line of error, and a scenario that was read is written and read back unchanged.
// Half of the inputs are edits of a good text, which random bytes would not find.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "nika/base/require.hpp"
#include "nika/store/scenario_json.hpp"

namespace {

constexpr std::string_view kStepped = R"({"format": "nika-scenario", "version": 1, "protocol": "bracha", "nodes": 4,
 "faults": 1, "rounds": [{"leaders": ["A"]}], "steps": [{"message": 7, "to": "B"}, {"timer": "C"}]})";
constexpr std::string_view kTimed = R"({"format": "nika-scenario", "version": 1, "protocol": "sync", "nodes": 3,
 "faults": 1, "copies": {"A": 2}, "rounds": [{"leaders": ["A"]}],
 "rules": [{"from": "A", "action": "delay", "ticks": 9}],
 "timing": {"delta": 2, "ticks": 24, "delay": 1, "timers_first": ["B"]}})";
constexpr std::string_view kGood = R"({"format": "nika-scenario", "version": 1, "protocol": "diembft", "bugs": ["b"],
 "nodes": 4, "faults": 1, "copies": {"A": 2, "B": 2}, "inputs": {"A": "v1", "B": "v1"},
 "about": "made up", "rounds": [{"leaders": ["A"], "partition": "A B A' | B' C D", "note": "split"},
 {"leaders": ["A", "C"], "partition": "A B C D A' B'", "order": {"first": "A' A", "own_first": false},
 "orders": {"C": {"first": "B", "own_first": true}}, "gives_up": ["B", "A'"]}],
 "heal": {"rounds": 3, "leaders": ["A"], "order": {"first": "A'", "own_first": true}},
 "rules": [{"rounds": "1..2", "kinds": ["vote"], "from": "A B", "to": "C", "action": "delay", "ticks": 2},
 {"action": "drop"}, {"rounds": "1", "links": "A B | A' | B' C D"}, {"rounds": "2..", "links": "A B -> C, C <-> D"},
 {"rounds": "4..5", "from": "A'", "action": "drop", "note": "silent"},
 {"action": "late", "by": 2}, {"to": "C", "action": "twice", "by": 0}],
 "crashes": [{"seat": "A'", "down": 4, "up": 5, "memory": false}]})";

// Each edit is four bytes: a place in two of them, how many bytes to cut there, and a byte to put there.
std::string edited(std::string_view good, const std::uint8_t* data, std::size_t size) {
  std::string text(good);
  for (; size >= 4; data += 4, size -= 4) {
    const std::size_t at = (data[0] * 256U + data[1]) % (text.size() + 1);
    text.replace(at, data[2] % 8, 1, static_cast<char>(data[3]));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nika;
  static constexpr std::array<std::string_view, 3> kKinds{"proposal", "vote", "timeout"};
  static constexpr std::array<std::string_view, 2> kBugs{"quorum-2f", "b"};
  const store::Vocabulary words{kKinds, kBugs};
  const auto words_of = [&](std::string_view protocol) -> Result<store::Vocabulary> {
    if (protocol.size() > 7) return bad_input("another protocol");
    return words;
  };
  const bool edits = size > 0 && data[0] % 2 == 1;
  const std::string_view good = !edits || data[0] % 8 < 5 ? kGood : data[0] % 8 == 5 ? kStepped : kTimed;
  const std::string text =
      edits ? edited(good, data + 1, size - 1) : std::string(reinterpret_cast<const char*>(data), size);
  const auto first = store::scenario_from_json(text, "f", words_of);
  if (!first) {
    NIKA_REQUIRE(first.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const auto second = store::scenario_from_json(store::to_json(*first, words), "f", words_of);
  NIKA_REQUIRE(second.has_value() && *second == *first);
  return 0;
}
