// The first views of a timed schedule as they are, then some of the last of them over and over: who leads them, and how
// long messages of them take. Views are small numbers: a world whose views run out is renumbered, and the schedule with
// it.
#pragma once

#include <vector>

#include "nika/model/schedule.hpp"

namespace nika::timed {

class RepeatedViews final : public Schedule {
 public:
  // It tells the rules of so many views, from 1 on.
  static constexpr unsigned kToldViews = 40;

  // Asks `schedule` for its views up to `last`, and repeats the last `period` of them, which are at least one.
  RepeatedViews(const Schedule& schedule, unsigned seat_count, unsigned last, unsigned period);

  // From now on the views first..first+length-1 are repeated. They may themselves be repetitions.
  void repeat(unsigned first, unsigned length);
  // From now on the world's view v is the view before + v from the start.
  void renumber(int before);

  IdentitySet leaders_at(unsigned number) const { return views_[position_of(number)].leaders; }  // from the start
  const Timing* timing() const override { return &timing_; }
  std::span<const Rule> rules() const override { return rules_; }

 private:
  struct View {
    IdentitySet leaders{};
    std::vector<Rule> rules{};
  };

  // A timed run has no network rounds to ask about.
  void choose(Round, RoundAnswers&) override {}
  std::size_t position_of(unsigned number) const;

  Timing timing_;
  std::vector<View> views_;
  unsigned period_;
  std::vector<Rule> rules_;
};

}  // namespace nika::timed
