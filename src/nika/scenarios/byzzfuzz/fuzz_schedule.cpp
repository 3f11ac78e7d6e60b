#include "nika/scenarios/byzzfuzz/fuzz_schedule.hpp"

#include <algorithm>

namespace nika::byzzfuzz {

FuzzSchedule::FuzzSchedule(const FuzzGenerator& generator)
    : generator_(generator),
      links_(full_links(generator.cluster().seat_count)),
      known_(generator.settings().last_round, generator.settings().leaves.size()) {
  begin(generator.cluster().seat_count, generator.settings().scheduled_rounds(), generator.heal_rounds());
}

void FuzzSchedule::seek(Wide index) {
  generator_.draw(index, draw_);
  set_leaders();
  set_faults(known_);
  known_.begin(name_of_faults(), draw_.lies);
}

void FuzzSchedule::play(const Draw& draw, LieWatch& watch) {
  draw_ = draw;
  set_leaders();
  set_faults(watch);
  faults_.look_back = true;  // another run, with other lies, may go on from the worlds of this one
}

void FuzzSchedule::arrange(std::span<Numbered> schedules) const {
  for (Numbered& numbered : schedules) numbered.keeps = 0;
}

void FuzzSchedule::choose(Round round, RoundAnswers& answers) {
  now_ = round;
  answers.links = &links_;
  answers.order = &draw_.order;
  answers.faults = &faults_;
}

void FuzzSchedule::heal(Round round, RoundAnswers& answers) {
  now_ = round;
  if (faults_.go_on) answers.faults = &faults_;
}

void FuzzSchedule::set_leaders() {
  const unsigned nodes = generator_.settings().nodes;
  for (unsigned r = 1; r <= scheduled_rounds(); ++r)
    leaders_[r] = IdentitySet::single(generator_.leader_of(draw_, Round(r)));
  const auto turns = generator_.heal_turns(draw_);
  set_heal_leaders(leaders_, scheduled_rounds(), {turns.begin(), turns.end()});
  heal_order_ = draw_.order;
  leaders_name_ = fingerprint_of(draw_.rotation.data(), nodes * sizeof draw_.rotation[0]).low;
}

void FuzzSchedule::set_faults(LieWatch& watch) {
  faults_.outages = {draw_.outages.begin(), draw_.outages.end()};
  faults_.lies = draw_.lies;
  faults_.count_messages = generator_.settings().scope == Scope::kBaseline;
  faults_.go_on = generator_.settings().lies_go_on;
  faults_.look_back = std::ranges::any_of(draw_.lies, [](const Lie& lie) { return lie.twist == Twist::kSeen; });
  faults_.watch = &watch;
}

// Of leaders and outages.
Fingerprint FuzzSchedule::name_of_faults() {
  writer_.clear();
  writer_.write(leaders_name_);
  for (const Outage& outage : draw_.outages) {
    writer_.write(outage.protocol_round);
    writer_.write(outage.partition.block_of);
  }
  return writer_.fingerprint();
}

}  // namespace nika::byzzfuzz
