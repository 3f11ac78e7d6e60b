// A loop as a finding tells it: where it is, what it assumes, what each seat holds at its two ends, and what the
// repaired protocol makes of the same schedule. Never runs anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/base/located_json.hpp"
#include "nika/model/cluster.hpp"
#include "nika/model/event.hpp"
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

// How a run comes to its loop and through it. Times are network rounds, or ticks of a timed run.
struct LoopRunRecord {
  // Behind so many rounds of the schedule (views of a timed one) the last `period` of them come again and again.
  unsigned scheduled = 0;
  unsigned period = 0;
  unsigned from = 0;                // the time after which the loop begins
  unsigned to = 0;                  // and after which it has come round
  std::optional<unsigned> since{};  // the first time of which the finding's trace does not tell what this run did
  Trace events{};                   // from then on

  bool operator==(const LoopRunRecord&) const = default;
  // Which round of the schedule is repeated in this one.
  unsigned scheduled_round(unsigned round) const {
    return round <= scheduled ? round : scheduled - period + 1 + (round - scheduled - 1) % period;
  }
};

struct LoopRecord {
  unsigned first_round = 0;
  unsigned length = 0;
  bool proved = false;
  Assumptions assumptions{};
  std::vector<std::string> waiting{};  // who has to decide and never does
  std::vector<EndsRecord> ends{};      // of each seat; none if they cannot be told
  std::optional<RepairedRecord> repaired{};
  bool counts_views = false;           // of a timed run: all that is said of rounds is said of views
  std::optional<LoopRunRecord> run{};  // none if it is not proved, or has more rounds than there are numbers

  bool operator==(const LoopRecord&) const = default;
  unsigned last_round() const { return first_round + length - 1; }
};

// Without what the repaired protocol does, and how the run came to it.
LoopRecord record_of(const Loop& loop, const std::optional<LoopEnds>& ends, const Cluster& cluster);
// Of the events of the loop's run until it has come round it keeps those from the first time on at which `recorded`
// tells others, or none.
LoopRunRecord run_of(const Loop& loop, const LoopEnds& ends, std::span<const Event> recorded);
// What the run did from its start until the loop has come round, or as long as the recorded one did the same.
Trace events_of(const LoopRunRecord& run, std::span<const Event> recorded);

std::string_view name_of(Assumptions::Arrival order);  // "one", "any"
std::string_view name_of(Assumptions::Liars liars);    // "silent", "selective", "active"

// As a member of a finding, on several lines.
std::string to_json(const LoopRecord& loop);
// Complaints go to the reading; what is returned after one is of no use. `own_notes` as events_in() wants it.
LoopRecord loop_in(JsonReading& reading, const LocatedJson& node, std::size_t own_notes);
// What it claims, for the fingerprint of its finding.
void add(ByteText& text, const LoopRecord& loop);
// In what a loop is another than was recorded, in one line; nothing if it is the same.
std::string difference_between(const LoopRecord& recorded, const std::optional<LoopRecord>& shown);

}  // namespace nika::store
