#include "nika/store/campaign_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/printable.hpp"
#include "nika/store/campaign_rows.hpp"
#include "nika/store/database.hpp"

namespace nika::store {
namespace {

constexpr int kApplication = 0x4e696b61;  // "Nika", in the header of the file

std::string shown(const Database& database) { return shortened(printable(database.path()), 120); }

// Whether nothing was ever stored in it: a program that made it was killed at once.
bool is_blank(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0 &&
         database.execAndGet("PRAGMA application_id").getInt() == 0;
}

std::vector<std::string> expected_schema() {
  std::vector<std::string> schema{std::string(kSeal), std::string(kSpeed)};
  for (const Table& table : sealed_tables()) schema.push_back(schema_of(table));
  std::ranges::sort(schema);
  return schema;
}

// Whether this program can read it: whose it is, of which format, and that the tables are those of that format.
Result<void> check_format(const Database& file, SQLite::Database& database) {
  const int application = database.execAndGet("PRAGMA application_id").getInt();
  const int format = database.execAndGet("PRAGMA user_version").getInt();
  if (application != kApplication)
    return bad_input(fmt::format("{}: is a database, but not the file of a campaign", shown(file)));
  if (format != kCampaignFormat) {
    return bad_input(fmt::format("{}: is of format {}, expected {}, which this program reads{}", shown(file), format,
                                 kCampaignFormat, format > kCampaignFormat ? ": a newer Nika wrote it" : ""));
  }
  std::vector<std::string> schema;
  SQLite::Statement all(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
  while (all.executeStep()) schema.push_back(all.getColumn(0).getString());
  std::ranges::sort(schema);
  if (schema != expected_schema()) return tl::unexpected(file.damaged("its tables are others"));
  SQLite::Statement check(database, "PRAGMA quick_check(1)");
  if (!check.executeStep() || check.getColumn(0).getString() != "ok")
    return tl::unexpected(file.damaged(check.getColumn(0).getString()));
  return {};
}

Result<std::vector<Row>> sealed_rows(const Database& file, SQLite::Database& database,
                                     std::map<std::string, std::string>& marks) {
  std::vector<Row> rows;
  for (const Table& table : sealed_tables()) {
    SQLite::Statement all(database, fmt::format("SELECT * FROM {}", table.name));
    while (all.executeStep()) {
      Row row{&table, {}};
      for (unsigned c = 0; c < table.column_count; ++c)
        row.values.push_back(all.getColumn(static_cast<int>(c)).getString());
      std::string mark = row.mark();
      if (all.getColumn(static_cast<int>(table.column_count)).getString() != mark)
        return tl::unexpected(file.damaged(fmt::format("a row of {} is not as it was written", table.name)));
      marks[row.key()] = std::move(mark);
      rows.push_back(std::move(row));
    }
  }
  SQLite::Statement seal(database, "SELECT mark FROM seal");
  if (!seal.executeStep() || seal.getColumn(0).getString() != seal_of(marks))
    return tl::unexpected(file.damaged("rows are missing"));
  return rows;
}

// Only for people: a sample that makes no sense is left out.
std::vector<SpeedSample> speed_in(SQLite::Database& database) {
  std::vector<SpeedSample> speed;
  SQLite::Statement all(database, "SELECT session, seconds, executed FROM speed ORDER BY session, seconds");
  while (all.executeStep()) {
    const auto executed = parse_wide(all.getColumn(2).getString());
    if (executed) speed.push_back({all.getColumn(0).getUInt(), all.getColumn(1).getDouble(), *executed});
  }
  return speed;
}

Result<CampaignRecord> read_all(const Database& file, SQLite::Database& database,
                                std::map<std::string, std::string>& marks) {
  SQLite::Transaction at_one_moment(database);
  if (is_blank(database)) return bad_input(fmt::format("{}: holds no campaign yet", shown(file)));
  if (auto sound = check_format(file, database); !sound) return tl::unexpected(sound.error());
  auto rows = sealed_rows(file, database, marks);
  if (!rows) return tl::unexpected(rows.error());
  auto record = record_of(*std::move(rows), shown(file));
  if (record) record->speed = speed_in(database);
  return record;
}

template <class T>
Result<T> flat(Result<Result<T>> result) {
  if (!result) return tl::unexpected(result.error());
  return *std::move(result);
}

}  // namespace

// What one transaction writes.
class CampaignFile::Change {
 public:
  Change(SQLite::Database& database, std::map<std::string, std::string>& marks) : database_(database), marks_(marks) {}

  void put(const Row& row) {
    std::string mark = row.mark();
    std::string& known = marks_[row.key()];
    if (known == mark) return;
    std::string places;
    for (unsigned c = 0; c < row.table->column_count; ++c) places += "?,";
    SQLite::Statement insert(database_, fmt::format("INSERT OR REPLACE INTO {} VALUES({}?)", row.table->name, places));
    int column = 0;
    const bool is_lesson = row.table->name == "lesson";
    for (const std::string& value : row.values) {
      ++column;
      if (is_lesson && column == 2) {
        insert.bind(column, static_cast<const void*>(value.data()), static_cast<int>(value.size()));
      } else {
        insert.bind(column, value);
      }
    }
    insert.bind(column + 1, mark);
    insert.exec();
    known = std::move(mark);
  }

  // The table holds these rows and no others.
  void set(std::string_view table, const std::vector<Row>& rows) {
    std::map<std::string, bool> wanted;
    for (const Row& row : rows) wanted[row.key()] = true;
    const std::string start = std::string(table) + "/";
    for (auto known = marks_.lower_bound(start); known != marks_.end() && known->first.starts_with(start);) {
      if (wanted.contains(known->first)) {
        ++known;
        continue;
      }
      drop(table_named(table), known->first.substr(start.size()));
      known = marks_.erase(known);
    }
    for (const Row& row : rows) put(row);
  }

  void seal() {
    SQLite::Statement insert(database_, "INSERT OR REPLACE INTO seal VALUES(0, ?)");
    insert.bind(1, seal_of(marks_));
    insert.exec();
  }
  void add(const SpeedSample& sample) {
    SQLite::Statement insert(database_, "INSERT INTO speed VALUES(?, ?, ?)");
    insert.bind(1, sample.session);
    insert.bind(2, sample.seconds);
    insert.bind(3, to_string(sample.executed));
    insert.exec();
  }
  SQLite::Database& database() { return database_; }

 private:
  void drop(const Table& table, const std::string& key) {
    const bool has_two = table.key_columns == 2;
    const std::string_view first = table.columns.substr(0, table.columns.find(' '));
    SQLite::Statement statement(
        database_, fmt::format("DELETE FROM {} WHERE {} = ?{}", table.name, first, has_two ? " AND property = ?" : ""));
    statement.bind(1, key.substr(0, key.find('/')));
    if (has_two) statement.bind(2, key.substr(key.find('/') + 1));
    statement.exec();
  }

  SQLite::Database& database_;
  std::map<std::string, std::string>& marks_;
};

CampaignFile::CampaignFile(std::unique_ptr<Database> database) : database_(std::move(database)) {}
CampaignFile::CampaignFile(CampaignFile&&) noexcept = default;
CampaignFile& CampaignFile::operator=(CampaignFile&&) noexcept = default;
CampaignFile::~CampaignFile() = default;

template <class Body>
Result<void> CampaignFile::change(const Body& body) {
  std::map<std::string, std::string> marks = marks_;
  auto done = database_->guarded([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    Change change(database, marks);
    body(change);
    change.seal();
    transaction.commit();
  });
  if (done) marks_ = std::move(marks);
  return done;
}

Result<CampaignFile> CampaignFile::open(const std::string& path, const CampaignPlan& plan, const ProgramRecord& program,
                                        bool takes_other_program) {
  auto database = Database::to_write(path);
  if (!database) return tl::unexpected(database.error());
  CampaignFile file(std::make_unique<Database>(*std::move(database)));
  const auto blank = file.database_->guarded([](SQLite::Database& d) { return is_blank(d); });
  if (!blank) return tl::unexpected(blank.error());
  const auto done = *blank ? file.make(plan, program) : file.go_on(plan, program, takes_other_program);
  if (!done) return tl::unexpected(done.error());
  return file;
}

Result<void> CampaignFile::make(const CampaignPlan& plan, const ProgramRecord& program) {
  auto logged = database_->guarded(
      [](SQLite::Database& database) { database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"); });
  if (!logged) return logged;
  found_.plan = plan;
  found_.programs = {program};
  return change([&](Change& change) {
    for (const std::string& table : expected_schema()) change.database().exec(table);
    change.database().exec(
        fmt::format("PRAGMA application_id={}; PRAGMA user_version={};", kApplication, kCampaignFormat));
    for (const Row& row : rows_of(plan)) change.put(row);
    change.put(row_of(0, program));
  });
}

Result<void> CampaignFile::go_on(const CampaignPlan& plan, const ProgramRecord& program, bool takes_other_program) {
  auto found = flat(database_->guarded([&](SQLite::Database& d) { return read_all(*database_, d, marks_); }));
  if (!found) return tl::unexpected(found.error());
  found_ = *std::move(found);
  CampaignPlan same = plan;
  same.words = found_.plan.words;
  if (same != found_.plan) {
    return bad_input(
        fmt::format("{}: holds another campaign, of {} with other settings: give this one a file of its "
                    "own, or go on with that by `campaign resume`",
                    shown(*database_), shortened(printable(found_.plan.command), 20)));
  }
  const ProgramRecord& last = found_.programs.back();
  if (last != program && !takes_other_program) {
    return bad_input(fmt::format(
        "{}: was made by another program (nika {}, this is nika {}{}), whose results may differ: go on with that one, "
        "or say --other-program",
        shown(*database_), shortened(printable(last.version), 20), program.version,
        last.version == program.version ? ", built otherwise" : ""));
  }
  lesson_count_ = found_.lessons.size();
  for (const SpeedSample& sample : found_.speed) session_ = std::max(session_, sample.session + 1);
  auto logged = database_->guarded(
      [](SQLite::Database& database) { database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"); });
  if (!logged || last == program) return logged;
  found_.programs.push_back(program);
  const auto number = static_cast<unsigned>(found_.programs.size()) - 1;
  return change([&](Change& change) { change.put(row_of(number, program)); });
}

Result<void> CampaignFile::save(const CampaignProgress& progress) {
  std::vector<Row> stretches;
  for (const Stretch& stretch : progress.stretches) stretches.push_back(row_of(stretch));
  std::vector<Row> sightings;
  for (const SightingRecord& sighting : progress.sightings) sightings.push_back(row_of(sighting));
  auto done = change([&](Change& change) {
    change.set("progress", stretches);
    change.set("sighting", sightings);
    for (std::size_t i = 0; i < progress.lessons.size(); ++i)
      change.put(row_of_lesson(lesson_count_ + i, progress.lessons[i]));
    if (progress.sample) change.add(*progress.sample);
  });
  if (done) lesson_count_ += progress.lessons.size();
  return done;
}

Result<void> CampaignFile::save(const FindingRecord& finding) {
  return change([&](Change& change) { change.put(row_of(finding)); });
}

Result<void> CampaignFile::save(const ConclusionRecord& conclusion) {
  return change([&](Change& change) { change.put(row_of(conclusion)); });
}

Result<CampaignRecord> read_campaign(const std::string& path) {
  const auto database = Database::to_read(path);
  if (!database) return tl::unexpected(database.error());
  std::map<std::string, std::string> marks;
  return flat(database->guarded([&](SQLite::Database& d) { return read_all(*database, d, marks); }));
}

}  // namespace nika::store
