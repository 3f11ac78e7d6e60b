// Puts fault configurations together one protocol round after another: what begins in a round is drawn by itself, and
// what came to a new partial state is kept up to the round in which it did, and drawn anew from there on. So attacks
// that take the right faults in many rounds are found step by step. Faults last, and the order of arrival is drawn too.
#pragma once

#include "nika/scenarios/byzzfuzz/guidance.hpp"

namespace nika::byzzfuzz {

class RoundsGuide final : public Guidance {
 public:
  // The generator outlives it. In each of its r rounds lies begin with probability c/r, and an outage with d/r.
  explicit RoundsGuide(const FuzzGenerator& generator);

  void draw(std::uint64_t number, Draw& draw, Draw& scratch) const override;
  void learn(std::uint64_t first, std::span<const std::vector<guided::Reached>> reached) override;

 private:
  void draw_round(std::uint64_t number, unsigned protocol_round, Draw& draw) const;
  void isolate(Random& random, Partition& partition) const;
  void tell_more(Random& random, std::span<Lie> lies) const;
  unsigned last_of(Random& random, unsigned protocol_round) const;

  const FuzzGenerator& generator_;
  guided::Guide guide_;  // a gene for each protocol round; the first one says how leaders rotate and what comes first
};

}  // namespace nika::byzzfuzz
