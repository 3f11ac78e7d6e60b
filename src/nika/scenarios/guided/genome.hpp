// A schedule that is put together from rounds of numbered draws. A draw is a schedule of the blind search, a pure
// function of the settings and its number; a genome says for every round which draw it is taken from. So whatever is
// made of draws stays within the settings.
#pragma once

#include <vector>

#include "nika/base/wide.hpp"

namespace nika::guided {

// Replicas look up the leaders of the next round in a round, so a round's leaders belong to what went before it.
struct RoundGene {
  Wide leaders = 0;  // the draw that the leaders are of
  Wide network = 0;  // the draw that links and order of arrival are of

  bool operator==(const RoundGene&) const = default;
};

struct Genome {
  std::vector<RoundGene> rounds;  // the scheduled ones, then those of healing that are drawn
  Wide heal_order = 0;            // the draw that the order of arrival while the network heals is of

  bool operator==(const Genome&) const = default;
};

// How many rounds a genome has, and how many of them are scheduled.
struct Shape {
  unsigned rounds = 0;
  unsigned scheduled = 0;
};

// The draw itself.
inline Genome drawn(const Shape& shape, Wide draw) {
  return {std::vector<RoundGene>(shape.rounds, RoundGene{draw, draw}), draw};
}

// Keeps `kept` rounds, with all that can have had an influence on them, and takes what follows from another draw.
inline void redraw_after(Genome& genome, const Shape& shape, unsigned kept, Wide draw) {
  for (unsigned r = kept; r < shape.rounds; ++r) {
    if (r > kept || kept == 0) genome.rounds[r].leaders = draw;
    genome.rounds[r].network = draw;
  }
  if (kept <= shape.scheduled) genome.heal_order = draw;
}

}  // namespace nika::guided
