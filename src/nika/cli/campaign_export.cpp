// What a campaign's file holds as rows, for other programs: comma-separated values or one JSON object a line.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/base/printable.hpp"
#include "nika/cli/campaign_show.hpp"

namespace nika::cli {
namespace {

struct Export {
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;
};

Json decimal(Wide count) { return json_count(count); }

Export properties_of(const store::CampaignRecord& record) {
  Export table{{"property", "verdict", "count", "reason"}, {}};
  const store::Counts total = record.total();
  for (std::size_t p = 0; p < total.properties.size(); ++p) {
    const store::PropertyCounts& counts = total.properties[p];
    const std::string& name = record.plan.properties[p];
    const Wide judged = counts.violating + counts.unknown;
    table.rows.push_back({name, "holds", decimal(total.scenarios - std::min(total.scenarios, judged)), ""});
    table.rows.push_back({name, "violated", decimal(counts.violating), ""});
    for (std::size_t w = 0; w < kUnjudgedCount; ++w) {
      if (counts.unknown_because[w] == 0) continue;
      const std::string reason(text_of(static_cast<Unjudged>(w)));
      table.rows.push_back({name, "unknown", decimal(counts.unknown_because[w]), reason});
    }
  }
  return table;
}

Export progress_of(const store::CampaignRecord& record) {
  Export table{{"first", "last", "executed", "scenarios", "violating", "unknown", "committed"}, {}};
  for (const store::Stretch& s : record.stretches) {
    table.rows.push_back({decimal(s.first), decimal(s.last), decimal(s.counts.executed), decimal(s.counts.scenarios),
                          decimal(s.counts.violating), decimal(s.counts.unknown), decimal(s.counts.committed)});
  }
  return table;
}

Export findings_of(const store::CampaignRecord& record) {
  Export table{{"position", "property", "name", "finding"}, {}};
  for (const store::FindingRecord* finding : record.told()) {
    table.rows.push_back(
        {decimal(finding->position), record.plan.properties[finding->property], finding->name, finding->finding});
  }
  return table;
}

Export sightings_of(const store::CampaignRecord& record) {
  Export table{{"position", "property", "index", "kind", "scenario"}, {}};
  for (const store::SightingRecord& s : record.sightings)
    table.rows.push_back(
        {decimal(s.position), record.plan.properties[s.property], decimal(s.index), s.kind, s.scenario});
  return table;
}

Export speed_of(const store::CampaignRecord& record) {
  Export table{{"session", "seconds", "executed"}, {}};
  for (const store::SpeedSample& s : record.speed) table.rows.push_back({s.session, s.seconds, decimal(s.executed)});
  return table;
}

struct Named {
  std::string_view name;
  Export (*make)(const store::CampaignRecord&);
};
constexpr std::array<Named, 5> kTables{{{"properties", properties_of},
                                        {"progress", progress_of},
                                        {"sightings", sightings_of},
                                        {"findings", findings_of},
                                        {"speed", speed_of}}};

// Its lines, without any character that a terminal would obey.
std::string printable_lines(std::string_view text) {
  std::string lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return lines + printable(text);
}

// A field as RFC 4180 has it.
std::string field(const Json& value) {
  const std::string text = value.is_string() ? printable_lines(value.get<std::string>()) : value.dump();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_of(const Export& table) {
  std::string text;
  const auto line = [&](const auto& values, const auto& to_text) {
    for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ",") + to_text(values[i]);
    text += "\r\n";
  };
  line(table.columns, [](const std::string& name) { return name; });
  for (const auto& row : table.rows) line(row, field);
  return text;
}

std::string lines_of_json(const Export& table) {
  std::string text;
  for (const auto& row : table.rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = row[i];
    text += printable_json(object.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
  }
  return text;
}

}  // namespace

Result<std::string> exported(const store::CampaignRecord& record, const std::string& table, const std::string& format) {
  const auto* const found = std::ranges::find(kTables, table, &Named::name);
  if (found == kTables.end()) {
    return bad_input(
        fmt::format("read --table {}, expected properties, progress, sightings, findings or speed", in_quotes(table)));
  }
  const Export rows = found->make(record);
  return format == "csv" ? csv_of(rows) : lines_of_json(rows);
}

}  // namespace nika::cli
