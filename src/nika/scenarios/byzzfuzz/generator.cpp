#include "nika/scenarios/byzzfuzz/generator.hpp"

#include <algorithm>
#include <numeric>

#include "nika/base/require.hpp"
#include "nika/scenarios/byzzfuzz/partitions.hpp"

namespace nika::byzzfuzz {
namespace {

Scenario cast_for(const Settings& settings) {
  Scenario scenario;
  scenario.protocol = settings.protocol;
  scenario.bugs = settings.bugs;
  scenario.node_count = static_cast<std::uint8_t>(settings.nodes);
  scenario.fault_count = static_cast<std::uint8_t>(settings.faults);
  scenario.client_count = static_cast<std::uint8_t>(settings.clients);
  scenario.liars = IdentitySet::first(settings.faults);
  return scenario;
}

class FuzzSchedule final : public IndexedSchedule {
 public:
  explicit FuzzSchedule(const FuzzGenerator& generator)
      : generator_(generator), links_(full_links(generator.cluster().seat_count)) {
    begin(generator.cluster().seat_count, generator.settings().scheduled_rounds(), generator.heal_rounds());
  }

  void seek(Wide index) override {
    generator_.draw(index, draw_);
    const unsigned nodes = generator_.settings().nodes;
    for (unsigned r = 1; r <= scheduled_rounds(); ++r)
      leaders_[r] = IdentitySet::single(draw_.rotation[(r - 1) % nodes]);
    const auto turns = generator_.heal_turns(draw_);
    set_heal_leaders(leaders_, scheduled_rounds(), {turns.begin(), turns.end()});
    faults_ = {
        {draw_.outages.begin(), draw_.outages.end()}, draw_.lies, generator_.settings().scope == Scope::kBaseline};
  }
  // Runs have nothing in common, so that no world need be kept.
  void arrange(std::span<Numbered> schedules) const override {
    for (Numbered& numbered : schedules) numbered.keeps = 0;
  }

 private:
  void choose(Round, RoundAnswers& answers) override {
    answers.links = &links_;
    answers.order = &order_;
    answers.faults = &faults_;
  }
  void heal(Round, RoundAnswers& answers) override {
    if (generator_.settings().lies_go_on) answers.faults = &faults_;
  }

  const FuzzGenerator& generator_;
  const Links links_;
  const Order order_{};
  Draw draw_;
  Faults faults_;
};

}  // namespace

FuzzGenerator::FuzzGenerator(const Settings& settings)
    : settings_(settings), cluster_(cast_of(cast_for(settings)).value()), heal_rounds_(count_heal_rounds()) {
  NIKA_REQUIRE(check(settings).has_value());
  cluster_.fault_count = static_cast<std::uint8_t>(settings.faults);
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

BoundedVector<Identity, kMaxSeats> FuzzGenerator::heal_turns(const Draw& draw) const {
  BoundedVector<Identity, kMaxSeats> turns;
  for (unsigned i = 0; i < settings_.nodes; ++i) {
    const Identity id = draw.rotation[(settings_.scheduled_rounds() + i) % settings_.nodes];
    if (!only_honest_heal() || !cluster_.compromised.contains(id)) NIKA_REQUIRE(turns.push_back(id));
  }
  return turns;
}

// Omission, or one of the fields, each with the same probability; then one of the twists of the field.
Lie FuzzGenerator::draw_lie(Random& random, std::uint8_t kind) const {
  Lie lie;
  lie.kind = kind;
  const KindLeaves& leaves = settings_.leaves[kind];
  const std::uint64_t choice = random.below(leaves.size() + 1);
  if (choice == leaves.size()) return lie;
  lie.field = static_cast<std::uint8_t>(choice);
  const auto scope = settings_.scope == Scope::kSmall ? LieScope::kSmall : LieScope::kAny;
  const auto twists = twists_of(leaves[choice].type, scope);
  const TwistChoice& twist = twists[random.below(twists.size())];
  lie.twist = twist.twist;
  lie.argument = static_cast<std::uint16_t>(random.below(twist.arguments));
  return lie;
}

void FuzzGenerator::draw(Wide index, Draw& draw) const {
  Random random(mix64(settings_.seed ^ mix64(static_cast<std::uint64_t>(index))));
  const auto round = [&] { return static_cast<std::uint16_t>(1 + random.below(settings_.last_round)); };
  for (unsigned i = 0; i < settings_.nodes; ++i) draw.rotation[i] = static_cast<Identity>(i);
  for (unsigned i = settings_.nodes; i > 1; --i) std::swap(draw.rotation[i - 1], draw.rotation[random.below(i)]);
  draw.outages.clear();
  for (unsigned i = 0; i < settings_.outages; ++i) {
    Outage outage;
    outage.protocol_round = round();
    outage.partition =
        partition_numbered(random.below(partition_count(settings_.nodes)), settings_.nodes, cluster_.seat_count);
    outage.withholds = settings_.withholds;
    NIKA_REQUIRE(draw.outages.push_back(outage));
  }
  draw.lies.clear();
  if (settings_.faults == 0) return;
  for (unsigned i = 0; i < settings_.lies; ++i) {
    Lie fault;
    fault.protocol_round = round();
    fault.from = static_cast<Seat>(random.below(settings_.faults));
    fault.to = SeatSet::from_bits(static_cast<std::uint32_t>(random.below(1ULL << cluster_.seat_count)));
    for (std::size_t kind = 0; kind < settings_.leaves.size(); ++kind) {
      Lie lie = draw_lie(random, static_cast<std::uint8_t>(kind));
      lie.protocol_round = fault.protocol_round;
      lie.from = fault.from;
      lie.to = fault.to;
      draw.lies.push_back(lie);
    }
  }
}

Scenario FuzzGenerator::scenario(Wide index) const {
  Draw drawn;
  draw(index, drawn);
  Scenario scenario = cast_for(settings_);
  for (unsigned r = 0; r < settings_.scheduled_rounds(); ++r) {
    RoundPlan plan;
    plan.leaders = IdentitySet::single(drawn.rotation[r % settings_.nodes]);
    scenario.rounds.push_back(plan);
  }
  scenario.heal_rounds = static_cast<std::uint8_t>(heal_rounds_);
  const auto turns = heal_turns(drawn);
  scenario.heal_leaders.assign(turns.begin(), turns.end());
  scenario.outages.assign(drawn.outages.begin(), drawn.outages.end());
  for (const Lie& lie : drawn.lies) {
    if (!lie.to.empty()) scenario.lies.push_back(lie);
  }
  scenario.lies_go_on = settings_.lies_go_on;
  scenario.faults_count_messages = settings_.scope == Scope::kBaseline;
  return scenario;
}

}  // namespace nika::byzzfuzz
