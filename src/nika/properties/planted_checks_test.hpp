// What several properties about progress are checked for alike, on planted runs.
#pragma once

#include <gtest/gtest.h>

#include "nika/properties/planted_run.hpp"

namespace nika {

// The planted protocol asks for two rounds of healing: after the first nothing can be said, and after the second it is
// broken.
inline void expect_broken_in_the_second_healing_round(PlantedRun& run) {
  run.heal(1);
  EXPECT_EQ(run.unjudged(), Unjudged::kHealingTooShort);
  run.heal(1);
  EXPECT_EQ(run.verdict(), Verdict::kViolated);
}

}  // namespace nika
