#include "nika/cli/campaign_show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/base/printable.hpp"
#include "nika/cli/told_finding.hpp"
#include "nika/store/scenario_json.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::cli {
namespace {

std::string fingerprint_text(const std::string& text) {
  return store::text_of(nika::fingerprint_of(text.data(), text.size()));
}

// JSON that was stored; what cannot be read, or is nested without end, is a text.
Json parsed(const std::string& text) {
  JsonReading reading("", text);
  (void)reading.parse();
  if (reading.error()) return Json(text);
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

Json json_of_counts(const store::CampaignRecord& record, const store::Counts& total) {
  Json list = Json::array();
  for (std::size_t p = 0; p < total.properties.size(); ++p) {
    const store::PropertyCounts& counts = total.properties[p];
    Json because = Json::object();
    for (std::size_t w = 0; w < kUnjudgedCount; ++w) {
      if (counts.unknown_because[w] > 0)
        because[std::string(text_of(static_cast<Unjudged>(w)))] = json_count(counts.unknown_because[w]);
    }
    list.push_back(Json{{"name", record.plan.properties[p]},
                        {"violating", json_count(counts.violating)},
                        {"unknown", json_count(counts.unknown)},
                        {"unknown_because", because}});
  }
  return list;
}

// The words of the one protocol that a file is of; an error if there is none of that name.
Result<Json> json_of_finding(const store::CampaignRecord& record, const store::FindingRecord& stored,
                             const Registry& registry) {
  const auto sighting = std::ranges::find_if(record.sightings, [&](const store::SightingRecord& s) {
    return s.position == stored.position && s.property == stored.property;
  });
  auto read = store::recording_from_json(stored.finding, "a finding of the campaign", words_in(registry));
  if (!read) return tl::unexpected(read.error());
  if (!read->finding) return bad_input("a finding of the campaign is a scenario alone");
  Json json = json_of(ToldFinding{*std::move(read->finding), {}, "", sighting->index});
  json.erase("file");
  json["position"] = json_count(stored.position);
  json["name"] = stored.name;
  json["fingerprint"] = fingerprint_text(stored.finding);
  json["scenario"] = parsed(stored.finding)["scenario"];
  return json;
}

std::string reason_of(const store::CampaignRecord& record) {
  if (record.conclusion) return record.conclusion->reason;
  if (record.missing() > 0)
    return fmt::format("{} of {} were not run yet", grouped(record.missing()), grouped(record.asked()));
  return "what was found is not shrunk yet";
}

}  // namespace

Conclusion conclusion_of(const store::CampaignRecord& record) {
  if (record.conclusion) {
    for (const Conclusion c : {Conclusion::kHolds, Conclusion::kNoneFound, Conclusion::kViolated}) {
      if (name_of(c) == record.conclusion->verdict) return c;
    }
    return Conclusion::kUnknown;
  }
  return record.total().violating > 0 ? Conclusion::kViolated : Conclusion::kUnknown;
}

Wide covered(const store::Counts& counts) { return counts.scenarios - std::min(counts.scenarios, counts.unknown); }

std::string title_of(const store::CampaignRecord& record) {
  std::string title = record.plan.command;
  const std::vector<std::string>& words = record.plan.words;
  if (words.size() > 1 && !words[1].starts_with("-")) title += " " + words[1];
  return shortened(printable(title), 60);
}

Result<Json> json_of(const store::CampaignRecord& record, const Registry& registry) {
  const store::Counts total = record.total();
  Json json;
  json["command"] = "campaign show";
  json["campaign"] = record.plan.command;
  json["words"] = record.plan.words;
  json["settings"] = parsed(record.plan.settings);
  json["programs"] = Json::array();
  for (const store::ProgramRecord& program : record.programs)
    json["programs"].push_back(Json{{"version", program.version}, {"fingerprint", program.fingerprint}});
  json["first"] = json_count(record.plan.first);
  json["last"] = json_count(record.plan.last);
  json["whole"] = json_count(record.plan.whole);
  json["asked"] = json_count(record.asked());
  json["executed"] = json_count(total.executed);
  json["scenarios"] = json_count(total.scenarios);
  json["covered"] = json_count(covered(total));
  json["violating"] = json_count(total.violating);
  json["unknown"] = json_count(total.unknown);
  json["committed"] = json_count(total.committed);
  json["properties"] = json_of_counts(record, total);
  json["verdict"] = name_of(conclusion_of(record));
  const std::string reason = reason_of(record);
  json["reason"] = reason.empty() ? Json(nullptr) : Json(reason);
  json["complete"] = record.conclusion.has_value();
  json["findings"] = Json::array();
  for (const store::FindingRecord* finding : record.told()) {
    if (finding->finding.empty()) continue;  // of parts that were merged, and not shrunk again yet
    auto told = json_of_finding(record, *finding, registry);
    if (!told) return told;
    json["findings"].push_back(*std::move(told));
  }
  return json;
}

void print_campaign(const store::CampaignRecord& record) {
  const Paint paint;
  const store::Counts total = record.total();
  const Conclusion conclusion = conclusion_of(record);
  fmt::print("{}\n", paint.bold(title_of(record)));
  std::string words;
  for (const std::string& word : record.plan.words) words += " " + word;
  fmt::print("  made by    nika {}:{}\n", printable(record.programs.front().version), printable(words));
  fmt::print("  executed   {} of {}{}\n", grouped(total.executed), grouped(record.asked()),
             record.conclusion ? ", complete" : "");
  fmt::print("  covered    {}, violating {}, unknown {}\n", grouped(covered(total)), grouped(total.violating),
             grouped(total.unknown));
  for (std::size_t p = 0; p < total.properties.size(); ++p) {
    fmt::print("  {:<10} broken in {}, unknown in {}\n", printable(record.plan.properties[p]),
               grouped(total.properties[p].violating), grouped(total.properties[p].unknown));
  }
  fmt::print("  findings   {}\n", record.told().size());
  if (!record.speed.empty()) {
    const store::SpeedSample& last = record.speed.back();
    fmt::print("  sessions   {}, the last one for {:.0f} s\n", last.session + 1, last.seconds);
  }
  fmt::print("{}\n", paint.conclusion(conclusion, name_of(conclusion)));
  if (const std::string reason = reason_of(record); !reason.empty()) fmt::print("  {}\n", printable(reason));
}

}  // namespace nika::cli
