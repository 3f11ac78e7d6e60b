// JSON text read into a tree that remembers where each value stood, so that a complaint names file, line and column.
// Only what files of this project need: whole numbers, no nesting beyond a few levels. Never throws, and takes memory
// in proportion to a bounded number of values, whatever the text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/base/result.hpp"

namespace nika {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20U;
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 18U;
inline constexpr std::size_t kMaxJsonDepth = 8;

struct LocatedJson {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::size_t offset = 0;                 // of its first byte in the text
  bool boolean = false;                   // for kBoolean
  std::optional<std::uint64_t> number{};  // for kNumber: nothing if negative, fractional or too large
  std::string text{};                     // for kString its value, for kNumber its digits
  std::size_t name_offset = 0;            // for a member of an object
  std::string name{};                     // for a member of an object
  std::vector<LocatedJson> items{};       // for kArray and kObject, in the order of the text
};

// A text that is being read, and the first thing that was wrong with it. Readers go on after a complaint with harmless
// values; whoever started the reading looks at error() at the end.
class JsonReading {
 public:
  JsonReading(std::string_view file, std::string_view text) : file_(file), text_(text) {}

  // The tree, or null after a complaint about the syntax or the size.
  LocatedJson parse();
  // "FILE:LINE:COLUMN: read …, expected …". Lines and columns count from 1, columns in bytes.
  void complain(std::size_t offset, std::string_view read, std::string_view expected);
  void complain(const LocatedJson& at, std::string_view expected);
  // "FILE:LINE:COLUMN: …" for an error that already says what was read and expected.
  void complain(const LocatedJson& at, const Error& error);
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string place(std::size_t offset) const;

  std::string_view file_;
  std::string_view text_;
  std::optional<Error> error_;
};

// A value as a complaint shows it: short, printable, on one line.
std::string describe(const LocatedJson& value);

struct Bounds {
  unsigned least = 0;
  unsigned most = 0;
};

// An object whose members are all known. Each reader complains about a missing member or one of another type.
class JsonObject {
 public:
  JsonObject(JsonReading& reading, const LocatedJson& object, std::initializer_list<std::string_view> known);

  const LocatedJson* find(std::string_view name) const;
  unsigned number(std::string_view name, Bounds bounds) const;
  std::string text(std::string_view name) const;
  bool boolean(std::string_view name) const;
  // The items of an array or object; none if there is no such member.
  std::span<const LocatedJson> items(std::string_view name, LocatedJson::Kind kind) const;

 private:
  const LocatedJson* require(std::string_view name, LocatedJson::Kind kind, std::string_view expected) const;

  JsonReading& reading_;
  const LocatedJson& object_;
};

// The whole of a file of at most kMaxJsonBytes; an error of one line for a longer one, a directory or a device.
Result<std::string> read_text_file(const std::string& path);

}  // namespace nika
