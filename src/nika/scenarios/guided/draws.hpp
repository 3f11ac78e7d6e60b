// What a genome stands for under some settings: leaders, links and orders of each round, or the whole as a scenario.
#pragma once

#include <optional>
#include <span>

#include "nika/scenarios/guided/genome.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika::guided {

// What a genome says of a scheduled round. By phases the links are drawn besides, and the partition has no meaning.
struct RoundDraw {
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

  // Of all scheduled rounds; `rounds` has room for them.
  void choose(const Genome& genome, std::span<RoundDraw> rounds) const;
  phases::Sampler::HealLeaders heal_leaders(const Genome& genome) const;
  Order heal_order(const Genome& genome) const;
  // Only where healing is drawn. Round 0 is the first healing round.
  void draw_heal_links(const Genome& genome, unsigned heal_round, KindLinks& links) const;
  Scenario scenario(const Genome& genome) const;

 private:
  Draws() = default;
  void choose_by_rounds(const Genome& genome, std::span<RoundDraw> rounds) const;

  std::optional<phases::Sampler> sampler_;
  std::optional<twins::Space> space_;
};

// Answers as a genome says.
class GuidedSchedule final : public Schedule {
 public:
  // The draws outlive it.
  explicit GuidedSchedule(const Draws& draws);
  void seek(const Genome& genome);

 private:
  void choose(Round round, RoundAnswers& answers) override;
  void heal(Round round, RoundAnswers& answers) override;

  const Draws& draws_;
  Genome genome_;
  std::vector<RoundDraw> rounds_;
  phases::Sampler::HealLeaders turns_{};
  std::vector<Links> links_;  // of each partition
  Links full_;
  KindLinks kind_links_{};
  phases::Sampler::Disturbance drawn_{};
  std::vector<Crash> crashes_{};
};

}  // namespace nika::guided
