#include "nika/base/located_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "nika/base/printable.hpp"

namespace nika {
namespace {

using Json = nlohmann::json;
using Kind = LocatedJson::Kind;

constexpr std::size_t kShownBytes = 40;

// The parser reports tokens in the order of the text but not where they are; walking along the text finds them again.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(JsonReading& reading, std::string_view text) : reading_(reading), text_(text) {
    if (text.starts_with("\xef\xbb\xbf")) end_ = 3;
  }

  LocatedJson take() { return std::move(root_); }

  bool null() override { return add_word({.kind = Kind::kNull}, 4); }
  bool boolean(bool value) override { return add_word({.kind = Kind::kBoolean, .boolean = value}, value ? 4 : 5); }
  bool number_integer(Json::number_integer_t) override { return add_number(std::nullopt); }
  bool number_unsigned(Json::number_unsigned_t value) override { return add_number(value); }
  bool number_float(Json::number_float_t, const std::string&) override { return add_number(std::nullopt); }
  bool string(std::string& value) override {
    LocatedJson node{.kind = Kind::kString, .offset = next_token(), .text = std::move(value)};
    skip_string();
    return add(std::move(node)) != nullptr;
  }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::kObject); }
  bool start_array(std::size_t) override { return open(Kind::kArray); }
  bool key(std::string& value) override {
    name_offset_ = next_token();
    name_ = std::move(value);
    skip_string();
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t unexpected = what.find("unexpected ");
    const std::size_t expected = what.find("; expected ");
    if (unexpected != what.npos && expected != what.npos && unexpected < expected) {
      reading_.complain(position - 1, printable(what.substr(unexpected + 11, expected - unexpected - 11)),
                        printable(what.substr(expected + 11)));
    } else {
      const std::size_t reason = what.find(" - ");
      const std::size_t from = reason == what.npos ? 0 : reason + 3;
      reading_.complain(position - 1, printable(what.substr(from, what.find(';', from) - from)), "valid JSON");
    }
    return false;
  }

 private:
  std::size_t next_token() { return end_ = std::min(text_.find_first_not_of(" \t\r\n,:", end_), text_.size()); }
  void skip_string() {
    for (++end_; end_ < text_.size() && text_[end_] != '"'; ++end_) {
      if (text_[end_] == '\\') ++end_;
    }
    ++end_;
  }
  bool add_word(LocatedJson node, std::size_t size) {
    node.offset = next_token();
    end_ += size;
    return add(std::move(node)) != nullptr;
  }
  bool add_number(std::optional<std::uint64_t> value) {
    const std::size_t start = next_token();
    end_ = std::min(text_.find_first_not_of("+-.0123456789eE", start), text_.size());
    const std::string digits(text_.substr(start, end_ - start));
    return add({.kind = Kind::kNumber, .offset = start, .number = value, .text = digits}) != nullptr;
  }
  bool open(Kind kind) {
    LocatedJson node{.kind = kind, .offset = next_token()};
    if (open_.size() == kMaxJsonDepth) {
      reading_.complain(node.offset, "a deeper nesting", fmt::format("at most {} levels", kMaxJsonDepth));
      return false;
    }
    ++end_;
    LocatedJson* added = add(std::move(node));
    if (added != nullptr) open_.push_back(added);
    return added != nullptr;
  }
  bool close() {
    next_token();
    ++end_;
    open_.pop_back();
    return true;
  }
  // Pointers to open values stay valid: only the innermost open one gets items.
  LocatedJson* add(LocatedJson node) {
    if (++values_ > kMaxJsonValues) {
      reading_.complain(node.offset, "one more value", fmt::format("at most {}", kMaxJsonValues));
      return nullptr;
    }
    if (open_.empty()) return &(root_ = std::move(node));
    if (open_.back()->kind == Kind::kObject) {
      node.name = std::move(name_);
      node.name_offset = name_offset_;
    }
    return &open_.back()->items.emplace_back(std::move(node));
  }

  JsonReading& reading_;
  std::string_view text_;
  std::size_t end_ = 0;  // of the last token
  std::size_t values_ = 0;
  std::string name_;
  std::size_t name_offset_ = 0;
  LocatedJson root_;
  std::vector<LocatedJson*> open_;
};

}  // namespace

LocatedJson JsonReading::parse() {
  if (text_.size() > kMaxJsonBytes) {
    complain(kMaxJsonBytes, "more text", fmt::format("at most {} bytes", kMaxJsonBytes));
    return {};
  }
  Builder builder(*this, text_);
  if (!Json::sax_parse(text_, &builder)) return {};
  return builder.take();
}

std::string JsonReading::place(std::size_t offset) const {
  const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}", file_, 1 + std::ranges::count(before, '\n'), before.size() - line_start + 1);
}

void JsonReading::complain(std::size_t offset, std::string_view read, std::string_view expected) {
  if (!error_) error_ = Error{fmt::format("{}: read {}, expected {}", place(offset), read, expected)};
}

void JsonReading::complain(const LocatedJson& at, std::string_view expected) {
  complain(at.offset, describe(at), expected);
}

void JsonReading::complain(const LocatedJson& at, const Error& error) {
  if (!error_) error_ = Error{fmt::format("{}: {}", place(at.offset), printable(error.message))};
}

std::string describe(const LocatedJson& value) {
  switch (value.kind) {
    case Kind::kNull: return "null";
    case Kind::kBoolean: return value.boolean ? "true" : "false";
    case Kind::kNumber: return value.text.substr(0, kShownBytes);
    case Kind::kString:
      return fmt::format("\"{}{}\"", printable(value.text.substr(0, kShownBytes)),
                         value.text.size() > kShownBytes ? "..." : "");
    case Kind::kArray: return "a list";
    case Kind::kObject: break;
  }
  return "an object";
}

JsonObject::JsonObject(JsonReading& reading, const LocatedJson& object, std::initializer_list<std::string_view> known)
    : reading_(reading), object_(object) {
  if (object.kind != Kind::kObject) reading.complain(object, "an object");
  for (const LocatedJson& item : object.items) {
    const auto read = fmt::format("\"{}\"", printable(item.name.substr(0, kShownBytes)));
    if (std::ranges::find(known, item.name) == known.end()) {
      reading.complain(item.name_offset, read, fmt::format("one of {}", fmt::join(known, ", ")));
    }
    if (find(item.name) != &item) reading.complain(item.name_offset, read + " again", "each name once");
    // Without this an object with many names would be searched for each of them.
    if (reading.error()) return;
  }
}

const LocatedJson* JsonObject::find(std::string_view name) const {
  const auto found = std::ranges::find(object_.items, name, &LocatedJson::name);
  return found == object_.items.end() ? nullptr : &*found;
}

const LocatedJson* JsonObject::require(std::string_view name, Kind kind, std::string_view expected) const {
  const LocatedJson* member = find(name);
  if (member == nullptr) {
    reading_.complain(object_.offset, fmt::format("an object without \"{}\"", name), expected);
    return nullptr;
  }
  if (member->kind == kind) return member;
  reading_.complain(*member, expected);
  return nullptr;
}

unsigned JsonObject::number(std::string_view name, Bounds bounds) const {
  const auto expected = fmt::format("a number from {} to {}", bounds.least, bounds.most);
  const LocatedJson* member = require(name, Kind::kNumber, expected);
  if (member == nullptr) return bounds.least;
  if (member->number && *member->number >= bounds.least && *member->number <= bounds.most) {
    return static_cast<unsigned>(*member->number);
  }
  reading_.complain(*member, expected);
  return bounds.least;
}

std::string JsonObject::text(std::string_view name) const {
  const LocatedJson* member = require(name, Kind::kString, fmt::format("a text for \"{}\"", name));
  return member == nullptr ? std::string() : member->text;
}

bool JsonObject::boolean(std::string_view name) const {
  const LocatedJson* member = require(name, Kind::kBoolean, "true or false");
  return member != nullptr && member->boolean;
}

std::span<const LocatedJson> JsonObject::items(std::string_view name, Kind kind) const {
  if (find(name) == nullptr) return {};
  const LocatedJson* member = require(name, kind, kind == Kind::kArray ? "a list" : "an object");
  return member == nullptr ? std::span<const LocatedJson>() : std::span<const LocatedJson>(member->items);
}

Result<std::string> read_text_file(const std::string& path) {
  std::error_code failed;
  const auto type = std::filesystem::status(path, failed).type();
  if (type == std::filesystem::file_type::directory) return bad_input(fmt::format("{}: is a directory", path));
  if (type == std::filesystem::file_type::character || type == std::filesystem::file_type::block) {
    return bad_input(fmt::format("{}: is a device, expected a file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_input(fmt::format("{}: cannot be opened for reading", path));
  std::string text;
  std::array<char, 1U << 16U> chunk{};
  while (text.size() <= kMaxJsonBytes && file) {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > kMaxJsonBytes) {
    return bad_input(fmt::format("{}: is longer than {} MiB, the longest that is read", path, kMaxJsonBytes >> 20U));
  }
  if (!file.eof()) return bad_input(fmt::format("{}: cannot be read", path));
  return text;
}

}  // namespace nika
