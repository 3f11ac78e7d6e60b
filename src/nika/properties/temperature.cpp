#include "nika/properties/temperature.hpp"

#include <algorithm>
#include <array>

#include "nika/properties/hot_state.hpp"

namespace nika {
namespace {

// "hot for 5 rounds", for every number of rounds or views that a run can have: evidence points to texts that last.
class HotFor {
 public:
  constexpr HotFor(unsigned count, std::string_view counted) {
    add("hot for ");
    for (unsigned unit = 100; unit > 0; unit /= 10) {
      if (count >= unit) text_[size_++] = static_cast<char>('0' + count / unit % 10);
    }
    add(counted);
    if (count != 1) add("s");
  }
  constexpr std::string_view text() const { return {text_.data(), size_}; }

 private:
  constexpr void add(std::string_view more) {
    for (const char letter : more) text_[size_++] = letter;
  }
  std::array<char, 24> text_{};
  std::size_t size_ = 0;
};

template <std::size_t... Counts>
constexpr std::array<HotFor, sizeof...(Counts)> hot_for(std::string_view counted, std::index_sequence<Counts...>) {
  return {HotFor(Counts, counted)...};
}
constexpr auto kHotForRounds = hot_for(" round", std::make_index_sequence<256>());
constexpr auto kHotForViews = hot_for(" view", std::make_index_sequence<256>());

}  // namespace

void TemperatureMonitor::passed(const Sight& sight, unsigned limit) {
  if (sight.is_asynchronous || !sight.tells_progress()) return;
  const bool has_passed = sight.now != last;
  last = sight.now;
  if (boiled_in == Round(0) && !sight.is_within_threshold(sight.faulty_or_down())) is_excused = 1;
  if (!is_hot(sight)) {
    if (boiled_in != Round(0)) has_cooled = 1;
    boiled_in = Round(0);
    temperature = 0;
  } else if (has_passed && temperature < limit && ++temperature == limit) {
    boiled_in = sight.now;
  }
}

Judgement TemperatureMonitor::judge(const Sight& sight, unsigned limit) const {
  if (const Unjudged why = sight.excess_of(sight.faulty()); why != Unjudged::kJudged) return Judgement::unknown(why);
  if (!sight.tells_progress()) return Judgement::unknown(Unjudged::kTellsNoProgress);
  if (sight.is_asynchronous) return Judgement::unknown(Unjudged::kNoRounds);
  if (is_excused != 0) return Judgement::unknown(Unjudged::kTooManyFaulty);
  if (boiled_in == Round(0)) {
    return has_cooled != 0 ? Judgement::unknown(Unjudged::kCooledDown) : Judgement::holds();
  }
  Evidence evidence;
  evidence.kind = (sight.delta_ticks > 0 ? kHotForViews : kHotForRounds)[std::min<unsigned>(limit, 255)].text();
  evidence.why = "it is a suspicion, not a proof";
  evidence.since = Round(boiled_in.number - temperature + 1U);
  const SeatSet correct = correct_seats(sight);
  for (Seat one : correct) {
    if (!sight.progress(one).locked.is_genesis()) evidence.seats.insert(one);
    for (Seat other : correct) {
      if (!evidence.claims.empty() || !(one < other) || !locks_conflict(sight, one, other)) continue;
      (void)evidence.claims.push_back({one, sight.progress(one).locked.value});
      (void)evidence.claims.push_back({other, sight.progress(other).locked.value});
    }
  }
  return Judgement::violated(evidence);
}

}  // namespace nika
