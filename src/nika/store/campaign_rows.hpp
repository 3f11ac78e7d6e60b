// The tables of a campaign's file, and its records as rows of texts and back. What comes from a file may be anything:
// it becomes a record or one line of error.
#pragma once

#include <map>
#include <span>

#include "nika/base/fingerprint.hpp"
#include "nika/store/campaign_record.hpp"

namespace nika::store {

struct Table {
  std::string_view name;
  std::string_view columns;  // as SQL declares them, less that of the mark
  unsigned column_count = 0;
  unsigned key_columns = 1;  // the first so many
};
// All whose rows are marked and sealed.
std::span<const Table> sealed_tables();
const Table& table_named(std::string_view name);
// As it is written into a new file, and found there again: of a sealed table, or of the two others.
std::string schema_of(const Table& table);
inline constexpr std::string_view kSeal = "CREATE TABLE seal(number INTEGER PRIMARY KEY, mark TEXT NOT NULL)";
inline constexpr std::string_view kSpeed =
    "CREATE TABLE speed(session INTEGER NOT NULL, seconds REAL NOT NULL, executed TEXT NOT NULL)";

struct Row {
  const Table* table = nullptr;
  std::vector<std::string> values;

  // Table and key.
  std::string key() const;
  std::string mark() const;
};

// The marks of all rows, by key, as one.
std::string seal_of(const std::map<std::string, std::string>& marks);

std::vector<Row> rows_of(const CampaignPlan& plan);
Row row_of(unsigned number, const ProgramRecord& program);
Row row_of(const Stretch& stretch);
Row row_of(const SightingRecord& sighting);
Row row_of(const FindingRecord& finding);
Row row_of_lesson(std::size_t number, std::string bytes);
Row row_of(const ConclusionRecord& conclusion);

// All rows of all sealed tables. `file` is what errors call them.
Result<CampaignRecord> record_of(std::vector<Row> rows, const std::string& file);

}  // namespace nika::store
