// Scenarios as JSON text in the papers' notation, for people to read and edit and for programs to keep.
// What is written reads back to the same scenario; what is read may be anything and gives a scenario or one line of
// error.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "nika/base/located_json.hpp"
#include "nika/base/result.hpp"
#include "nika/model/leaves.hpp"
#include "nika/model/scenario.hpp"

namespace nika::store {

// The words that a file may use: those of its protocol, where a kind of message or a bug is its position here, and the
// names of the properties that there are. Without any, every name of a property will do.
struct Vocabulary {
  std::span<const std::string_view> kinds;
  std::span<const std::string_view> bugs;
  std::span<const std::string_view> properties{};
  unsigned clients = 0;                  // how many the protocol wants; a scenario names them c1, c2, …
  std::span<const KindLeaves> leaves{};  // what lies may be about, for each kind; nothing where nobody can lie
};

// The words of the protocol with that name, or an error that says which protocols there are.
using VocabularyOf = std::function<Result<Vocabulary>(std::string_view protocol)>;

// The scenario must be sound: seats and kinds exist, ranks are a permutation. One round a line; a round's order, rules
// and crashes are written only where there are any.
std::string to_json(const Scenario& scenario, const Vocabulary& words);

// `file` is what errors call the text: "FILE:LINE:COLUMN: read …, expected …".
Result<Scenario> scenario_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of);

// A scenario inside another file. Complaints go to the reading; what is returned after one is of no use.
Scenario scenario_in(JsonReading& reading, const LocatedJson& node, const VocabularyOf& words_of);

Result<Scenario> read_scenario(const std::string& path, const VocabularyOf& words_of);

}  // namespace nika::store
