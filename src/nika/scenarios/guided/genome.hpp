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
  std::vector<RoundGene> rounds;  // the scheduled ones, then one for all of healing if that is drawn

  bool operator==(const Genome&) const = default;
};

// The draw itself.
inline Genome drawn(unsigned genes, Wide draw) { return {std::vector<RoundGene>(genes, RoundGene{draw, draw})}; }

// Keeps `kept` rounds, with all that can have had an influence on them, and takes what follows from another draw.
inline void redraw_after(Genome& genome, unsigned kept, Wide draw) {
  for (unsigned r = kept; r < genome.rounds.size(); ++r) {
    if (r > kept || kept == 0) genome.rounds[r].leaders = draw;
    genome.rounds[r].network = draw;
  }
}

}  // namespace nika::guided
