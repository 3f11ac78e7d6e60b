#include "nika/explore/after_faults.hpp"

#include <algorithm>
#include <bitset>

#include "nika/properties/all.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/termination.hpp"

namespace nika {
namespace {

// The monitor of this property if it is the other one, whatever its limit; else null.
template <class Monitor>
const Monitor* monitor_of(const Property& property, const Property& other, const void* state) {
  return property.begin == other.begin ? static_cast<const Monitor*>(state) : nullptr;
}

// A user's own property may look at who was the first to commit; ours do not.
bool is_ours(const Property& property) {
  return std::ranges::any_of(built_in_properties(),
                             [&](const Property* ours) { return ours->judge == property.judge; });
}

}  // namespace

void write_judged(ByteWriter& writer, const CommitLog& commits, const MonitorStates& states,
                  const Properties& properties) {
  const bool are_ours = std::ranges::all_of(properties, [](const Property* property) { return is_ours(*property); });
  bool has_gaps = false;  // which may be commits of genesis: they do not show
  for (unsigned h = 1; h <= commits.top().number; ++h) {
    const ValueId value = commits.at(Height(h));
    has_gaps = has_gaps || value.is_genesis();
    writer.write(value);
    if (!are_ours) writer.write(commits.seat_at(Height(h)));
  }
  writer.write(commits.seats());
  writer.write(commits.conflict().found);
  const std::uint64_t* at = states.data();
  for (const Property* property : properties) {
    const auto* integrity = monitor_of<IntegrityMonitor>(*property, kIntegrity, at);
    const auto* termination = monitor_of<TerminationMonitor>(*property, kTermination, at);
    if (integrity != nullptr && !has_gaps) {
      writer.write(integrity->broken);
    } else if (termination != nullptr && termination->owed == TerminationMonitor::Owed::kNothing) {
      // When they had to decide, and who led, is of no matter any more.
      writer.write(termination->owed);
      writer.write(termination->healing.down);
    } else {
      writer.write_raw(at, property->bytes);
    }
    at += (property->bytes + 7) / 8;
  }
}

bool is_plain(const CommitLog& commits, bool repeats_values) {
  if (commits.conflict().found) return false;
  if (repeats_values) return true;
  std::bitset<1U << 16U> values;
  for (unsigned h = 1; h <= commits.top().number; ++h) {
    const ValueId value = commits.at(Height(h));
    if (value.is_genesis() || value.is_nameless()) continue;
    if (values.test(value.packed)) return false;
    values.set(value.packed);
  }
  return true;
}

}  // namespace nika
