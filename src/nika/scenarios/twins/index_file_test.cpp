#include "nika/scenarios/twins/index_file.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "nika/base/printable.hpp"
#include "nika/base/random.hpp"

namespace nika::twins {
namespace {

const std::string kHeader =
    R"({"format":"nika-twins-index","version":1,"settings":{"protocol":"diembft","bugs":["quorum-2f"],"nodes":4,)"
    R"("twins":1,"copies":2,"partitions":2,"at_most":false,"rounds":7,"heal_rounds":3,"leaders":"compromised",)"
    R"("assignment":"replacement","order":"fifo","step1":"all","step2":"all","step3":"all","seed":1}})"
    "\n";

// Everything that a file says, or the error at the end of it.
struct Contents {
  std::vector<Range> ranges;
  std::string error;
};

Contents read(const std::string& text, Wide size = 100) {
  Contents contents;
  std::istringstream in(text);
  auto reader = IndexReader::open(in, "f");
  if (!reader) {
    contents.error = reader.error().message;
    return contents;
  }
  for (;;) {
    const auto range = reader->next(size);
    if (!range) contents.error = range.error().message;
    if (!range || !*range) return contents;
    contents.ranges.push_back(**range);
  }
}

TEST(IndexFile, TwoHundredMillionScenariosAreOneLine) {
  std::ostringstream out;
  IndexWriter writer(out, {.protocol = "diembft", .bugs = {"quorum-2f"}});
  writer.add(Range{0, 100'000'000});
  writer.add(Range{100'000'000, 170'859'375});
  ASSERT_TRUE(writer.finish().has_value());
  EXPECT_EQ(out.str(), kHeader + "0..170859375\nend 170859375\n");
  const Contents contents = read(out.str(), 170'859'375);
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.ranges, (std::vector<Range>{{0, 170'859'375}}));
}

TEST(IndexFile, NeighboursBecomeOneRange) {
  std::ostringstream out;
  IndexWriter writer(out, {.protocol = "diembft", .bugs = {"quorum-2f"}});
  for (const Wide index : {0, 1, 3, 7, 8, 9, 50}) writer.add(index);
  ASSERT_TRUE(writer.finish().has_value());
  EXPECT_EQ(out.str(), kHeader + "0..2\n3\n7..10\n50\nend 7\n");
  EXPECT_EQ(read(out.str()).ranges, (std::vector<Range>{{0, 2}, {3, 4}, {7, 10}, {50, 51}}));
}

TEST(IndexFile, TheSettingsComeBack) {
  Settings settings{.protocol = "d \"\n\xc3\xa9", .nodes = 7, .twins = 2, .at_most = true, .faults = 1};
  settings.leaders = parse_leaders("B,A+C").value();
  settings.assignment = Assignment::kStatic;
  settings.order = OrderChoice::kSampled;
  settings.step2 = {Selection::Kind::kRandom, kMaxWide};
  settings.seed = ~std::uint64_t{0};
  settings.crashes = {{Seat{8}, Round(4), Round(5), true}};
  settings.unls = parse_unls("A-D:A-E,EG:C-EG").value();
  std::stringstream file;
  ASSERT_TRUE(IndexWriter(file, settings).finish().has_value());
  const auto reader = IndexReader::open(file, "f");
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  EXPECT_EQ(reader->settings(), settings);
}

TEST(IndexFile, EveryMistakeIsNamedWithItsPlace) {
  const std::string line = "an index, a range a..b with a < b, or end COUNT";
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"x", "f:2:1: read \"x\", expected " + line},
      {"", "f:2:1: read the end of the line, expected " + line},
      {"7 ", "f:2:2: read \" \", expected the end of the line"},
      {"7..", "f:2:4: read the end of the line, expected the range's end, above 7 and at most 100"},
      {"7..7", "f:2:4: read \"7\", expected the range's end, above 7 and at most 100"},
      {"7..101", "f:2:4: read \"101\", expected the range's end, above 7 and at most 100"},
      {"100", "f:2:1: read 100, expected an index below 100"},
      {"7\nend 2", "f:3:5: read 2, expected 1, the number of indices before it"},
      {"7\nend x", "f:3:5: read \"x\", expected the number of indices"},
      {"3..9\n7\nend 7", "f:3:1: read 7, expected at least 9: ranges ascend and never overlap"},
      {"7\n7\nend 2", "f:3:1: read 7, expected at least 8: ranges ascend and never overlap"},
      {"7..9\n3..5\nend 4", "f:3:1: read 3, expected at least 9: ranges ascend and never overlap"},
      {"end 0\n7", "f:2:7: read more after the last line, expected the end of the file"},
      {std::string(101, '1'), "f:2:101: read a longer line, expected at most 100 bytes"},
  };
  for (const auto& [text, expected] : mistakes) EXPECT_EQ(read(kHeader + text + "\n").error, expected);
}

TEST(IndexFile, ABadHeaderIsNamedWithItsPlace) {
  const auto with = [](std::string_view piece, std::string_view replacement) {
    std::string text = kHeader;
    return text.replace(text.find(piece), piece.size(), replacement);
  };
  // The value of the member is what is wrong; the header is one line.
  const auto place = [](std::string_view name) {
    return "f:1:" + std::to_string(kHeader.find(std::string(name) + "\":") + name.size() + 3) + ": ";
  };
  EXPECT_EQ(read(with("nika-twins-index", "x")).error, "f:1:11: read \"x\", expected \"nika-twins-index\"");
  EXPECT_EQ(read(with("\"nodes\":4", "\"nodes\":0")).error, place("nodes") + "read 0, expected a number from 1 to 16");
  EXPECT_EQ(read(with("\"fifo\"", "\"lifo\"")).error,
            place("order") + "read order \"lifo\", expected one of fifo, reversed, sampled, all");
  EXPECT_EQ(read(with("\"seed\":1", "\"seed\":-1")).error,
            place("seed") + "read -1, expected a \"seed\" from 0 to 2^64 - 1");
}

TEST(IndexFile, AFileCutOffAnywhereIsAnError) {
  const std::string whole = kHeader + "7..10\n13\nend 4\n";
  EXPECT_EQ(read(whole).error, "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string error = read(whole.substr(0, size)).error;
    ASSERT_TRUE(error.starts_with("f:")) << size;
    ASSERT_EQ(error.find('\n'), std::string::npos) << size;
  }
  EXPECT_EQ(read(kHeader + "7..10\n").error,
            "f:3:1: read the end of the file, expected an index, a range a..b with a < b, or end COUNT");
  EXPECT_EQ(read(kHeader + "7..1").error, "f:2:5: read the end of the file, expected the rest of the line");
}

TEST(IndexFile, RandomBytesAreAnErrorOfOneLine) {
  Random random(5);
  for (unsigned i = 0; i < 5000; ++i) {
    std::string bytes(random.below(200), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    const std::string error = read(i % 2 == 0 ? bytes : kHeader + bytes).error;
    ASSERT_TRUE(error.starts_with("f:"));
    ASSERT_EQ(printable(error), error);
  }
}

}  // namespace
}  // namespace nika::twins
