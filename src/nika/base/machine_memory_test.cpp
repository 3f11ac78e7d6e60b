#include "nika/base/machine_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace nika {
namespace {

// A directory that looks like the root of a machine.
class MachineMemory : public testing::Test {
 protected:
  MachineMemory() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() / (std::string("nika_memory_") + info->name());
    std::filesystem::remove_all(root_);
  }
  ~MachineMemory() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::uint64_t available() const { return available_memory_bytes(root_); }

  std::filesystem::path root_;
};

TEST_F(MachineMemory, IsWhatTheKernelCallsAvailable) {
  write("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:  1 kB\nMemAvailable:   1000 kB\n");
  EXPECT_EQ(available(), 1024000U);
}

TEST_F(MachineMemory, AControlGroupLeavesItsLimitLessWhatIsUsed) {
  write("proc/meminfo", "MemAvailable:   24000000 kB\n");
  write("proc/self/cgroup", "0::/user/session\n");
  write("sys/fs/cgroup/user/session/memory.max", "max\n");
  write("sys/fs/cgroup/user/session/memory.current", "5\n");
  write("sys/fs/cgroup/user/memory.max", "1000000\n");
  write("sys/fs/cgroup/user/memory.current", "400000\n");
  EXPECT_EQ(available(), 600000U);
  write("sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 100000\n");
  EXPECT_EQ(available(), 700000U);
}

TEST_F(MachineMemory, TheGroupOfAContainerIsTheTopOfWhatItSees) {
  write("proc/meminfo", "MemAvailable:   24000000 kB\n");
  write("proc/self/cgroup", "0::/../../some/where\n");
  write("sys/fs/cgroup/memory.max", "3000000\n");
  write("sys/fs/cgroup/memory.current", "1000000\n");
  EXPECT_EQ(available(), 2000000U);
}

TEST_F(MachineMemory, GroupsOfTheFirstVersionCountAsWell) {
  write("proc/self/cgroup", "9:cpu:/a\n7:memory:/a\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000\n");
  write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "3000000\n");
  EXPECT_EQ(available(), 0U);
}

TEST_F(MachineMemory, ASystemThatTellsNothingIsTakenToHaveOneGibibyte) { EXPECT_EQ(available(), 1073741824U); }

TEST(DefaultMemory, IsHalfOfWhatIsAvailableHere) {
  const std::uint64_t before = available_memory_bytes();
  const std::uint64_t chosen = default_memory_bytes();
  EXPECT_GE(chosen, std::uint64_t{64} << 20U);
  EXPECT_LE(chosen, before);
}

}  // namespace
}  // namespace nika
