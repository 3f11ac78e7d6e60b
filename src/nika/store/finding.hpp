// A finding on disk: the smallest scenario that breaks a property, where it came from, what it breaks and what shows
// it, and the trace of its run, so that a report needs no run and a replay proves that it saw the same one. Never
// judges anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/model/event.hpp"
#include "nika/model/scenario.hpp"
#include "nika/store/loop_record.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {

inline constexpr unsigned kFindingVersion = 2;

// Names are kept as people read them: a seat "A'", a value "A'3".
struct CommitEntry {
  unsigned height = 0;
  std::string value;

  bool operator==(const CommitEntry&) const = default;
};

// What a seat committed, where it matters (nothing if only the seat matters), and all that it committed.
struct ClaimRecord {
  std::string seat;
  std::string value;
  std::vector<CommitEntry> history;

  bool operator==(const ClaimRecord&) const = default;
};

// The Evidence of a judgement; its kind is the finding's. What the property does not use is zero or empty.
struct EvidenceRecord {
  std::string why;
  unsigned since = 0;
  unsigned height = 0;
  std::vector<std::string> seats;
  std::vector<ClaimRecord> claims;

  bool operator==(const EvidenceRecord&) const = default;
};

// Where in a campaign the original scenario stood.
struct Origin {
  std::string index;     // decimal; empty if the scenario was not one of an indexed space
  std::string settings;  // one JSON object

  bool operator==(const Origin&) const = default;
};

// All events of the run, and what the protocol that ran called its messages and its own notes.
struct RecordedTrace {
  std::vector<std::string> kinds;
  std::vector<std::string> notes;
  Trace events;

  bool operator==(const RecordedTrace&) const = default;
};

struct Finding {
  std::string property;
  std::string kind;
  std::string program;  // that wrote it, with its version
  Scenario scenario;
  EvidenceRecord evidence;
  std::optional<LoopRecord> loop{};  // in which the run goes on for ever
  RecordedTrace trace;
  std::uint64_t shrink_runs = 0;
  bool is_cut_short = false;  // shrinking was stopped before it had come to an end
  Scenario original;
  std::optional<Origin> origin;

  bool operator==(const Finding&) const = default;
};

// What a finding claims, in 32 hexadecimal digits: property, kind, evidence, loop and the data of its events, and the
// version of the format. Not the scenario, which the trace follows from, nor what is only there for readers.
std::string mark_of(const Finding& finding);

// In what a run shows something else than was recorded, in one line: the property, the kind, the evidence, the trace or
// the loop. Nothing if they are the same, or if no loop was recorded and there is one.
std::string difference_between(const Finding& recorded, const Finding& shown);

std::string to_json(const Finding& finding, const Vocabulary& words);
// The evidence alone, as a finding has it.
std::string to_json(const EvidenceRecord& evidence);

// What `nika replay`, `show` and `shrink` take: a finding, an attack's flawed side, or a scenario alone.
struct Recording {
  Scenario scenario;
  std::optional<Finding> finding;
  std::string property;  // that it breaks; empty for a scenario alone
};
// A finding that does not match its own fingerprints is refused.
Result<Recording> recording_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of);
Result<Recording> read_recording(const std::string& path, const VocabularyOf& words_of);

}  // namespace nika::store
