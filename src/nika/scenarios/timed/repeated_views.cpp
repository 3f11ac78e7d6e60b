#include "nika/scenarios/timed/repeated_views.hpp"

#include "nika/base/require.hpp"

namespace nika::timed {

RepeatedViews::RepeatedViews(const Schedule& schedule, unsigned seat_count, unsigned last, unsigned period)
    : timing_(*schedule.timing()), period_(period) {
  NIKA_REQUIRE(period >= 1 && period <= last && last <= kMaxRound);
  timing_.ticks = 255;  // whoever runs it sets the clock back
  for (unsigned number = 1; number <= last; ++number) {
    View view{schedule.leaders()[number], {}};
    for (const Rule& rule : schedule.rules()) {
      if (rule.first_round.number <= number && number <= rule.last_round.number) view.rules.push_back(rule);
    }
    views_.push_back(std::move(view));
  }
  begin(seat_count, kMaxRound, 0);
  renumber(0);
}

void RepeatedViews::repeat(unsigned first, unsigned length) {
  NIKA_REQUIRE(first >= 1 && length >= 1);
  std::vector<View> views;
  for (unsigned number = 1; number < first + length; ++number) views.push_back(views_[position_of(number)]);
  views_ = std::move(views);
  period_ = length;
  renumber(0);
}

void RepeatedViews::renumber(int before) {
  rules_.clear();
  for (int view = 1; view < static_cast<int>(leaders_.size()); ++view) {
    const int number = before + view;
    leaders_[static_cast<std::size_t>(view)] = {};
    if (number < 1) continue;
    const View& from = views_[position_of(static_cast<unsigned>(number))];
    leaders_[static_cast<std::size_t>(view)] = from.leaders;
    if (view > static_cast<int>(kToldViews)) continue;
    for (Rule rule : from.rules) {
      rule.first_round = rule.last_round = Round(static_cast<unsigned>(view));
      rules_.push_back(std::move(rule));
    }
  }
}

std::size_t RepeatedViews::position_of(unsigned number) const {
  const std::size_t known = views_.size();
  if (number <= known) return number - 1U;
  const std::size_t first = known - period_;
  return first + (number - 1U - first) % period_;
}

}  // namespace nika::timed
