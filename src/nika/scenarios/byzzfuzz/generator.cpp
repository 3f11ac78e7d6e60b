#include "nika/scenarios/byzzfuzz/generator.hpp"

#include <algorithm>
#include <numeric>

#include "nika/base/require.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_schedule.hpp"
#include "nika/scenarios/byzzfuzz/partitions.hpp"

namespace nika::byzzfuzz {

FuzzGenerator::FuzzGenerator(const Settings& settings)
    : settings_(settings),
      cluster_(cast_of(cast_for(settings)).value()),
      heal_rounds_(count_heal_rounds()),
      lies_(lie_lists()) {
  NIKA_REQUIRE(check(settings).has_value());
  cluster_.fault_count = static_cast<std::uint8_t>(settings.faults);
  NIKA_REQUIRE(set_unls(cluster_, settings.unls).has_value());
  for (Seat seat : cluster_.seats_of_identities(cluster_.compromised)) liars_.push_back(seat);
}

std::unique_ptr<IndexedSchedule> FuzzGenerator::schedule() const { return std::make_unique<FuzzSchedule>(*this); }

bool FuzzGenerator::only_honest_heal() const {
  const unsigned honest = settings_.nodes - settings_.faults;
  return settings_.faults > 0 && settings_.leaders_in_a_row > honest / std::max(settings_.faults, 1U);
}

// As many as give the honest their turns, wherever the liars stand among them.
unsigned FuzzGenerator::count_heal_rounds() const {
  const unsigned turns = settings_.heal_turns + settings_.leaders_in_a_row - 1;
  if (only_honest_heal() || settings_.faults >= settings_.nodes) return turns;
  const unsigned honest = settings_.nodes - settings_.faults;
  return (turns + honest - 1) / honest * settings_.nodes;
}

Identity FuzzGenerator::leader_of(const Draw& draw, Round round) const {
  const unsigned turn = round.number - 1U;
  if (settings_.liars_lead && settings_.faults > 0) return cluster_.identity(liars_[turn % settings_.faults]);
  return draw.rotation[turn % settings_.nodes];
}

BoundedVector<Identity, kMaxSeats> FuzzGenerator::heal_turns(const Draw& draw) const {
  BoundedVector<Identity, kMaxSeats> turns;
  for (unsigned i = 0; i < settings_.nodes; ++i) {
    const Identity id = draw.rotation[(settings_.scheduled_rounds() + i) % settings_.nodes];
    if (!only_honest_heal() || !cluster_.compromised.contains(id)) NIKA_REQUIRE(turns.push_back(id));
  }
  return turns;
}

std::vector<LieList> FuzzGenerator::lie_lists() const {
  std::vector<LieList> lists;
  for (std::size_t kind = 0; kind < settings_.leaves.size(); ++kind)
    lists.emplace_back(settings_, static_cast<std::uint8_t>(kind));
  return lists;
}

// Of all seats; where trust is subjective, of those that somebody counts, whoever that is (section 4.3).
SeatSet FuzzGenerator::draw_receivers(Random& random) const {
  SeatSet list = cluster_.seats();
  if (cluster_.has_unls()) {
    const IdentitySet unl = cluster_.unl_of[random.below(settings_.nodes)];
    if (!unl.empty()) list = cluster_.seats_of_identities(unl);
  }
  return list & SeatSet::from_bits(static_cast<std::uint32_t>(random.below(1ULL << cluster_.seat_count)));
}

void FuzzGenerator::draw_rotation(Random& random, Draw& draw) const {
  for (unsigned i = 0; i < settings_.nodes; ++i) draw.rotation[i] = static_cast<Identity>(i);
  for (unsigned i = settings_.nodes; i > 1; --i) std::swap(draw.rotation[i - 1], draw.rotation[random.below(i)]);
}

void FuzzGenerator::draw_order(Random& random, Draw& draw) const {
  draw.order = Order::fifo();
  auto& rank = draw.order.rank;
  for (unsigned left = cluster_.seat_count; left > 1; --left) std::swap(rank[left - 1], rank[random.below(left)]);
  draw.order.own_first = random.below(2) == 0;
}

void FuzzGenerator::draw_outage(Random& random, unsigned protocol_round, Draw& draw) const {
  Outage outage;
  outage.protocol_round = static_cast<std::uint16_t>(protocol_round);
  const unsigned replicas = cluster_.replica_seat_count();
  outage.partition = partition_numbered(random.below(partition_count(replicas)), replicas, cluster_.seat_count);
  outage.withholds = settings_.withholds;
  NIKA_REQUIRE(draw.outages.push_back(outage));
}

void FuzzGenerator::draw_lies(Random& random, unsigned protocol_round, Draw& draw) const {
  Lie fault;
  fault.protocol_round = static_cast<std::uint16_t>(protocol_round);
  fault.from = liar_numbered(static_cast<unsigned>(random.below(liar_count())));
  fault.to = draw_receivers(random);
  for (std::size_t kind = 0; kind < settings_.leaves.size(); ++kind) {
    std::optional<Lie> lie = lies_[kind].draw(random);
    if (!lie) continue;
    lie->protocol_round = fault.protocol_round;
    lie->from = fault.from;
    lie->to = fault.to;
    draw.lies.push_back(*lie);
  }
}

void FuzzGenerator::draw(Wide index, Draw& draw) const {
  Random random(mix64(settings_.seed ^ mix64(static_cast<std::uint64_t>(index))));
  const auto round = [&] {
    return settings_.first_round + static_cast<unsigned>(random.below(settings_.fault_rounds()));
  };
  draw_rotation(random, draw);
  draw.outages.clear();
  for (unsigned i = 0; i < settings_.outages; ++i) draw_outage(random, round(), draw);
  draw.lies.clear();
  if (settings_.faults == 0) return;
  for (unsigned i = 0; i < settings_.lies; ++i) draw_lies(random, round(), draw);
}

Scenario FuzzGenerator::scenario(Wide index) const {
  Draw drawn;
  draw(index, drawn);
  return scenario(drawn);
}

Scenario FuzzGenerator::scenario(const Draw& drawn) const {
  Scenario scenario = cast_for(settings_);
  for (unsigned r = 0; r < settings_.scheduled_rounds(); ++r) {
    RoundPlan plan;
    plan.leaders = IdentitySet::single(leader_of(drawn, Round(r + 1)));
    plan.order = drawn.order;
    scenario.rounds.push_back(plan);
  }
  scenario.heal_rounds = static_cast<std::uint8_t>(heal_rounds_);
  const auto turns = heal_turns(drawn);
  scenario.heal_leaders.assign(turns.begin(), turns.end());
  scenario.heal_order = drawn.order;
  scenario.outages.assign(drawn.outages.begin(), drawn.outages.end());
  for (const Lie& lie : drawn.lies) {
    if (!lie.to.empty()) scenario.lies.push_back(lie);
  }
  scenario.lies_go_on = settings_.lies_go_on;
  scenario.faults_count_messages = settings_.scope == Scope::kBaseline;
  return scenario;
}

}  // namespace nika::byzzfuzz
