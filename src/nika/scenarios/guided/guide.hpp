// Chooses what to try next from what was reached so far: it keeps one schedule for every partial state that was new,
// and continues from there with rounds of another draw. States in which seats disagree and states that were seen rarely
// are continued more often. What it proposes depends on the seed and on what it was told, and never runs anything.
#pragma once

#include <span>
#include <unordered_map>

#include "nika/scenarios/guided/genome.hpp"

namespace nika::guided {

// The partial state of a run after its first `rounds` rounds.
struct Reached {
  std::uint64_t state = 0;  // the same for equal partial states, another one for others but for rare accidents
  std::uint32_t disagreement = 0;
  std::uint32_t rounds = 0;
  // Where faults are bound to protocol rounds: the latest that a seat had come to, and a coarser state.
  std::uint32_t protocol_rounds = 0;
  std::uint64_t held = 0;
};

class Guide {
 public:
  // Schedules are proposed in generations of this size: what one of them reaches counts from the next one on, so that
  // a generation can be run in any order.
  static constexpr unsigned kGeneration = 256;

  Guide(unsigned genes, std::uint64_t seed) : genes_(genes), seed_(seed), offers_(genes) {}

  // Schedule `number` of the generation that is next to be learnt from.
  Genome propose(Wide number) const;
  // Where it starts: a state that was reached before, by the first rounds of its genome; no rounds if from nothing.
  struct Start {
    std::uint32_t state = 0;
    std::uint32_t rounds = 0;
  };
  Start start_of(Wide number) const;
  // What the schedules `first`, `first` + 1, … of a generation have reached behind their start, in this order.
  void learn(Wide first, std::span<const std::vector<Reached>> reached);

  std::size_t state_count() const { return kept_.size(); }
  // How many states after so many rounds.
  std::size_t state_count_after(unsigned rounds) const { return offers_[rounds].states.size(); }

 private:
  static constexpr std::uint32_t kNobody = ~0U;
  // Beyond it new states are no longer kept: they are more than a search can continue from.
  static constexpr std::size_t kMaxKept = 1U << 22U;

  // The first schedule that reached a state: another one, continued by a draw. Its own first rounds lead to the state.
  struct Kept {
    Wide draw = 0;
    std::uint32_t parent = kNobody;
    std::uint32_t disagreement = 0;
    std::uint32_t rounds = 0;
    std::uint32_t seen = 0;
  };
  // The states after some number of rounds, with the sums of their weights.
  struct Offer {
    std::vector<std::uint32_t> states;
    std::vector<std::uint64_t> sums;
  };

  std::uint32_t parent_of(Wide number) const;
  Genome genome_of(std::uint32_t parent, Wide draw) const;
  void note(Wide number, std::uint32_t parent, const Reached& reached);
  void weigh();

  unsigned genes_;  // of a schedule
  std::uint64_t seed_;
  std::vector<Kept> kept_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // positions in kept_, by state
  // What can be continued, as of the last generation.
  std::vector<Offer> offers_;      // by rounds
  std::vector<unsigned> offered_;  // the rounds after which there are any
};

}  // namespace nika::guided
