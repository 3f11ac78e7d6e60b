// An attack on disk: a scenario that breaks a flawed protocol, told by the steps of its source, and how the same
// scenario looks for the repaired protocol. Never runs anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::store {

// Where to look for the attack without knowing it, in the words of `nika twins`. What is left out follows from the
// scenario.
struct SearchHints {
  std::string granularity;  // "round" or "kind"
  std::string leaders;
  std::string heal_leaders;
  std::string order;
  std::optional<unsigned> rounds;
  std::optional<unsigned> partitions;
  bool one_way = false;
};

// Which times of the flawed run a step of the source is about: network rounds, ticks or steps.
struct StepTimes {
  unsigned first = 0;
  unsigned last = 0;
};

struct Attack {
  std::string name;
  std::string source;
  std::string about;
  std::string property;  // the name of what it breaks
  std::vector<std::string> steps;
  std::vector<std::optional<StepTimes>> step_times;  // of each step, as far as the file tells; none if it tells nothing
  unsigned paper_rounds = 0;                         // rounds or views that the source needs
  Scenario flawed;
  Scenario repaired;
  SearchHints search;
  std::string repair;  // what the repaired side is

  unsigned rounds() const { return static_cast<unsigned>(flawed.rounds.size()); }
};

Result<Attack> attack_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of);
// An attack that is part of a reading. Complaints go to the reading.
Attack attack_in(JsonReading& reading, const LocatedJson& root, const VocabularyOf& words_of);

}  // namespace nika::store
