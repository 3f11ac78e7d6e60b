#include "nika/store/finding_reader.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "nika/store/json_parts.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

constexpr unsigned kMostHeight = 255;

class FindingReader {
 public:
  FindingReader(JsonReading& reading, const VocabularyOf& words_of) : reading_(reading), words_of_(words_of) {}

  Finding read(const LocatedJson& root) {
    check_version(reading_, root, "finding", kFindingVersion);
    if (reading_.error()) return {};
    const JsonObject object(reading_, root,
                            {"format", "version", "program", "property", "kind", "scenario", "evidence", "loop",
                             "fingerprint", "trace", "shrink_runs", "shrinking_cut_short", "original", "origin"});
    finding_.program = object.text("program");
    finding_.property = object.text("property");
    finding_.kind = object.text("kind");
    finding_.scenario = scenario_of(object, root, "scenario");
    finding_.original = scenario_of(object, root, "original");
    if (const LocatedJson* node = member(reading_, object, root, "evidence")) read_evidence(*node);
    if (const LocatedJson* node = member(reading_, object, root, "trace")) read_trace(*node);
    if (const LocatedJson* node = object.find("loop"))
      finding_.loop = loop_in(reading_, *node, finding_.trace.notes.size());
    if (const LocatedJson* node = member(reading_, object, root, "shrink_runs")) {
      if (!node->number) reading_.complain(*node, "a number");
      finding_.shrink_runs = node->number.value_or(0);
    }
    if (object.find("shrinking_cut_short") != nullptr) finding_.is_cut_short = object.boolean("shrinking_cut_short");
    if (const LocatedJson* node = object.find("origin")) read_origin(*node);
    check(object, root);
    return std::move(finding_);
  }

 private:
  // A finding that was edited says so itself.
  void check(const JsonObject& object, const LocatedJson& root) {
    const LocatedJson* mark = member(reading_, object, root, "fingerprint");
    if (mark == nullptr) return;
    if (const auto words = words_of_(finding_.scenario.protocol)) {
      check_property(reading_, *object.find("property"), words->properties);
    }
    if (mark->text != mark_of(finding_)) {
      reading_.complain(*mark, fmt::format("{}, the fingerprint of this property, kind, evidence{} and trace: one of "
                                           "them was changed",
                                           mark_of(finding_), finding_.loop ? ", loop" : ""));
    }
  }

  Scenario scenario_of(const JsonObject& object, const LocatedJson& root, std::string_view name) {
    const LocatedJson* node = member(reading_, object, root, name);
    Scenario scenario = node == nullptr ? Scenario{} : scenario_in(reading_, *node, words_of_);
    // Nothing in a timed run depends on it, so that the trace would not tell.
    if (!reading_.error() && name == "scenario" && scenario.timing && scenario.heal_rounds > 1) {
      reading_.complain(*node, "a timed scenario with \"rounds\" of 1 in its \"heal\", as findings have");
    }
    return scenario;
  }

  void read_evidence(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"why", "since", "height", "seats", "claims"});
    EvidenceRecord& evidence = finding_.evidence;
    if (object.find("why") != nullptr) evidence.why = object.text("why");
    if (object.find("since") != nullptr) evidence.since = object.number("since", {1, 255});
    if (object.find("height") != nullptr) evidence.height = object.number("height", {1, kMostHeight});
    if (object.find("seats") != nullptr) evidence.seats = texts_in(reading_, object, "seats");
    if (object.find("claims") == nullptr) return;
    for (const LocatedJson& item : object.items("claims", Kind::kArray)) evidence.claims.push_back(claim_in(item));
  }

  ClaimRecord claim_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"seat", "value", "history"});
    ClaimRecord claim{object.text("seat"), object.text("value"), {}};
    for (const LocatedJson& item : object.items("history", Kind::kArray)) {
      const JsonObject entry(reading_, item, {"height", "value"});
      claim.history.push_back({entry.number("height", {0, kMostHeight}), entry.text("value")});
    }
    return claim;
  }

  void read_trace(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"events", "fingerprint", "kinds", "notes", "data"});
    const unsigned count = object.number("events", {0, ~0U});
    const std::string fingerprint = object.text("fingerprint");
    finding_.trace.kinds = texts_in(reading_, object, "kinds");
    finding_.trace.notes = texts_in(reading_, object, "notes");
    const std::string data = object.text("data");
    if (reading_.error()) return;
    const auto bytes = bytes_in_base64(data);
    if (!bytes) return complain_about_data(object, bytes.error());
    auto events = events_in(*bytes, finding_.trace.notes.size());
    if (!events) return complain_about_data(object, events.error());
    finding_.trace.events = *std::move(events);
    if (finding_.trace.events.size() != count) {
      return reading_.complain(*object.find("events"),
                               fmt::format("{}, as many as there are in \"data\"", finding_.trace.events.size()));
    }
    const std::string expected = text_of(fingerprint_of(finding_.trace.events));
    if (fingerprint != expected) {
      reading_.complain(*object.find("fingerprint"), expected + ", the fingerprint of these events");
    }
  }

  void complain_about_data(const JsonObject& object, const Error& error) {
    reading_.complain(*object.find("data"), error);
  }

  // The settings belong to the generator; here they are only carried along.
  void read_origin(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"index", "settings"});
    Origin origin;
    origin.index = object.text("index");
    if (const LocatedJson* settings = member(reading_, object, node, "settings"))
      origin.settings = json_of(*settings).dump();
    finding_.origin = origin;
  }

  static nlohmann::ordered_json json_of(const LocatedJson& node) {
    nlohmann::ordered_json json;
    switch (node.kind) {
      case Kind::kNull: break;
      case Kind::kBoolean: json = node.boolean; break;
      case Kind::kNumber: json = nlohmann::ordered_json::parse(node.text, nullptr, false); break;
      case Kind::kString: json = node.text; break;
      case Kind::kArray:
        json = nlohmann::ordered_json::array();
        for (const LocatedJson& item : node.items) json.push_back(json_of(item));
        break;
      case Kind::kObject:
        json = nlohmann::ordered_json::object();
        for (const LocatedJson& item : node.items) json[item.name] = json_of(item);
        break;
    }
    return json;
  }

  JsonReading& reading_;
  const VocabularyOf& words_of_;
  Finding finding_;
};

}  // namespace

Finding finding_in(JsonReading& reading, const LocatedJson& root, const VocabularyOf& words_of) {
  return FindingReader(reading, words_of).read(root);
}

}  // namespace nika::store
