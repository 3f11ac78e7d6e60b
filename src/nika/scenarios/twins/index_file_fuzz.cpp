// Any bytes give ranges or one line of error, and a file that was read whole is written and read back unchanged.
// Half of the inputs follow a good header, which random bytes would not find.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <vector>

#include "nika/base/require.hpp"
#include "nika/scenarios/twins/index_file.hpp"

namespace {

using namespace nika;
using namespace nika::twins;

struct Contents {
  Settings settings;
  std::vector<Range> ranges;
};

Result<Contents> read(const std::string& text) {
  std::istringstream in(text);
  auto reader = IndexReader::open(in, "f");
  if (!reader) return tl::unexpected(reader.error());
  Contents contents{reader->settings(), {}};
  for (;;) {
    const auto range = reader->next(1'000'000);
    if (!range) return tl::unexpected(range.error());
    if (!*range) return contents;
    // Neighbours are written as one range.
    if (!contents.ranges.empty() && contents.ranges.back().end == (*range)->begin) {
      contents.ranges.back().end = (*range)->end;
    } else {
      contents.ranges.push_back(**range);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  if (size > 0 && data[0] % 2 == 1) {
    std::ostringstream header;
    IndexWriter(header, {.protocol = "diembft", .seed = data[0]});
    text = header.str();
  }
  if (size > 0) text.append(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto first = read(text);
  if (!first) {
    NIKA_REQUIRE(first.error().message.find('\n') == std::string::npos);
    return 0;
  }
  std::ostringstream out;
  IndexWriter writer(out, first->settings);
  for (const Range& range : first->ranges) writer.add(range);
  NIKA_REQUIRE(writer.finish().has_value());
  const auto second = read(out.str());
  NIKA_REQUIRE(second.has_value() && second->settings == first->settings && second->ranges == first->ranges);
  return 0;
}
