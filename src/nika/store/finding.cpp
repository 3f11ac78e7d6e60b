#include "nika/store/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "nika/base/located_json.hpp"
#include "nika/store/attack.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

constexpr unsigned kMostHeight = 255;
constexpr std::size_t kFingerprintDigits = 32;

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// A scenario's own text, moved to the right of its name.
std::string indented(const Scenario& scenario, const Vocabulary& words) {
  std::string result;
  std::string text = to_json(scenario, words);
  text.pop_back();
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

std::string side_text(const ConflictSide& side) {
  std::string history;
  for (const CommitEntry& entry : side.history) {
    history += fmt::format("{}{{\"height\": {}, \"value\": {}}}", history.empty() ? "" : ", ", entry.height,
                           json_text(entry.value));
  }
  return fmt::format("{{\"seat\": {}, \"value\": {}, \"history\": [{}]}}", json_text(side.seat), json_text(side.value),
                     history);
}

std::string conflict_text(const Finding& finding) {
  return fmt::format("  \"conflict\": {{\n    \"height\": {},\n    \"first\": {},\n    \"second\": {}\n  }},\n",
                     finding.height, side_text(finding.first), side_text(finding.second));
}

std::string standstill_text(const StandstillText& standstill) {
  std::string seats;
  for (const std::string& seat : standstill.undecided) seats += (seats.empty() ? "" : ", ") + json_text(seat);
  std::string text = fmt::format("  \"standstill\": {{\"since\": {}, \"undecided\": [{}]", standstill.since, seats);
  if (!standstill.blocked.empty()) {
    text += fmt::format(", \"blocked\": {{\"seat\": {}, \"why\": {}}}", json_text(standstill.blocked_seat),
                        json_text(standstill.blocked));
  }
  return text + "},\n";
}

class FindingReader {
 public:
  FindingReader(JsonReading& reading, const VocabularyOf& words_of) : reading_(reading), words_of_(words_of) {}

  Finding read(const LocatedJson& root) {
    const JsonObject object(reading_, root,
                            {"format", "version", "property", "kind", "scenario", "conflict", "standstill", "trace",
                             "shrink_runs", "original", "origin"});
    object.number("version", {1, 1});
    finding_.property = object.text("property");
    finding_.kind = object.text("kind");
    finding_.shrink_runs = object.number("shrink_runs", {0, ~0U});
    finding_.scenario = scenario_of(object, root, "scenario");
    finding_.original = scenario_of(object, root, "original");
    if (const LocatedJson* standstill = object.find("standstill")) {
      read_standstill(*standstill);
    } else {
      read_conflict(object, root);
    }
    read_trace(object, root);
    if (const LocatedJson* origin = object.find("origin")) read_origin(*origin);
    return std::move(finding_);
  }

 private:
  const LocatedJson* member(const JsonObject& object, const LocatedJson& owner, std::string_view name) {
    const LocatedJson* found = object.find(name);
    if (found == nullptr) reading_.complain(owner.offset, fmt::format("an object without \"{}\"", name), "it");
    return reading_.error() ? nullptr : found;
  }

  Scenario scenario_of(const JsonObject& object, const LocatedJson& root, std::string_view name) {
    const LocatedJson* node = member(object, root, name);
    return node == nullptr ? Scenario{} : scenario_in(reading_, *node, words_of_);
  }

  void read_conflict(const JsonObject& object, const LocatedJson& root) {
    const LocatedJson* node = member(object, root, "conflict");
    if (node == nullptr) return;
    const JsonObject conflict(reading_, *node, {"height", "first", "second"});
    finding_.height = conflict.number("height", {0, kMostHeight});
    finding_.first = side_of(conflict, *node, "first");
    finding_.second = side_of(conflict, *node, "second");
  }

  void read_standstill(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"since", "undecided", "blocked"});
    StandstillText standstill;
    standstill.since = object.number("since", {1, kMaxRound});
    for (const LocatedJson& seat : object.items("undecided", Kind::kArray)) {
      if (seat.kind != Kind::kString) reading_.complain(seat, "a seat");
      standstill.undecided.push_back(seat.text);
    }
    if (const LocatedJson* blocked = object.find("blocked")) {
      const JsonObject leader(reading_, *blocked, {"seat", "why"});
      standstill.blocked_seat = leader.text("seat");
      standstill.blocked = leader.text("why");
    }
    finding_.standstill = std::move(standstill);
  }

  ConflictSide side_of(const JsonObject& conflict, const LocatedJson& owner, std::string_view name) {
    ConflictSide side;
    const LocatedJson* node = member(conflict, owner, name);
    if (node == nullptr) return side;
    const JsonObject object(reading_, *node, {"seat", "value", "history"});
    side.seat = object.text("seat");
    side.value = object.text("value");
    for (const LocatedJson& item : object.items("history", Kind::kArray)) {
      const JsonObject entry(reading_, item, {"height", "value"});
      side.history.push_back({entry.number("height", {0, kMostHeight}), entry.text("value")});
    }
    return side;
  }

  void read_trace(const JsonObject& object, const LocatedJson& root) {
    const LocatedJson* node = member(object, root, "trace");
    if (node == nullptr) return;
    const JsonObject trace(reading_, *node, {"events", "fingerprint"});
    finding_.trace.events = trace.number("events", {0, ~0U});
    finding_.trace.fingerprint = trace.text("fingerprint");
    const std::string& digits = finding_.trace.fingerprint;
    if (digits.size() != kFingerprintDigits || digits.find_first_not_of("0123456789abcdef") != digits.npos) {
      reading_.complain(*node, fmt::format("a fingerprint of {} hexadecimal digits", kFingerprintDigits));
    }
  }

  // The settings belong to the generator; here they are only carried along.
  void read_origin(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"index", "settings"});
    Origin origin;
    origin.index = object.text("index");
    if (const LocatedJson* settings = member(object, node, "settings")) origin.settings = text_of(*settings).dump();
    finding_.origin = origin;
  }

  static nlohmann::ordered_json text_of(const LocatedJson& node) {
    nlohmann::ordered_json json;
    switch (node.kind) {
      case Kind::kNull: break;
      case Kind::kBoolean: json = node.boolean; break;
      case Kind::kNumber: json = node.number.value_or(0); break;
      case Kind::kString: json = node.text; break;
      case Kind::kArray:
        json = nlohmann::ordered_json::array();
        for (const LocatedJson& item : node.items) json.push_back(text_of(item));
        break;
      case Kind::kObject:
        json = nlohmann::ordered_json::object();
        for (const LocatedJson& item : node.items) json[item.name] = text_of(item);
        break;
    }
    return json;
  }

  JsonReading& reading_;
  const VocabularyOf& words_of_;
  Finding finding_;
};

}  // namespace

std::string to_json(const Finding& finding, const Vocabulary& words) {
  std::string text = "{\n  \"format\": \"nika-finding\",\n  \"version\": 1,\n";
  text += fmt::format("  \"property\": {},\n  \"kind\": {},\n", json_text(finding.property), json_text(finding.kind));
  text += fmt::format("  \"scenario\": {},\n", indented(finding.scenario, words));
  text += finding.standstill ? standstill_text(*finding.standstill) : conflict_text(finding);
  text += fmt::format("  \"trace\": {{\"events\": {}, \"fingerprint\": {}}},\n", finding.trace.events,
                      json_text(finding.trace.fingerprint));
  text += fmt::format("  \"shrink_runs\": {},\n", finding.shrink_runs);
  text += fmt::format("  \"original\": {}", indented(finding.original, words));
  if (finding.origin) {
    text += fmt::format(",\n  \"origin\": {{\"index\": {}, \"settings\": {}}}", json_text(finding.origin->index),
                        finding.origin->settings);
  }
  return text + "\n}\n";
}

Result<void> write_text_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return bad_input(fmt::format("{}: cannot be opened for writing", path));
  file << text;
  file.close();
  if (!file) return bad_input(fmt::format("{}: could not be written: is the disk full?", path));
  return {};
}

Result<Recording> recording_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of) {
  JsonReading reading(file, text);
  const LocatedJson root = reading.parse();
  Recording recording;
  if (!reading.error()) {
    const auto format = std::ranges::find(root.items, "format", &LocatedJson::name);
    if (root.kind != Kind::kObject || format == root.items.end()) {
      reading.complain(root, "a finding or a scenario: an object with a \"format\"");
    } else if (format->text == "nika-finding") {
      recording.finding = FindingReader(reading, words_of).read(root);
      recording.scenario = recording.finding->scenario;
      recording.property = recording.finding->property;
    } else if (format->text == "nika-attack") {
      Attack attack = attack_in(reading, root, words_of);
      recording.scenario = std::move(attack.flawed);
      recording.property = name_of(attack.property);
    } else if (format->text == "nika-scenario") {
      recording.scenario = scenario_in(reading, root, words_of);
    } else {
      reading.complain(*format, "\"nika-finding\", \"nika-attack\" or \"nika-scenario\"");
    }
  }
  if (reading.error()) return tl::unexpected(*reading.error());
  return recording;
}

Result<Recording> read_recording(const std::string& path, const VocabularyOf& words_of) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return recording_from_json(*text, path, words_of);
}

}  // namespace nika::store
