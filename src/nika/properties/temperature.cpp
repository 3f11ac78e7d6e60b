#include "nika/properties/temperature.hpp"

#include <algorithm>
#include <array>

#include "nika/properties/hot_state.hpp"

namespace nika {
namespace {

// "hot for 5 rounds", for every number of rounds that a run can have: evidence points to texts that last.
class HotFor {
 public:
  constexpr explicit HotFor(unsigned rounds) {
    add("hot for ");
    for (unsigned unit = 100; unit > 0; unit /= 10) {
      if (rounds >= unit) text_[size_++] = static_cast<char>('0' + rounds / unit % 10);
    }
    add(rounds == 1 ? " round" : " rounds");
  }
  constexpr std::string_view text() const { return {text_.data(), size_}; }

 private:
  constexpr void add(std::string_view more) {
    for (const char letter : more) text_[size_++] = letter;
  }
  std::array<char, 24> text_{};
  std::size_t size_ = 0;
};

template <std::size_t... Rounds>
constexpr std::array<HotFor, sizeof...(Rounds)> hot_for(std::index_sequence<Rounds...>) {
  return {HotFor(Rounds)...};
}
constexpr auto kHotFor = hot_for(std::make_index_sequence<256>());

}  // namespace

void TemperatureMonitor::passed(const Sight& sight, unsigned limit) {
  if (boiled_in != Round(0) || sight.is_asynchronous || !sight.tells_progress()) return;
  const bool has_passed = sight.now != last;
  last = sight.now;
  if (!is_hot(sight)) {
    temperature = 0;
  } else if (has_passed) {
    ++temperature;
  }
  if (temperature >= limit) boiled_in = sight.now;
}

Judgement TemperatureMonitor::judge(const Sight& sight, unsigned limit) const {
  if (!sight.is_within_threshold(sight.faulty())) return Judgement::unknown(Unjudged::kTooManyFaulty);
  if (!sight.tells_progress()) return Judgement::unknown(Unjudged::kTellsNoProgress);
  if (sight.is_asynchronous) return Judgement::unknown(Unjudged::kNoRounds);
  if (boiled_in == Round(0)) return Judgement::holds();
  Evidence evidence;
  evidence.kind = kHotFor[std::min<unsigned>(limit, 255)].text();
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
