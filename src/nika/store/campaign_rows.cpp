#include "nika/store/campaign_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/base/require.hpp"
#include "nika/store/json_parts.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::store {
namespace {

constexpr unsigned kMostNumber = 1'000'000'000;

constexpr std::array<Table, 7> kTables{
    {{"setting", "name TEXT NOT NULL, value TEXT NOT NULL", 2, 1},
     {"program", "number INTEGER NOT NULL, version TEXT NOT NULL, fingerprint TEXT NOT NULL", 3, 1},
     {"progress", "first TEXT NOT NULL, last TEXT NOT NULL, counts TEXT NOT NULL", 3, 1},
     {"sighting",
      "position TEXT NOT NULL, property INTEGER NOT NULL, schedule TEXT NOT NULL, kind TEXT NOT NULL, scenario TEXT "
      "NOT "
      "NULL",
      5, 2},
     {"finding", "position TEXT NOT NULL, property INTEGER NOT NULL, name TEXT NOT NULL, finding TEXT NOT NULL", 4, 2},
     {"lesson", "number INTEGER NOT NULL, bytes BLOB NOT NULL", 2, 1},
     {"conclusion", "number INTEGER NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL", 3, 1}}};

std::string list_of(const std::vector<std::string>& texts) {
  return fmt::format("[{}]", joined(texts, ",", [](const std::string& text) { return json_text(text); }));
}

// Reads the rows; after the first complaint what it makes is of no use.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  CampaignRecord read(std::vector<Row>& rows) {
    for (Row& row : rows) {
      if (error_) break;
      read_row(row);
    }
    finish();
    return std::move(record_);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  void complain(std::string_view what) {
    if (!error_) error_ = Error{fmt::format("{}: what it holds makes no sense: {}", file_, what)};
  }
  Wide wide(const std::string& text) {
    const auto number = parse_wide(text);
    if (!number) complain("a number that is none");
    return number.value_or(0);
  }
  unsigned number(const std::string& text, unsigned below) {
    const Wide value = wide(text);
    if (value >= below) complain("a number that is too large");
    return value < below ? static_cast<unsigned>(value) : 0;
  }
  std::vector<std::string> list(const std::string& text) {
    JsonReading reading(file_, text);
    const LocatedJson root = reading.parse();
    std::vector<std::string> texts;
    if (!reading.error() && root.kind != LocatedJson::Kind::kArray) complain("a list that is none");
    for (const LocatedJson& item : root.items) {
      if (item.kind != LocatedJson::Kind::kString) complain("a text that is none");
      texts.push_back(item.text);
    }
    if (reading.error()) complain("a list that is none");
    return texts;
  }

  void read_row(Row& row) {
    const std::string_view table = row.table->name;
    std::vector<std::string>& v = row.values;
    if (table == "setting") {
      settings_[v[0]] = std::move(v[1]);
    } else if (table == "program") {
      record_.programs.push_back({v[1], v[2]});
    } else if (table == "progress") {
      auto counts = counts_from_json(v[2], file_);
      if (!counts) return complain("counts that are none");
      record_.stretches.push_back({wide(v[0]), wide(v[1]), *std::move(counts)});
    } else if (table == "sighting") {
      record_.sightings.push_back(
          {wide(v[0]), number(v[1], kMaxProperties), wide(v[2]), std::move(v[3]), std::move(v[4])});
    } else if (table == "finding") {
      record_.findings.push_back({wide(v[0]), number(v[1], kMaxProperties), std::move(v[2]), std::move(v[3])});
    } else if (table == "lesson") {
      lessons_[number(v[0], kMostNumber)] = std::move(v[1]);
    } else {
      record_.conclusion = ConclusionRecord{std::move(v[1]), std::move(v[2])};
    }
  }

  std::string setting(const std::string& name) {
    const auto found = settings_.find(name);
    if (found == settings_.end()) complain(fmt::format("it has no setting {}", name));
    return found == settings_.end() ? "" : found->second;
  }

  void finish() {
    CampaignPlan& plan = record_.plan;
    plan.command = setting("command");
    plan.settings = setting("settings");
    plan.properties = list(setting("properties"));
    plan.words = list(setting("words"));
    plan.first = wide(setting("first"));
    plan.last = wide(setting("last"));
    plan.whole = wide(setting("whole"));
    if (plan.first > plan.last || plan.last > plan.whole) complain("a part that is outside of the whole");
    if (record_.programs.empty()) complain("no program has made it");
    if (plan.properties.empty() || plan.properties.size() > kMaxProperties) complain("too many properties, or none");
    finish_stretches();
    std::size_t next = 0;
    for (auto& [number, bytes] : lessons_) {
      if (number != next++) complain("a lesson is missing");
      record_.lessons.push_back(std::move(bytes));
    }
    const auto place = [](const auto& record) { return std::pair(record.position, record.property); };
    std::ranges::sort(record_.sightings, {}, place);
    std::ranges::sort(record_.findings, {}, place);
    for (const SightingRecord& sighting : record_.sightings) {
      if (sighting.property >= plan.properties.size()) complain("a property that it does not judge");
    }
    for (const FindingRecord& finding : record_.findings) {
      if (finding.property >= plan.properties.size()) complain("a property that it does not judge");
    }
  }

  void finish_stretches() {
    std::ranges::sort(record_.stretches, {}, &Stretch::first);
    Wide end = record_.plan.first;
    Counts total;
    total.properties.resize(record_.plan.properties.size());
    for (const Stretch& stretch : record_.stretches) {
      if (stretch.first < end || stretch.last <= stretch.first || stretch.last > record_.plan.last)
        complain("parts that overlap, or are outside of the whole");
      end = stretch.last;
      if (!total.add(stretch.counts)) complain("counts that do not add up");
    }
  }

  const std::string& file_;
  std::optional<Error> error_;
  CampaignRecord record_;
  std::map<std::string, std::string> settings_;
  std::map<unsigned, std::string> lessons_;
};

}  // namespace

std::span<const Table> sealed_tables() { return kTables; }

const Table& table_named(std::string_view name) {
  const auto* const found = std::ranges::find(kTables, name, &Table::name);
  NIKA_REQUIRE(found != kTables.end());
  return *found;
}

std::string schema_of(const Table& table) {
  std::string_view rest = table.columns;
  std::string key;
  for (unsigned k = 0; k < table.key_columns; ++k) {
    key += fmt::format("{}{}", key.empty() ? "" : ", ", rest.substr(0, rest.find(' ')));
    rest.remove_prefix(std::min(rest.find(", "), rest.size() - 2) + 2);
  }
  return fmt::format("CREATE TABLE {}({}, mark TEXT NOT NULL, PRIMARY KEY({}))", table.name, table.columns, key);
}

std::string Row::key() const {
  std::string key(table->name);
  for (unsigned k = 0; k < table->key_columns; ++k) key += "/" + values[k];
  return key;
}

std::string Row::mark() const {
  std::string all(table->name);
  for (const std::string& value : values) all += fmt::format("\n{}\n", value.size()) + value;
  return text_of(nika::fingerprint_of(all.data(), all.size()));
}

std::string seal_of(const std::map<std::string, std::string>& marks) {
  std::string all;
  for (const auto& [key, mark] : marks) all += mark;
  return text_of(nika::fingerprint_of(all.data(), all.size()));
}

std::vector<Row> rows_of(const CampaignPlan& plan) {
  const Table* const table = &table_named("setting");
  return {{table, {"command", plan.command}},
          {table, {"settings", plan.settings}},
          {table, {"properties", list_of(plan.properties)}},
          {table, {"words", list_of(plan.words)}},
          {table, {"first", to_string(plan.first)}},
          {table, {"last", to_string(plan.last)}},
          {table, {"whole", to_string(plan.whole)}}};
}

Row row_of(unsigned number, const ProgramRecord& program) {
  return {&table_named("program"), {std::to_string(number), program.version, program.fingerprint}};
}

Row row_of(const Stretch& s) {
  return {&table_named("progress"), {to_string(s.first), to_string(s.last), to_json(s.counts)}};
}

Row row_of(const SightingRecord& s) {
  return {&table_named("sighting"),
          {to_string(s.position), std::to_string(s.property), to_string(s.index), s.kind, s.scenario}};
}

Row row_of(const FindingRecord& f) {
  return {&table_named("finding"), {to_string(f.position), std::to_string(f.property), f.name, f.finding}};
}

Row row_of_lesson(std::size_t number, std::string bytes) {
  return {&table_named("lesson"), {std::to_string(number), std::move(bytes)}};
}

Row row_of(const ConclusionRecord& conclusion) {
  return {&table_named("conclusion"), {"0", conclusion.verdict, conclusion.reason}};
}

Result<CampaignRecord> record_of(std::vector<Row> rows, const std::string& file) {
  Reader reader(file);
  CampaignRecord record = reader.read(rows);
  if (reader.error()) return tl::unexpected(*reader.error());
  return record;
}

}  // namespace nika::store
