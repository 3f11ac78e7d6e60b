#include "nika/model/schedule.hpp"

namespace nika {

void Schedule::begin(unsigned seat_count, unsigned scheduled_rounds, unsigned heal_rounds) {
  scheduled_rounds_ = scheduled_rounds;
  heal_rounds_ = heal_rounds;
  full_ = full_links(seat_count);
}

void Schedule::set_crashes(std::span<const Crash> crashes) { crashes_.assign(crashes.begin(), crashes.end()); }

const RoundAnswers& Schedule::round(Round round) {
  answers_ = {};
  if (round.number > scheduled_rounds_) {
    answers_.links = &full_;
    answers_.order = &heal_order_;
    answers_.heals = true;
    heal(round, answers_);
  } else {
    choose(round, answers_);
  }
  for (const Crash& crash : crashes_) {
    if (crash.down_from == round) answers_.crashes.insert(crash.seat);
    if (crash.up_from != round) continue;
    answers_.recovers.insert(crash.seat);
    if (!crash.keeps_memory) answers_.forgets.insert(crash.seat);
  }
  return answers_;
}

}  // namespace nika
