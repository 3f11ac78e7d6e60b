#include "nika/base/text_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace nika {
namespace {

std::string error_of(const std::string& path) {
  const Result<std::string> text = read_text_file(path, 1U << 20U);
  return text ? "no error" : text.error().message;
}

TEST(TextFile, IsReadWhole) {
  const std::string path = (std::filesystem::temp_directory_path() / "nika_text_file").string();
  const std::string bytes = std::string("one\ntwo\0three", 13) + std::string(200'000, 'x');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(read_text_file(path, bytes.size()).value(), bytes);
  EXPECT_EQ(read_text_file(path, bytes.size() - 1).error().message,
            path + ": is too large, expected at most 200012 bytes");
  std::filesystem::remove(path);
}

TEST(TextFile, WhatIsNoFileIsToldInOneLine) {
  EXPECT_EQ(error_of("/dev/zero"), "/dev/zero: is too large, expected at most 1 MiB");
  EXPECT_EQ(error_of("/"), "/: cannot be read: Is a directory");
  EXPECT_EQ(error_of("missing/file"), "missing/file: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("\x1b[2J"), "\\x1b[2J: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace nika
