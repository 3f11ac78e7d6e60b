// Runs schedules that are put together from rounds of several draws, and tells which partial states they go through.
#pragma once

#include "nika/model/outcome.hpp"
#include "nika/scenarios/guided/draws.hpp"
#include "nika/scenarios/guided/guide.hpp"

namespace nika {

// For one thread.
class GuidedSweeper {
 public:
  virtual ~GuidedSweeper() = default;
  // Replaces what is in `reached`.
  virtual Outcome run(const guided::Genome& genome, std::vector<guided::Reached>& reached) = 0;
};

}  // namespace nika
