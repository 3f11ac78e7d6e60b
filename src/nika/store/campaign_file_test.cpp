#include "nika/store/campaign_file.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::store {
namespace {

namespace fs = std::filesystem;

class CampaignFiles : public testing::Test {
 protected:
  CampaignFiles() {
    std::string pattern = (fs::temp_directory_path() / "nika-campaign-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~CampaignFiles() override { fs::remove_all(directory_); }
  std::string path(const std::string& name = "a.db") const { return (directory_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string bytes(const std::string& name = "a.db") const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  std::string error_of_reading(const std::string& name = "a.db") const {
    const auto record = read_campaign(path(name));
    return record ? "" : record.error().message.substr(path(name).size());
  }

  fs::path directory_;
};

const ProgramRecord kProgram{"0.1.0", "0123456789abcdef0123456789abcdef"};

CampaignPlan plan() {
  return {"twins", R"({"a":1,"max_findings":2})", {"agreement", "termination"}, 5, 105, 200, {"twins", "x y", "\"q\""}};
}

Counts counts(Wide each) {
  Counts counts{each, each + 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, {}};
  counts.properties.resize(2);
  counts.properties[1].unknown = each;
  counts.properties[1].unknown_because[static_cast<std::size_t>(Unjudged::kOverflow)] = each;
  counts.properties[0].violating = kMaxWide / 4;
  return counts;
}

CampaignProgress progress() {
  return {{{5, 10, counts(5)}, {20, 105, counts(85)}},
          {{7, 0, 8, "fork", "{\"a\": \"b\"}"}, {25, 1, 26, "stuck", ""}},
          {std::string("\0\1\2", 3), "x"},
          SpeedSample{0, 1.5, 90}};
}

CampaignFile open(const std::string& path) { return CampaignFile::open(path, plan(), kProgram, false).value(); }

// A campaign with a bit of everything.
void make(const std::string& path) {
  CampaignFile file = open(path);
  ASSERT_TRUE(file.save(progress()));
  ASSERT_TRUE(file.save(FindingRecord{7, 0, "name", "{}"}));
  ASSERT_TRUE(file.save(FindingRecord{25, 1, "name", ""}));
}

void expect_all(const CampaignRecord& record) {
  EXPECT_EQ(record.plan, plan());
  EXPECT_EQ(record.programs, std::vector{kProgram});
  EXPECT_EQ(record.stretches, progress().stretches);
  EXPECT_EQ(record.sightings, progress().sightings);
  EXPECT_EQ(record.findings, (std::vector<FindingRecord>{{7, 0, "name", "{}"}, {25, 1, "name", ""}}));
  EXPECT_EQ(record.lessons, progress().lessons);
  EXPECT_EQ(record.total().executed, 90U);
  EXPECT_EQ(record.missing(), 10U);
}

TEST_F(CampaignFiles, ReadBackAsTheyWereWritten) {
  make(path());
  const auto record = read_campaign(path());
  ASSERT_TRUE(record) << record.error().message;
  expect_all(*record);
  EXPECT_FALSE(record->conclusion);
  ASSERT_EQ(record->speed.size(), 1U);
  EXPECT_EQ(record->speed[0].executed, 90U);
  EXPECT_EQ(record->told().size(), 2U);  // of two properties, so that they are two
}

TEST_F(CampaignFiles, GoOnWhereTheyWere) {
  make(path());
  {
    CampaignFile file = open(path());
    EXPECT_EQ(file.session(), 1U);
    expect_all(file.take_found());
    CampaignProgress now = progress();
    now.stretches = {{5, 105, counts(100)}};
    now.sightings.erase(now.sightings.begin() + 1);
    now.lessons = {"y"};
    ASSERT_TRUE(file.save(now));
    ASSERT_TRUE(file.save(ConclusionRecord{"violated", "why"}));
  }
  const auto record = read_campaign(path()).value();
  EXPECT_EQ(record.stretches, (std::vector<Stretch>{{5, 105, counts(100)}}));
  EXPECT_EQ(record.sightings.size(), 1U);
  EXPECT_EQ(record.told().size(), 1U);  // a finding whose sighting no longer counts is not told
  EXPECT_EQ(record.lessons, (std::vector<std::string>{std::string("\0\1\2", 3), "x", "y"}));
  EXPECT_EQ(record.conclusion, (ConclusionRecord{"violated", "why"}));
  EXPECT_EQ(record.missing(), 0U);
}

TEST_F(CampaignFiles, AreReadWhileTheyAreWrittenAndHaveOneWriter) {
  make(path());
  CampaignFile file = open(path());
  ASSERT_TRUE(file.save(ConclusionRecord{"holds", ""}));
  EXPECT_TRUE(read_campaign(path())->conclusion);
  const auto other = CampaignFile::open(path(), plan(), kProgram, false);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            path() + ": another process is running this campaign; `campaign show` and `top` can look at it");
}

TEST_F(CampaignFiles, TakeNeitherAnotherPlanNorAnotherProgram) {
  make(path());
  CampaignPlan other = plan();
  other.words = {"twins", "--quiet"};  // may differ
  EXPECT_TRUE(CampaignFile::open(path(), other, kProgram, false));
  other.settings = "{}";
  EXPECT_FALSE(CampaignFile::open(path(), other, kProgram, false));
  const ProgramRecord program{"0.1.0", "f"};
  const auto refused = CampaignFile::open(path(), plan(), program, false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("built otherwise), whose results may differ"), std::string::npos);
  EXPECT_TRUE(CampaignFile::open(path(), plan(), program, true));
  EXPECT_EQ(read_campaign(path())->programs, (std::vector{kProgram, program}));
  EXPECT_TRUE(CampaignFile::open(path(), plan(), program, false));
}

TEST_F(CampaignFiles, AreTheOnlyThingThatIsRead) {
  EXPECT_EQ(error_of_reading("none.db"), ": cannot be opened: No such file or directory");
  write("empty.db", "");
  EXPECT_EQ(error_of_reading("empty.db"), ": is empty: it holds no campaign");
  write("text.db", "a text that is longer than the header of a database");
  EXPECT_EQ(error_of_reading("text.db"), ": is no database, expected the file of a campaign");
  EXPECT_FALSE(CampaignFile::open(path("text.db"), plan(), kProgram, false));
  EXPECT_EQ(bytes("text.db").substr(0, 6), "a text");
  fs::create_directory(path("directory.db"));
  EXPECT_EQ(error_of_reading("directory.db"), ": is a directory, expected the file of a campaign");
  EXPECT_FALSE(CampaignFile::open(path("directory.db"), plan(), kProgram, false));
  EXPECT_FALSE(CampaignFile::open("/dev/null", plan(), kProgram, false));
  EXPECT_FALSE(CampaignFile::open(path("no/such.db"), plan(), kProgram, false));
  execute("CREATE TABLE other(x)");
  EXPECT_EQ(error_of_reading(), ": is a database, but not the file of a campaign");
  EXPECT_FALSE(CampaignFile::open(path(), plan(), kProgram, false));
}

TEST_F(CampaignFiles, OfANewerFormatAreLeftAlone) {
  make(path());
  execute("PRAGMA user_version=2");
  EXPECT_EQ(error_of_reading(), ": is of format 2, expected 1, which this program reads: a newer Nika wrote it");
  EXPECT_FALSE(CampaignFile::open(path(), plan(), kProgram, false));
}

// Whoever changes a row, or takes one away, is noticed.
TEST_F(CampaignFiles, AreSealed) {
  for (const char* const change :
       {"UPDATE progress SET counts = replace(counts, '85', '86')", "DELETE FROM sighting WHERE position = '7'",
        "UPDATE setting SET value = '106' WHERE name = 'last'", "DELETE FROM seal", "DELETE FROM lesson",
        "DROP TABLE speed", "CREATE VIEW v AS SELECT 1", "UPDATE finding SET name = 'x'"}) {
    fs::remove(path());
    make(path());
    execute(change);
    EXPECT_NE(error_of_reading().find(": is damaged ("), std::string::npos) << change << error_of_reading();
    EXPECT_FALSE(CampaignFile::open(path(), plan(), kProgram, false)) << change;
  }
}

// A byte that is not as it was: one line, or it was one that says nothing.
TEST_F(CampaignFiles, WithAByteThatFlippedAreRefusedOrTellTheSame) {
  make(path());
  const std::string sound = bytes();
  Random random(7);
  const unsigned tries = kSanitized ? 200 : 600;
  unsigned refused = 0;
  for (unsigned i = 0; i < tries; ++i) {
    std::string flipped = sound;
    const std::size_t at = i < 100 ? i : random.below(flipped.size());
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.below(8)));
    write("flipped.db", flipped);
    const auto record = read_campaign(path("flipped.db"));
    if (record) {
      expect_all(*record);
    } else {
      ++refused;
      EXPECT_EQ(record.error().message.find('\n'), std::string::npos);
    }
    if (i % 10 == 0) (void)CampaignFile::open(path("flipped.db"), plan(), kProgram, false);
    for (const char* beside : {"-wal", "-shm", "-journal"}) fs::remove(path("flipped.db") + beside);
  }
  EXPECT_GT(refused, 0U);
}

TEST_F(CampaignFiles, ThatWereCutOffAreRefusedOrTellTheSame) {
  make(path());
  const std::string sound = bytes();
  for (std::size_t size = 16; size < sound.size(); size += sound.size() / 40) {
    write("cut.db", sound.substr(0, size));
    const auto record = read_campaign(path("cut.db"));
    if (record) expect_all(*record);  // nothing was lost
    if (size < sound.size() - 100) {
      EXPECT_FALSE(record) << size;
    }
  }
}

TEST(Counts, AddUpOrSayThatTheyCannot) {
  Counts sum = counts(1);
  EXPECT_TRUE(sum.add(counts(2)));
  EXPECT_EQ(sum.executed, 3U);
  EXPECT_TRUE(sum.add(counts(3)));
  EXPECT_TRUE(sum.add(counts(3)));
  const Counts before = sum;
  EXPECT_FALSE(sum.add(counts(4)));  // a fifth of a quarter of what fits
  EXPECT_EQ(sum, before);
  EXPECT_FALSE(sum.add(Counts()));
}

TEST(Counts, ReadBackWithEveryReason) {
  Counts all = counts(9);
  for (std::size_t w = 0; w < kUnjudgedCount; ++w) all.properties[0].unknown_because[w] = kMaxWide - w;
  const auto read = counts_from_json(to_json(all), "test");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, all);
  EXPECT_FALSE(counts_from_json("{}", "test"));
  EXPECT_FALSE(counts_from_json("[1", "test"));
}

}  // namespace
}  // namespace nika::store
