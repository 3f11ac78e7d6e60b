// Loops of scenarios that were drawn, of protocols as they are.
#include "nika/campaign/loops.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/liveness_scenarios.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

// A full block tree forgets what is older than its last commit. If all trees have, nobody knows those blocks any more
// that were committed first: folding used to end the program.
TEST(Loops, OfReplicasThatForgotTheirFirstCommitsAreLookedFor) {
  for (const std::string_view protocol : {"hotstuff", "two-phase-hotstuff"}) {
    const Runner& runner = built_in_protocol(protocol);
    const auto drawn = liveness::draw_scenarios(runner, {.rounds = 10, .scenarios = 20}).value();
    const auto loop = find_loop(runner, drawn.generator->scenario(19), {{9, 10, 2}});
    ASSERT_TRUE(loop.has_value()) << loop.error().message;
    EXPECT_EQ(*loop, std::nullopt);
  }
}

}  // namespace
}  // namespace nika
