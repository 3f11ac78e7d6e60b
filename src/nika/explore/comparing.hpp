// Runs of a scenario side by side, as it is and through the reductions of the search. That nothing differs is what
// folding, forgetting and renaming ask of a protocol.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace nika {

// A scenario of a space: the configuration of each round.
using ConfigurationsOf = std::span<const std::uint32_t>;

class Comparing {
 public:
  virtual ~Comparing() = default;

  virtual bool has_folding() const = 0;
  virtual std::size_t renaming_count() const = 0;  // 1: nobody can be renamed

  // In what a run through folded worlds differs from the plain one, in one line; nothing if in nothing.
  virtual std::string folding_fault(ConfigurationsOf scenario) = 0;
  // The same for the scenario with interchangeable nodes renamed, which must run to the renamed world.
  virtual std::string renaming_fault(ConfigurationsOf scenario, std::size_t renaming) = 0;
};

}  // namespace nika
