// Whatever the bytes, reading a finding gives one line of error or a finding that writes and reads back to itself.
// Half of the inputs are edits of a good text. A finding that was edited and is still read makes the same claim.
#include <array>
#include <string>

#include "nika/base/require.hpp"
#include "nika/store/finding.hpp"

namespace {

using nika::store::Finding;

constexpr std::array<std::string_view, 2> kKinds{"proposal", "vote"};
constexpr std::array<std::string_view, 1> kBugs{"quorum-2f"};
const nika::store::Vocabulary kWords{kKinds, kBugs, {}};

nika::Result<nika::store::Vocabulary> words_of(std::string_view) { return kWords; }

Finding good_finding() {
  Finding finding;
  finding.property = "agreement";
  finding.kind = "two values of one round";
  finding.scenario.protocol = "diembft";
  finding.scenario.rounds.resize(1);
  finding.scenario.rounds[0].leaders.insert(nika::Identity{0});
  finding.original = finding.scenario;
  finding.evidence = {"why", 3, 1, {"B"}, {{"B", "A1", {{1, "A1"}}}}};
  finding.trace = {{"proposal", "vote"}, {"undid"}, {{.kind = nika::EventKind::kVoted, .time = 1}}};
  finding.origin = nika::store::Origin{"7", R"({"seed":1})"};
  finding.loop.emplace();
  finding.loop->first_round = 3;
  finding.loop->length = 2;
  finding.loop->waiting = {"B"};
  finding.loop->ends = {{"B", {3, "A1", "A1", "genesis"}, {5, "A1", "A1", "genesis"}}};
  finding.loop->repaired = nika::store::RepairedRecord{"diembft", {}, 4};
  finding.loop->run = nika::store::LoopRunRecord{2, 1, 2, 4, 3, {{.kind = nika::EventKind::kVoted, .time = 3}}};
  return finding;
}

// Each edit is four bytes: a place in two of them, how many bytes to cut there, and a byte to put there.
std::string edited(std::string text, const std::uint8_t* data, std::size_t size) {
  for (; size >= 4; data += 4, size -= 4) {
    const std::size_t at = (data[0] * 256U + data[1]) % (text.size() + 1);
    text.replace(at, data[2] % 8, 1, static_cast<char>(data[3]));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Finding good = good_finding();
  static const std::string good_text = to_json(good, kWords);
  const bool edits = size > 0 && data[0] % 2 == 1;
  const std::string text =
      edits ? edited(good_text, data + 1, size - 1) : std::string(reinterpret_cast<const char*>(data), size);
  const auto read = nika::store::recording_from_json(text, "fuzz", words_of);
  if (!read) {
    NIKA_REQUIRE(read.error().message.find('\n') == std::string::npos);
    return 0;
  }
  if (!read->finding) return 0;
  if (edits) NIKA_REQUIRE(mark_of(*read->finding) == mark_of(good));
  const auto again = nika::store::recording_from_json(to_json(*read->finding, kWords), "fuzz", words_of);
  NIKA_REQUIRE(again.has_value() && again->finding == read->finding);
  return 0;
}
