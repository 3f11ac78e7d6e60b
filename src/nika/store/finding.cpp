#include "nika/store/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/store/attack.hpp"
#include "nika/store/finding_reader.hpp"
#include "nika/store/json_parts.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::store {
namespace {

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

std::string list_of(const std::vector<std::string>& texts) { return "[" + joined(texts, ", ", json_text) + "]"; }

std::string claim_text(const ClaimRecord& claim) {
  const auto entry_text = [](const CommitEntry& entry) {
    return fmt::format("{{\"height\": {}, \"value\": {}}}", entry.height, json_text(entry.value));
  };
  return fmt::format("      {{\"seat\": {}, \"value\": {}, \"history\": [{}]}}", json_text(claim.seat),
                     json_text(claim.value), joined(claim.history, ", ", entry_text));
}

std::string trace_text(const RecordedTrace& trace) {
  return fmt::format(
      "{{\n    \"events\": {},\n    \"fingerprint\": \"{}\",\n    \"kinds\": {},\n    \"notes\": {},\n"
      "    \"data\": \"{}\"\n  }}",
      trace.events.size(), text_of(fingerprint_of(trace.events)), list_of(trace.kinds), list_of(trace.notes),
      base64_of(bytes_of(trace.events)));
}

void add(ByteText& text, const EvidenceRecord& evidence) {
  text.add(evidence.why);
  text.add(evidence.since, 4);
  text.add(evidence.height, 4);
  text.add(evidence.seats.size(), 8);
  for (const std::string& seat : evidence.seats) text.add(seat);
  text.add(evidence.claims.size(), 8);
  for (const ClaimRecord& claim : evidence.claims) {
    text.add(claim.seat);
    text.add(claim.value);
    text.add(claim.history.size(), 8);
    for (const CommitEntry& entry : claim.history) {
      text.add(entry.height, 4);
      text.add(entry.value);
    }
  }
}

}  // namespace

std::string mark_of(const Finding& finding) {
  ByteText text;
  text.add("nika finding");
  text.add(kFindingVersion, 4);
  text.add(finding.property);
  text.add(finding.kind);
  add(text, finding.evidence);
  if (finding.loop) add(text, *finding.loop);
  const Fingerprint trace = fingerprint_of(finding.trace.events);
  text.add(trace.low, 8);
  text.add(trace.high, 8);
  return text_of(nika::fingerprint_of(text.bytes().data(), text.bytes().size()));
}

std::string difference_between(const Finding& recorded, const Finding& shown) {
  if (recorded.property != shown.property) {
    return fmt::format("it breaks {}, recorded is {}", shown.property, recorded.property);
  }
  if (recorded.kind != shown.kind) {
    return fmt::format("it breaks {} by \"{}\", recorded is \"{}\"", shown.property, shown.kind, recorded.kind);
  }
  if (recorded.trace.events != shown.trace.events) {
    const auto [then, now] = std::ranges::mismatch(recorded.trace.events, shown.trace.events);
    return fmt::format(
        "the trace is not the recorded one: {} events with fingerprint {}, recorded {} with {}; "
        "event {} is the first that differs",
        shown.trace.events.size(), text_of(fingerprint_of(shown.trace.events)), recorded.trace.events.size(),
        text_of(fingerprint_of(recorded.trace.events)), then - recorded.trace.events.begin() + 1);
  }
  if (recorded.evidence != shown.evidence) return "what shows the violation is not what was recorded";
  return recorded.loop ? difference_between(*recorded.loop, shown.loop) : "";
}

std::string to_json(const EvidenceRecord& evidence) {
  std::vector<std::string> members;
  if (!evidence.why.empty()) members.push_back("\"why\": " + json_text(evidence.why));
  if (evidence.since > 0) members.push_back(fmt::format("\"since\": {}", evidence.since));
  if (evidence.height > 0) members.push_back(fmt::format("\"height\": {}", evidence.height));
  if (!evidence.seats.empty()) members.push_back("\"seats\": " + list_of(evidence.seats));
  if (!evidence.claims.empty()) {
    members.push_back(fmt::format("\"claims\": [\n{}\n    ]", joined(evidence.claims, ",\n", claim_text)));
  }
  if (members.empty()) return "{}";
  return fmt::format("{{\n    {}\n  }}", fmt::join(members, ",\n    "));
}

std::string to_json(const Finding& finding, const Vocabulary& words) {
  std::string text = fmt::format("{{\n  \"format\": \"nika-finding\",\n  \"version\": {},\n", kFindingVersion);
  text += fmt::format("  \"program\": {},\n", json_text(finding.program));
  text += fmt::format("  \"property\": {},\n  \"kind\": {},\n", json_text(finding.property), json_text(finding.kind));
  text += fmt::format("  \"scenario\": {},\n", indented(finding.scenario, words));
  text += fmt::format("  \"evidence\": {},\n", to_json(finding.evidence));
  if (finding.loop) text += fmt::format("  \"loop\": {},\n", to_json(*finding.loop));
  text += fmt::format("  \"fingerprint\": \"{}\",\n", mark_of(finding));
  text += fmt::format("  \"trace\": {},\n", trace_text(finding.trace));
  text += fmt::format("  \"shrink_runs\": {},\n", finding.shrink_runs);
  if (finding.is_cut_short) text += "  \"shrinking_cut_short\": true,\n";
  text += fmt::format("  \"original\": {}", indented(finding.original, words));
  if (finding.origin) {
    text += fmt::format(",\n  \"origin\": {{\"index\": {}, \"settings\": {}}}", json_text(finding.origin->index),
                        finding.origin->settings);
  }
  return text + "\n}\n";
}

Result<Recording> recording_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of) {
  JsonReading reading(file, text);
  const LocatedJson root = reading.parse();
  Recording recording;
  if (!reading.error()) {
    const auto format = std::ranges::find(root.items, "format", &LocatedJson::name);
    if (root.kind != LocatedJson::Kind::kObject || format == root.items.end()) {
      reading.complain(root, "a finding or a scenario: an object with a \"format\"");
    } else if (format->text == "nika-finding") {
      recording.finding = finding_in(reading, root, words_of);
      recording.scenario = recording.finding->scenario;
      recording.property = recording.finding->property;
    } else if (format->text == "nika-attack") {
      Attack attack = attack_in(reading, root, words_of);
      recording.scenario = std::move(attack.flawed);
      recording.property = attack.property;
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
