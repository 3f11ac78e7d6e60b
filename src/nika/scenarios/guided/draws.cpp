#include "nika/scenarios/guided/draws.hpp"

#include <array>

#include "nika/base/require.hpp"

namespace nika::guided {
namespace {

// The configurations of one draw, unranked again only when another draw is asked for.
class DrawnRounds {
 public:
  DrawnRounds(const twins::Space& space, Wide size) : space_(space), size_(size) {}

  const twins::Configuration& at(Wide draw, unsigned round) {
    const auto sequence = std::span(sequence_).first(space_.rounds());
    if (!draw_ || *draw_ != draw) space_.unrank(draw < size_ ? draw : draw % size_, sequence);
    draw_ = draw;
    return space_.configurations()[sequence[round]];
  }

 private:
  const twins::Space& space_;
  const Wide size_;  // after that many draws they come again
  std::optional<Wide> draw_;
  std::array<std::uint32_t, kMaxRound> sequence_{};
};

Result<void> check_independent(const twins::Settings& settings) {
  if (settings.assignment != twins::Assignment::kReplacement || settings.step2.kind != twins::Selection::Kind::kAll) {
    return bad_input("a guide combines rounds of different schedules: --assignment and --step2 do not go with it");
  }
  return {};
}

}  // namespace

Result<Draws> Draws::make(const twins::Settings& settings, unsigned kind_count) {
  if (auto sound = check_independent(settings); !sound) return tl::unexpected(sound.error());
  Draws draws;
  if (settings.granularity == twins::Granularity::kPhase) {
    auto sampler = phases::Sampler::make(settings, kind_count);
    if (!sampler) return tl::unexpected(sampler.error());
    draws.sampler_.emplace(*std::move(sampler));
  } else {
    auto space = twins::Space::make(settings);
    if (!space) return tl::unexpected(space.error());
    if (space->healings().size() > 1 || settings.heal_orders != twins::HealOrders::kFifo)
      return bad_input("a guide takes one rotation of healing leaders, and fifo");
    draws.space_.emplace(*std::move(space));
  }
  return draws;
}

Wide Draws::size() const { return sampler_ ? *sampler_->size() : space_->size().value_or(~Wide{0}); }

void Draws::choose(const Genome& genome, std::span<RoundDraw> rounds) const {
  NIKA_REQUIRE(genome.rounds.size() == gene_count() && rounds.size() == space().rounds());
  if (!sampler_) return choose_by_rounds(genome, rounds);
  for (unsigned r = 0; r < rounds.size(); ++r) {
    const RoundGene& gene = genome.rounds[r];
    rounds[r] = {sampler_->leaders({gene.leaders, r}), 0, sampler_->order({gene.network, r})};
  }
}

void Draws::choose_by_rounds(const Genome& genome, std::span<RoundDraw> rounds) const {
  DrawnRounds networks(*space_, size());
  DrawnRounds leaders(*space_, size());
  for (unsigned r = 0; r < rounds.size(); ++r) {
    const RoundGene& gene = genome.rounds[r];
    const twins::Configuration& network = networks.at(gene.network, r);
    const IdentitySet leading = gene.leaders == gene.network ? network.leaders : leaders.at(gene.leaders, r).leaders;
    rounds[r] = {leading, network.partition, space_->order(network, {gene.network, r})};
  }
}

phases::Sampler::HealLeaders Draws::heal_leaders(const Genome& genome) const {
  if (draws_healing()) return sampler_->heal_leaders(genome.rounds.back().leaders);
  phases::Sampler::HealLeaders leaders;
  for (Identity id : space().healings().rotations().front()) NIKA_REQUIRE(leaders.push_back(id));
  return leaders;
}

Order Draws::heal_order(const Genome& genome) const {
  return draws_healing() ? sampler_->heal_order(genome.rounds.back().network) : Order::fifo();
}

void Draws::draw_heal_links(const Genome& genome, unsigned heal_round, KindLinks& links) const {
  const unsigned turn = phases::Sampler::turn_of(heal_round, heal_leaders(genome));
  sampler_->draw_heal_links({genome.rounds.back().network, turn}, links);
}

Scenario Draws::scenario(const Genome& genome) const {
  std::vector<RoundDraw> rounds(space().rounds());
  choose(genome, rounds);
  const std::vector<std::uint32_t> any(space().rounds(), 0);
  Scenario scenario = space().scenario(0, any);
  const auto turns = heal_leaders(genome);
  scenario.heal_leaders.assign(turns.begin(), turns.end());
  scenario.heal_order = heal_order(genome);
  for (unsigned r = 0; r < rounds.size(); ++r) {
    const Partition partition = sampler_ ? Partition{} : space_->partitions()[rounds[r].partition];
    scenario.rounds[r] = {rounds[r].leaders, partition, rounds[r].order};
  }
  if (!sampler_) return scenario;
  sampler_->draw_crashes(genome.rounds.front().network, scenario.crashes);
  KindLinks links{};
  phases::Sampler::Disturbance drawn;
  for (unsigned r = 0; r < rounds.size(); ++r) {
    const twins::RoundOf where{genome.rounds[r].network, r};
    sampler_->disturb(where, drawn);
    scenario.rules.insert(scenario.rules.end(), drawn.rules.begin(), drawn.rules.end());
    scenario.rounds[r].receiver_orders = drawn.receiver_orders;
    scenario.rounds[r].gives_up = drawn.gives_up;
    sampler_->draw_links(where, links);
    sampler_->add_rules(scenario, Round(r + 1), links);
  }
  for (unsigned h = 0; draws_healing() && h < scenario.heal_rounds; ++h) {
    draw_heal_links(genome, h, links);
    sampler_->add_rules(scenario, Round(space().rounds() + h + 1), links);
  }
  return scenario;
}

GuidedSchedule::GuidedSchedule(const Draws& draws)
    : draws_(draws), rounds_(draws.space().rounds()), full_(full_links(draws.space().cluster().seat_count)) {
  begin(draws.space().cluster().seat_count, draws.space().rounds(), draws.space().settings().heal_rounds);
  set_crashes(draws.space().settings().crashes);
  for (const Partition& partition : draws.space().partitions())
    links_.push_back(links_of(partition, draws.space().cluster().seat_count));
}

void GuidedSchedule::seek(const Genome& genome) {
  genome_ = genome;
  draws_.choose(genome, rounds_);
  for (unsigned r = 0; r < rounds_.size(); ++r) leaders_[r + 1] = rounds_[r].leaders;
  turns_ = draws_.heal_leaders(genome);
  set_heal_leaders(leaders_, scheduled_rounds(), {turns_.begin(), turns_.end()});
  heal_order_ = draws_.heal_order(genome);
  if (draws_.sampler() == nullptr) return;
  draws_.sampler()->draw_crashes(genome.rounds.front().network, crashes_);
  set_crashes(crashes_);
}

void GuidedSchedule::choose(Round round, RoundAnswers& answers) {
  const unsigned r = round.number - 1U;
  answers.order = &rounds_[r].order;
  if (draws_.sampler() == nullptr) {
    answers.links = &links_[rounds_[r].partition];
    return;
  }
  const twins::RoundOf where{genome_.rounds[r].network, r};
  draws_.sampler()->draw_links(where, kind_links_);
  draws_.sampler()->disturb(where, drawn_);
  answers.links = &full_;
  answers.kind_links = &kind_links_;
  answers.rules = drawn_.rules;
  answers.receiver_orders = drawn_.receiver_orders;
  answers.gives_up = drawn_.gives_up;
}

void GuidedSchedule::heal(Round round, RoundAnswers& answers) {
  if (!draws_.draws_healing()) return;
  draws_.draw_heal_links(genome_, round.number - scheduled_rounds() - 1, kind_links_);
  answers.kind_links = &kind_links_;
}

}  // namespace nika::guided
