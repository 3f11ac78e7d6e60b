#include "nika/scenarios/twins/index_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/base/require.hpp"
#include "nika/scenarios/twins/settings_json.hpp"

namespace nika::twins {
namespace {

constexpr std::size_t kMaxLineBytes = 100;  // two numbers of 39 digits and what is between them
constexpr std::string_view kExpectedLine = "an index, a range a..b with a < b, or end COUNT";

}  // namespace

IndexWriter::IndexWriter(std::ostream& out, const Settings& settings) : out_(&out) {
  *out_ << R"({"format":"nika-twins-index","version":1,"settings":)" << to_json(settings) << "}\n";
}

void IndexWriter::add(const Range& range) {
  NIKA_REQUIRE(range.begin < range.end && range.begin >= end_);
  end_ = range.end;
  count_ += range.size();
  if (pending_.end == range.begin && pending_.size() > 0) {
    pending_.end = range.end;
    return;
  }
  flush();
  pending_ = range;
}

void IndexWriter::flush() {
  if (pending_.size() == 0) return;
  *out_ << (pending_.size() == 1 ? to_string(pending_.begin) : to_text(pending_)) << '\n';
  pending_ = {};
}

Result<void> IndexWriter::finish() {
  flush();
  *out_ << "end " << to_string(count_) << '\n';
  out_->flush();
  if (!*out_) return bad_input("the scenarios could not be written: is the disk full?");
  return {};
}

tl::unexpected<Error> IndexReader::complain(std::size_t column, std::string_view read,
                                            std::string_view expected) const {
  return bad_input(fmt::format("{}:{}:{}: read {}, expected {}", file_, line_number_, column + 1, read, expected));
}

// The rest of the line as a complaint shows it.
std::string IndexReader::rest_from(std::size_t column) const {
  if (column >= line_.size()) return "the end of the line";
  return describe({.kind = LocatedJson::Kind::kString, .text = line_.substr(column)});
}

// A file that opens and cannot be read makes its buffer throw.
Result<void> IndexReader::read_line(std::size_t most_bytes) try {
  using Traits = std::istream::traits_type;
  line_.clear();
  ++line_number_;
  for (;;) {
    const auto next = in_->rdbuf()->sbumpc();
    if (Traits::eq_int_type(next, Traits::eof())) {
      return complain(line_.size(), "the end of the file", line_.empty() ? kExpectedLine : "the rest of the line");
    }
    if (next == '\n') return {};
    if (line_.size() == most_bytes) {
      return complain(most_bytes, "a longer line", fmt::format("at most {} bytes", most_bytes));
    }
    line_.push_back(Traits::to_char_type(next));
  }
} catch (const std::ios_base::failure&) {
  return bad_input(fmt::format("{}: cannot be read", file_));
}

Result<void> IndexReader::read_header() {
  if (auto line = read_line(kMaxJsonBytes); !line) return line;
  JsonReading reading(file_, line_);
  const LocatedJson root = reading.parse();
  if (!reading.error()) {
    const JsonObject object(reading, root, {"format", "version", "settings"});
    const LocatedJson* format = object.find("format");
    if (object.text("format") != "nika-twins-index") {
      reading.complain(format != nullptr ? *format : root, "\"nika-twins-index\"");
    }
    object.number("version", {1, 1});
    const LocatedJson* settings = object.find("settings");
    if (settings == nullptr) {
      reading.complain(root.offset, "a header without \"settings\"", "them");
    } else if (!reading.error()) {
      settings_ = settings_in(reading, *settings);
    }
  }
  if (reading.error()) return tl::unexpected(*reading.error());
  return {};
}

Result<IndexReader> IndexReader::open(std::istream& in, std::string file) {
  IndexReader reader(in, std::move(file));
  if (auto header = reader.read_header(); !header) return tl::unexpected(header.error());
  return reader;
}

// The number that starts at a column, which moves behind it.
std::optional<Wide> IndexReader::number_at(std::size_t& column) const {
  const std::size_t end = std::min(line_.find_first_not_of("0123456789", column), line_.size());
  const auto number = parse_wide(std::string_view(line_).substr(column, end - column));
  if (number) column = end;
  return number;
}

Result<std::optional<Range>> IndexReader::read_end() {
  ended_ = true;
  std::size_t column = 4;
  const auto count = number_at(column);
  if (!count || column != line_.size()) return complain(column, rest_from(column), "the number of indices");
  if (*count != count_) {
    return complain(4, to_string(*count), fmt::format("{}, the number of indices before it", to_string(count_)));
  }
  const auto more = in_->rdbuf()->sgetc();
  if (!std::istream::traits_type::eq_int_type(more, std::istream::traits_type::eof())) {
    return complain(line_.size() + 1, "more after the last line", "the end of the file");
  }
  return std::nullopt;
}

Result<std::optional<Range>> IndexReader::read_range(Wide size) {
  std::size_t column = 0;
  Range range;
  const auto first = number_at(column);
  if (!first) return complain(0, rest_from(0), kExpectedLine);
  if (*first >= size) return complain(0, to_string(*first), fmt::format("an index below {}", to_string(size)));
  if (*first < end_) {
    return complain(0, to_string(*first), fmt::format("at least {}: ranges ascend and never overlap", to_string(end_)));
  }
  range = {*first, *first + 1};
  if (line_.compare(column, 2, "..") == 0) {
    column += 2;
    const std::size_t start = column;
    const auto end = number_at(column);
    if (!end || *end <= *first || *end > size) {
      return complain(start, rest_from(start),
                      fmt::format("the range's end, above {} and at most {}", to_string(*first), to_string(size)));
    }
    range.end = *end;
  }
  if (column != line_.size()) return complain(column, rest_from(column), "the end of the line");
  count_ += range.size();
  end_ = range.end;
  return range;
}

Result<std::optional<Range>> IndexReader::next(Wide size) {
  if (ended_) return std::nullopt;
  if (auto line = read_line(kMaxLineBytes); !line) return tl::unexpected(line.error());
  return line_.starts_with("end ") ? read_end() : read_range(size);
}

}  // namespace nika::twins
