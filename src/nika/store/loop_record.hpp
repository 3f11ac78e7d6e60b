// A loop as a finding tells it: where it is, what it assumes, what each seat holds at its two ends, and what the
// repaired protocol makes of the same schedule. Never runs anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/base/located_json.hpp"
#include "nika/model/cluster.hpp"
#include "nika/model/loop.hpp"

namespace nika::store {

class ByteText;

// Names are kept as people read them, as in all of a finding. What a protocol does not tell is empty.
struct HoldingRecord {
  unsigned view = 0;
  std::string prepared{};
  std::string locked{};
  std::string executed{};

  bool operator==(const HoldingRecord&) const = default;
};

// What one seat holds when the loop begins and when it has come round.
struct EndsRecord {
  std::string seat{};
  HoldingRecord before{};
  HoldingRecord after{};

  bool operator==(const EndsRecord&) const = default;
};

// The same schedule, with the rounds of the loop repeated, on the protocol without the flaw.
struct RepairedRecord {
  std::string protocol{};
  std::vector<std::string> bugs{};
  unsigned decides_in = 0;  // the round in which all have decided since the loop began; 0: they do not

  bool operator==(const RepairedRecord&) const = default;
};

struct LoopRecord {
  unsigned first_round = 0;
  unsigned length = 0;
  bool proved = false;
  Assumptions assumptions{};
  std::vector<std::string> waiting{};  // who has to decide and never does
  std::vector<EndsRecord> ends{};      // of each seat; none if they cannot be told
  std::optional<RepairedRecord> repaired{};

  bool operator==(const LoopRecord&) const = default;
  unsigned last_round() const { return first_round + length - 1; }
};

// Without what the repaired protocol does.
LoopRecord record_of(const Loop& loop, const std::optional<LoopEnds>& ends, const Cluster& cluster);

std::string_view name_of(Assumptions::Arrival order);  // "one", "any"
std::string_view name_of(Assumptions::Liars liars);    // "silent", "selective", "active"

// As a member of a finding, on several lines.
std::string to_json(const LoopRecord& loop);
// Complaints go to the reading; what is returned after one is of no use.
LoopRecord loop_in(JsonReading& reading, const LocatedJson& node);
// What it claims, for the fingerprint of its finding.
void add(ByteText& text, const LoopRecord& loop);
// In what a loop is another than was recorded, in one line; nothing if it is the same.
std::string difference_between(const LoopRecord& recorded, const std::optional<LoopRecord>& shown);

}  // namespace nika::store
