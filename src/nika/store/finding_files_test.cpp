#include "nika/store/finding_files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

namespace nika::store {
namespace {

namespace fs = std::filesystem;

// An empty directory that is gone after the test.
class Directory {
 public:
  Directory() : path_(fs::path(::testing::TempDir()) / ("nika_finding_files_test_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  fs::path path_;
};

// No file can grow beyond so many bytes: what a full disk looks like to who writes.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

Finding example() {
  Finding finding;
  finding.property = "agreement";
  finding.scenario.protocol = "diembft";
  finding.scenario.bugs = {"quorum-2f"};
  finding.scenario.rounds.resize(1);
  finding.scenario.rounds[0].leaders.insert(Identity{0});
  finding.original = finding.scenario;
  return finding;
}

TEST(WriteTextFile, WritesTheWholeTextAndNothingBesides) {
  const Directory directory;
  ASSERT_TRUE(write_text_file(directory / "a.json", "first").has_value());
  ASSERT_TRUE(write_text_file(directory / "a.json", "second").has_value());
  EXPECT_EQ(read_text_file(directory / "a.json").value(), "second");
  EXPECT_EQ(directory.names(), std::set<std::string>{"a.json"});
}

TEST(WriteTextFile, AFullDiskLeavesWhatWasThere) {
  const Directory directory;
  ASSERT_TRUE(write_text_file(directory / "old.json", "old").has_value());
  {
    const SmallDisk disk(1000);
    const std::string text(4000, 'x');
    EXPECT_EQ(write_text_file(directory / "new.json", text).error().message,
              directory / "new.json" + ": could not be written: File too large");
    EXPECT_FALSE(write_text_file(directory / "old.json", text).has_value());
    EXPECT_FALSE(store_finding(example(), {}, {1, 2}, directory.path()).has_value() &&
                 to_json(example(), {}).size() > 1000);
  }
  EXPECT_EQ(read_text_file(directory / "old.json").value(), "old");
  EXPECT_FALSE(directory.names().contains("new.json"));
  for (const std::string& name : directory.names()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST(WriteTextFile, WhereNothingCanBeMadeIsAnErrorOfOneLine) {
  const Directory directory;
  EXPECT_EQ(write_text_file(directory / "none/a.json", "text").error().message,
            directory / "none/a.json" + ": cannot be made: No such file or directory");
  EXPECT_EQ(write_text_file(directory.path(), "text").error().message,
            directory.path() + ": is a directory, expected the name of a file");
  EXPECT_FALSE(write_text_file("/proc/nika.json", "text").has_value());
  EXPECT_EQ(directory.names(), std::set<std::string>{});
}

TEST(WriteTextFile, ADeviceStaysADevice) {
  EXPECT_TRUE(write_text_file("/dev/null", "text").has_value());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_text_file("/dev/full", "text").error().message,
            "/dev/full: could not be written: No space left on device");
}

TEST(WriteTextFile, FollowsALink) {
  const Directory directory;
  ASSERT_TRUE(write_text_file(directory / "real.json", "old").has_value());
  fs::create_symlink("real.json", directory / "link.json");
  ASSERT_TRUE(write_text_file(directory / "link.json", "new").has_value());
  EXPECT_TRUE(fs::is_symlink(directory / "link.json"));
  EXPECT_EQ(read_text_file(directory / "real.json").value(), "new");
}

TEST(StoreFinding, TheSameFindingAgainIsTheSameFile) {
  const Directory directory;
  const auto first = store_finding(example(), {}, {1, 0xfedcba9876543210}, directory / "deep/er");
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(first->path, directory / "deep/er/diembft-quorum-2f-agreement-fedcba9876543210.json");
  EXPECT_TRUE(first->is_new);
  const std::string text = read_text_file(first->path).value();
  const auto again = store_finding(example(), {}, {1, 0xfedcba9876543210}, directory / "deep/er");
  EXPECT_EQ(again->path, first->path);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(read_text_file(first->path).value(), text);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory / "deep/er"), {}), 1);
}

TEST(StoreFinding, AFileWithOtherContentStays) {
  const Directory directory;
  Finding finding = example();
  std::vector<std::string> paths;
  for (const std::uint64_t runs : {1, 2, 3, 2}) {
    finding.shrink_runs = runs;
    const auto stored = store_finding(finding, {}, {0, 1}, directory.path());
    ASSERT_TRUE(stored.has_value()) << stored.error().message;
    EXPECT_EQ(read_text_file(stored->path).value(), to_json(finding, {}));
    paths.push_back(stored->path);
  }
  const std::string name = directory / "diembft-quorum-2f-agreement-0000000000000001";
  EXPECT_EQ(paths, (std::vector<std::string>{name + ".json", name + "-2.json", name + "-3.json", name + "-2.json"}));
  EXPECT_EQ(store_finding(finding, {}, {0, 1}, directory.path(), "-as-found")->path, name + "-as-found.json");
}

TEST(StoreFinding, WhatHasTheNameAndIsNoFileStays) {
  const Directory directory;
  fs::create_directory(directory / "diembft-quorum-2f-agreement-0000000000000001.json");
  fs::create_symlink("nowhere", directory / "diembft-quorum-2f-agreement-0000000000000001-2.json");
  const auto stored = store_finding(example(), {}, {0, 1}, directory.path());
  ASSERT_TRUE(stored.has_value()) << stored.error().message;
  EXPECT_EQ(stored->path, directory / "diembft-quorum-2f-agreement-0000000000000001-3.json");
  EXPECT_EQ(directory.names().size(), 3U);
}

TEST(StoreFinding, ClassesThatDifferInAnyOfSixtyFourBitsHaveFilesOfTheirOwn) {
  std::set<std::string> names;
  for (unsigned bit = 0; bit < 64; ++bit) names.insert(file_name_of(example(), {0, std::uint64_t{1} << bit}));
  EXPECT_EQ(names.size(), 64U);
}

TEST(StoreFinding, NamesOfFilesStayInTheirDirectory) {
  Finding finding = example();
  finding.scenario.protocol = "../my protocol\x1b";
  finding.property = "no/thing";
  EXPECT_EQ(file_name_of(finding, {0, 1}), "---my-protocol--quorum-2f-no-thing-0000000000000001.json");
  finding.scenario.protocol = std::string(1000, 'p');
  EXPECT_LT(file_name_of(finding, {0, 1}).size(), 230U);
}

TEST(CheckFindingsDirectory, AsksBeforeALongSearch) {
  const Directory directory;
  EXPECT_TRUE(check_findings_directory(directory / "not/yet").has_value());
  EXPECT_FALSE(fs::exists(directory / "not"));
  std::ofstream(directory / "file") << "text";
  EXPECT_EQ(check_findings_directory(directory / "file/sub").error().message,
            directory / "file/sub" + ": findings cannot be stored there: " + (directory / "file") + " is no directory");
}

}  // namespace
}  // namespace nika::store
