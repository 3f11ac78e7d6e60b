// A finding on disk: the smallest scenario that breaks a property, where it came from, what it breaks, and the
// fingerprint of its trace, by which a replay proves that it saw the same run. Never judges anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {

// Names are kept as people read them: a seat "A'", a value "A'3".
struct CommitEntry {
  unsigned height = 0;
  std::string value;

  bool operator==(const CommitEntry&) const = default;
};

struct ConflictSide {
  std::string seat;
  std::string value;                 // what it committed at the height of the conflict
  std::vector<CommitEntry> history;  // all that it committed

  bool operator==(const ConflictSide&) const = default;
};

// That nobody decided anything after the network had healed.
struct StandstillText {
  unsigned since = 0;                  // the first healing round
  std::vector<std::string> undecided;  // honest seats
  std::string blocked_seat;            // an honest leader that can never make a valid proposal; empty if none is known
  std::string blocked;                 // why

  bool operator==(const StandstillText&) const = default;
};

// Where in a campaign the original scenario stood.
struct Origin {
  std::string index;     // decimal; empty if the scenario was not one of an indexed space
  std::string settings;  // one JSON object

  bool operator==(const Origin&) const = default;
};

struct TraceMark {
  std::uint64_t events = 0;
  std::string fingerprint;  // 32 hexadecimal digits, of the trace's text

  bool operator==(const TraceMark&) const = default;
};

struct Finding {
  std::string property;
  std::string kind;
  Scenario scenario;
  unsigned height = 0;  // of the conflict: agreement is broken
  ConflictSide first;
  ConflictSide second;
  std::optional<StandstillText> standstill;  // instead of a conflict: termination is broken
  TraceMark trace;
  std::uint64_t shrink_runs = 0;
  Scenario original;
  std::optional<Origin> origin;

  bool operator==(const Finding&) const = default;
};

std::string to_json(const Finding& finding, const Vocabulary& words);
Result<void> write_text_file(const std::string& path, const std::string& text);

// What `nika replay`, `show` and `shrink` take: a finding, an attack's flawed side, or a scenario alone.
struct Recording {
  Scenario scenario;
  std::optional<Finding> finding;
  std::string property;  // that it breaks; empty for a scenario alone
};
Result<Recording> recording_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of);
Result<Recording> read_recording(const std::string& path, const VocabularyOf& words_of);

}  // namespace nika::store
