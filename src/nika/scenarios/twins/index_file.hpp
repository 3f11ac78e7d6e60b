// Scenarios kept as indices: a header line with the settings of their space, then a line for each index "7" or range
// "7..9" (7 and 8), ascending, so that none comes twice, then "end COUNT", so that a file that was cut off is noticed.
// Two hundred million scenarios may be one line. Both ways stream: neither ever holds more than a line.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "nika/base/result.hpp"
#include "nika/scenarios/twins/range.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

// Takes indices in ascending order; neighbours become one range.
class IndexWriter {
 public:
  IndexWriter(std::ostream& out, const Settings& settings);

  void add(Wide index) { add(Range{index, index + 1}); }
  void add(const Range& range);
  // Writes the last line. An error if the stream did not take everything.
  Result<void> finish();

 private:
  void flush();

  std::ostream* out_;
  Range pending_;
  Wide end_ = 0;  // of what was added
  Wide count_ = 0;
};

// Errors are "FILE:LINE:COLUMN: read …, expected …".
class IndexReader {
 public:
  // Reads the header; `file` is what errors call the stream, which must outlive the reader.
  static Result<IndexReader> open(std::istream& in, std::string file);

  const Settings& settings() const { return settings_; }
  // The next range, inside [0, size); nothing after the last line.
  Result<std::optional<Range>> next(Wide size);

 private:
  IndexReader(std::istream& in, std::string file) : in_(&in), file_(std::move(file)) {}
  Result<void> read_line(std::size_t most_bytes);
  Result<void> read_header();
  Result<std::optional<Range>> read_range(Wide size);
  Result<std::optional<Range>> read_end();
  std::optional<Wide> number_at(std::size_t& column) const;
  tl::unexpected<Error> complain(std::size_t column, std::string_view read, std::string_view expected) const;
  std::string rest_from(std::size_t column) const;

  std::istream* in_;
  std::string file_;
  Settings settings_;
  std::string line_;
  std::uint64_t line_number_ = 0;
  Wide count_ = 0;
  Wide end_ = 0;  // of the last range
  bool ended_ = false;
};

}  // namespace nika::twins
