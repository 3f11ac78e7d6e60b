// Rows of a campaign's file, made of arbitrary bytes: each table's name by its number, then its values, a zero byte
// behind each. They become a record that can be looked at, or one line of error.
#include <cstdint>

#include "nika/base/require.hpp"
#include "nika/store/campaign_rows.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace nika::store;
  std::string_view rest(reinterpret_cast<const char*>(bytes), size);
  std::vector<Row> rows;
  while (!rest.empty()) {
    const auto tables = sealed_tables();
    Row row{&tables[static_cast<unsigned char>(rest.front()) % tables.size()], {}};
    rest.remove_prefix(1);
    for (unsigned c = 0; c < row.table->column_count; ++c) {
      const std::size_t end = std::min(rest.find('\0'), rest.size());
      row.values.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    (void)row.mark();
    (void)row.key();
    rows.push_back(std::move(row));
  }
  const auto record = record_of(std::move(rows), "fuzz");
  if (!record) {
    NIKA_REQUIRE(record.error().message.find('\n') == std::string::npos);
    return 0;
  }
  NIKA_REQUIRE(record->missing() <= record->asked());
  (void)record->told();
  NIKA_REQUIRE(counts_from_json(to_json(record->total()), "fuzz").value() == record->total());
  return 0;
}
