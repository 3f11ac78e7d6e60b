// Answers by whatever a search has chosen last: leaders as far as they are known, and a configuration for the coming
// round.
#pragma once

#include "nika/explore/choices.hpp"
#include "nika/model/schedule.hpp"

namespace nika {

class EnumeratedSchedule final : public Schedule {
 public:
  // Without a bound every round is a scheduled one: a search never lets the network heal by itself.
  EnumeratedSchedule(const twins::Space& space, const Choices& choices, bool unbounded = false) : choices_(choices) {
    begin(space.cluster().seat_count, unbounded ? kMaxRound : space.rounds(),
          unbounded ? 0 : space.settings().heal_rounds);
    set_crashes(space.settings().crashes);
    set_heal_leaders(leaders_, space.rounds(), choices.healings().rotations().front());
    heal_order_ = choices.healings().orders().front();
  }

  void set_leaders(Round round, IdentitySet leaders) { leaders_[round.number] = leaders; }
  void set_all_leaders(IdentitySet leaders) { leaders_.fill(leaders); }
  void set_round(const Choice& choice) { choice_ = choice; }
  // How the network will heal, by its number among the healings of the space.
  void set_rotation(std::size_t rotation) {
    if (rotation == rotation_) return;
    rotation_ = rotation;
    nika::set_heal_leaders(leaders_, scheduled_rounds(), choices_.healings().rotations()[rotation]);
  }
  void set_heal_order(std::size_t order) { heal_order_ = choices_.healings().orders()[order]; }

 private:
  void choose(Round, RoundAnswers& answers) override {
    answers.links = &choices_.links(choice_);
    answers.order = &choices_.order(choice_);
  }

  const Choices& choices_;
  Choice choice_{};
  std::size_t rotation_ = 0;
};

}  // namespace nika
