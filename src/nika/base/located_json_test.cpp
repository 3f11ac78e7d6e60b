#include "nika/base/located_json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace nika {
namespace {

std::string complaint(std::string_view text) {
  JsonReading reading("f", text);
  reading.parse();
  return reading.error() ? reading.error()->message : "";
}

TEST(LocatedJson, RemembersWhereEachValueStood) {
  const std::string text = "{\n  \"a\\\"b\": [1, -2.5 ,true],\n  \"c\" : {\"d\":null, \"e\":\"x\\\\\"}\n}";
  JsonReading reading("f", text);
  const LocatedJson root = reading.parse();
  ASSERT_FALSE(reading.error().has_value()) << reading.error()->message;
  ASSERT_EQ(root.items.size(), 2U);
  const auto& list = root.items[0];
  EXPECT_EQ(list.name, "a\"b");
  EXPECT_EQ(list.name_offset, text.find("\"a"));
  EXPECT_EQ(list.offset, text.find('['));
  EXPECT_EQ(list.items[0].number, 1U);
  EXPECT_EQ(list.items[1].number, std::nullopt);
  EXPECT_EQ(list.items[1].offset, text.find("-2.5"));
  EXPECT_EQ(list.items[1].text, "-2.5");
  EXPECT_EQ(list.items[2].offset, text.find("true"));
  const auto& object = root.items[1];
  EXPECT_EQ(object.offset, text.find("{\"d\""));
  EXPECT_EQ(object.items[0].offset, text.find("null"));
  EXPECT_EQ(object.items[1].offset, text.find("\"x"));
  EXPECT_EQ(object.items[1].text, "x\\");
}

TEST(LocatedJson, SyntaxErrorsNameThePlace) {
  EXPECT_EQ(complaint(""), "f:1:1: read end of input, expected '[', '{', or a literal");
  EXPECT_EQ(complaint("{\n \"a\": ,}"), "f:2:7: read ',', expected '[', '{', or a literal");
  EXPECT_EQ(complaint("{\"a\":1"), "f:1:7: read end of input, expected '}'");
  EXPECT_EQ(complaint("{\"a\":1} x"), "f:1:9: read invalid literal, expected valid JSON");
  EXPECT_EQ(complaint("\"\xff\""), "f:1:2: read invalid string: ill-formed UTF-8 byte, expected valid JSON");
}

TEST(LocatedJson, DepthAndNumberOfValuesAreBounded) {
  EXPECT_EQ(complaint(std::string(8, '[') + std::string(8, ']')), "");
  EXPECT_EQ(complaint(std::string(100'000, '[')), "f:1:9: read a deeper nesting, expected at most 8 levels");
  std::string many = "[0";
  for (unsigned i = 0; i < 300'000; ++i) many += ",0";
  EXPECT_EQ(complaint(many + "]"), "f:1:524288: read one more value, expected at most 262144");
  EXPECT_EQ(complaint(std::string(kMaxJsonBytes + 1, ' ')),
            "f:1:67108865: read more text, expected at most 67108864 bytes");
}

TEST(LocatedJson, MembersAreCheckedByNameTypeAndBounds) {
  const auto wrong = [](std::string_view text, const auto& use) {
    JsonReading reading("f", text);
    const LocatedJson root = reading.parse();
    use(JsonObject(reading, root, {"a", "b"}));
    return reading.error() ? reading.error()->message : "";
  };
  const auto number = [](const JsonObject& object) { object.number("a", {1, 5}); };
  EXPECT_EQ(wrong("{\"a\":5}", number), "");
  EXPECT_EQ(wrong("{\"a\":6}", number), "f:1:6: read 6, expected a number from 1 to 5");
  EXPECT_EQ(wrong("{\"a\":99999999999999999999}", number),
            "f:1:6: read 99999999999999999999, expected a number from 1 to 5");
  EXPECT_EQ(wrong("{\"a\":\"x\\n\"}", number), "f:1:6: read \"x\\n\", expected a number from 1 to 5");
  EXPECT_EQ(wrong("{\"b\":1}", number), "f:1:1: read an object without \"a\", expected a number from 1 to 5");
  EXPECT_EQ(wrong("{\"z\":1}", number), "f:1:2: read \"z\", expected one of a, b");
  EXPECT_EQ(wrong("{\"a\":1,\"a\":1}", number), "f:1:8: read \"a\" again, expected each name once");
  EXPECT_EQ(wrong("[]", number), "f:1:1: read a list, expected an object");
}

TEST(ReadTextFile, WhatIsNoFileOrTooLongIsAnErrorOfOneLine) {
  EXPECT_EQ(read_text_file("no-such-file").error().message, "no-such-file: cannot be opened for reading");
  EXPECT_EQ(read_text_file("/").error().message, "/: is a directory");
  EXPECT_EQ(read_text_file("/dev/zero").error().message, "/dev/zero: is a device, expected a file");
  const std::string path = ::testing::TempDir() + "nika_located_json_test";
  std::ofstream(path) << "some";
  EXPECT_EQ(read_text_file(path).value(), "some");
  std::filesystem::resize_file(path, kMaxJsonBytes);
  EXPECT_EQ(read_text_file(path).value().size(), kMaxJsonBytes);
  std::filesystem::resize_file(path, kMaxJsonBytes + 1);
  EXPECT_EQ(read_text_file(path).error().message, path + ": is longer than 64 MiB, the longest that is read");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace nika
