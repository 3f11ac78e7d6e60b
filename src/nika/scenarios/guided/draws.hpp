// What a genome stands for under some settings: leaders, links and orders of each round, or the whole as a scenario.
#pragma once

#include <optional>
#include <span>

#include "nika/scenarios/guided/genome.hpp"
#include "nika/scenarios/phases/sampler.hpp"

namespace nika::guided {

// What is chosen in a scheduled round. By phases the links are drawn besides, and the partition has no meaning.
struct Choice {
  IdentitySet leaders;
  std::uint32_t partition = 0;  // a position in the partitions of the space
  Order order;
};

class Draws {
 public:
  // By rounds or by phases, as the settings say; a random selection in step 3 tells how many draws there are.
  static Result<Draws> make(const twins::Settings& settings, unsigned kind_count);

  const twins::Space& space() const { return sampler_ ? sampler_->space() : *space_; }
  // Nothing if draws are by rounds.
  const phases::Sampler* sampler() const { return sampler_ ? &*sampler_ : nullptr; }
  bool draws_healing() const { return sampler_ && sampler_->draws_healing(); }
  // Of a genome: the scheduled rounds, and one for healing where that is drawn.
  unsigned gene_count() const { return space().rounds() + (draws_healing() ? 1U : 0U); }
  // How many draws there are; the largest number that fits if there are more.
  Wide size() const;

  // Of all scheduled rounds; `choices` has room for them.
  void choose(const Genome& genome, std::span<Choice> choices) const;
  phases::Sampler::HealLeaders heal_leaders(const Genome& genome) const;
  Order heal_order(const Genome& genome) const;
  // Only where healing is drawn. Round 0 is the first healing round.
  void draw_heal_links(const Genome& genome, unsigned heal_round, PhaseLinks& links) const;
  Scenario scenario(const Genome& genome) const;

 private:
  Draws() = default;
  void choose_by_rounds(const Genome& genome, std::span<Choice> choices) const;

  std::optional<phases::Sampler> sampler_;
  std::optional<twins::Space> space_;
};

}  // namespace nika::guided
