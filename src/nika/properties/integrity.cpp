#include "nika/properties/integrity.hpp"

namespace nika {
namespace {

constexpr unsigned kWindow = 32;

void note(IntegrityMonitor::Own& own, unsigned height) {
  if (height > own.top) {
    const unsigned step = height - own.top;
    own.recent = step < kWindow ? own.recent << step : 0;
    own.top = static_cast<std::uint16_t>(height);
  }
  if (own.top - height < kWindow) own.recent |= std::uint32_t{1} << (own.top - height);
}

}  // namespace

bool IntegrityMonitor::has(const Own& own, unsigned height) const {
  return height <= own.top && own.top - height < kWindow && (own.recent >> (own.top - height) & 1U) != 0;
}

void IntegrityMonitor::committed(const Sight& sight, Seat by, Commit commit) {
  if (broken.is_found != 0) return;
  Own& own = seats[index_of(by)];
  const bool is_first = sight.commits.at(commit.height) == commit.value;
  if (has(own, commit.height.number)) {
    if (!is_first) broken = {commit.height, commit.height, commit.value, by, 1};
    return;
  }
  const bool may_be_again = sight.promises.repeats_values || commit.value.is_nameless();
  const unsigned lowest = own.top < kWindow ? 0U : own.top - kWindow + 1U;
  for (unsigned height = lowest; height <= own.top && !may_be_again; ++height) {
    if (has(own, height) && sight.commits.at(Height(height)) == commit.value)
      broken = {commit.height, Height(height), commit.value, by, 1};
  }
  if (is_first) note(own, commit.height.number);
}

Judgement IntegrityMonitor::judge(const Sight& sight) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (broken.is_found == 0) return Judgement::holds();
  Evidence evidence;
  evidence.kind = broken.height == broken.other ? "two values at one height" : "one value at two heights";
  evidence.height = broken.height;
  evidence.seats = SeatSet::single(broken.seat);
  (void)evidence.claims.push_back({broken.seat, broken.value});
  return Judgement::violated(evidence);
}

}  // namespace nika
