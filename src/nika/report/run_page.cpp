#include "nika/report/run_page.hpp"

#include <fmt/format.h>

#include <set>

#include "nika/report/finding_text.hpp"
#include "nika/report/schedule_words.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::report {
namespace {

std::vector<PageSeat> seats_of(const Cluster& cluster) {
  std::vector<PageSeat> seats;
  for (Seat seat : cluster.seats()) {
    seats.push_back(
        {name_of(cluster, seat), index_of(cluster.identity(seat)), !cluster.is_honest(seat), cluster.is_client(seat)});
  }
  return seats;
}

// All that any event speaks of as a value; what a message carries may be nobody's.
std::vector<PageValue> values_of(const TraceView& view) {
  std::set<std::uint16_t> packed;
  for (const Event& event : view.events) {
    if (event.kind == EventKind::kChanged) continue;  // told by its field
    packed.insert(event.value.packed);
    packed.insert(event.other.packed);
  }
  std::vector<PageValue> values;
  for (const std::uint16_t number : packed) {
    ValueId value;
    value.packed = number;
    values.push_back({number, name_of(view.cluster, value)});
  }
  return values;
}

std::vector<PageChange> changes_of(const TraceView& view) {
  const LieWords words{view.kinds, view.leaves};
  std::vector<PageChange> changes;
  for (std::size_t i = 0; i < view.events.size(); ++i) {
    const Event& event = view.events[i];
    if (event.kind != EventKind::kChanged) continue;
    const LeafName* leaf = words.leaf(event.message_kind, event.height.number);
    const LeafType type = leaf == nullptr ? LeafType::kNumber : leaf->shown;
    changes.push_back(
        {static_cast<unsigned>(i), leaf == nullptr ? fmt::format("field {}", event.height.number + 1) : leaf->name,
         words_of(view.cluster, type, event.value.packed), words_of(view.cluster, type, event.other.packed)});
  }
  return changes;
}

std::vector<unsigned> seats_led_by(const Cluster& cluster, const IdentitySet& leaders) {
  std::vector<unsigned> seats;
  for (Seat seat : cluster.seats_of_identities(leaders)) seats.push_back(index_of(seat));
  return seats;
}

void add_plan(PageBand& band, const Scenario& scenario, const Cluster& cluster, unsigned scheduled) {
  if (scheduled == 0) return;
  if (scheduled > scenario.rounds.size()) {
    if (scenario.heal_leaders.empty()) return;
    const std::size_t turn = (scheduled - scenario.rounds.size() - 1) % scenario.heal_leaders.size();
    band.leaders = seats_led_by(cluster, IdentitySet::single(scenario.heal_leaders[turn]));
    return;
  }
  const RoundPlan& plan = scenario.rounds[scheduled - 1];
  band.leaders = seats_led_by(cluster, plan.leaders);
  if (plan.partition.block_count(cluster.seat_count) < 2) return;
  for (unsigned seat = 0; seat < cluster.seat_count; ++seat) band.blocks.push_back(plan.partition.block_of[seat]);
}

std::vector<PageBand> bands_of(const Scenario& scenario, const TraceView& view, const Story& story,
                               const ScheduledRound& scheduled_round) {
  std::vector<PageBand> bands;
  const bool in_rounds = !scenario.timing && !scenario.is_asynchronous();
  for (const RoundStory& round : story.rounds) {
    PageBand band;
    band.time = round.number;
    band.label =
        !round.time.empty() ? round.time : fmt::format("{} {}", round.heals ? "healing round" : "round", round.number);
    band.heals = round.heals;
    band.network = round.network;
    band.choices = round.choices;
    band.note = round.note;
    if (in_rounds)
      add_plan(band, scenario, view.cluster, scheduled_round ? scheduled_round(round.number) : round.number);
    bands.push_back(std::move(band));
  }
  return bands;
}

}  // namespace

PageEvents event_layout() {
  PageEvents layout;
  layout.bytes = store::kEventBytes;
  layout.first_own = static_cast<unsigned>(EventKind::kFirstOwn);
  layout.fields_of = {{"kind", 0, 1}, {"seat", 1, 1},   {"peer", 2, 1},    {"message_kind", 3, 1}, {"message", 4, 4},
                      {"time", 8, 4}, {"round", 12, 1}, {"height", 13, 1}, {"value", 14, 2},       {"other", 16, 2}};
  for (unsigned i = 0; name_of(static_cast<EventKind>(i)) != "?"; ++i)
    layout.kinds.emplace_back(name_of(static_cast<EventKind>(i)));
  return layout;
}

PageRun run_page_of(const Scenario& scenario, const TraceView& view, const ScheduledRound& scheduled_round) {
  const Story story = story_of(scenario, view, scheduled_round);
  PageRun run;
  run.cast = cast_text(scenario);
  run.unit = scenario.timing ? "tick" : scenario.is_asynchronous() ? "step" : "round";
  run.delta_ticks = scenario.timing ? scenario.timing->delta_ticks : 0;
  run.seats = seats_of(view.cluster);
  run.kinds.assign(view.kinds.begin(), view.kinds.end());
  run.notes.assign(view.notes.begin(), view.notes.end());
  run.values = values_of(view);
  run.setting = story.setting;
  run.bands = bands_of(scenario, view, story, scheduled_round);
  run.changes = changes_of(view);
  run.event_count = static_cast<unsigned>(view.events.size());
  run.events = store::base64_of(store::bytes_of(view.events));
  return run;
}

}  // namespace nika::report
