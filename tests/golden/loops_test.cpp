// The attacks that stop a protocol: each is a loop that is proved, with its assumptions; the same schedule on the
// repaired protocol is none.
#include "nika/campaign/loops.hpp"

#include <gtest/gtest.h>

#include "nika/base/located_json.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/store/attack.hpp"

namespace nika {
namespace {

store::Attack attack_named(const std::string& name) {
  const std::string path = std::string(NIKA_ATTACKS) + "/" + name + ".json";
  auto attack = store::attack_from_json(read_text_file(path).value(), path, words_in(built_in_protocols()));
  EXPECT_TRUE(attack.has_value()) << attack.error().message;
  return *std::move(attack);
}

std::optional<Loop> loop_of(const Scenario& scenario) {
  const auto loop = find_loop(built_in_protocol(scenario.protocol), scenario);
  EXPECT_TRUE(loop.has_value()) << loop.error().message;
  return *loop;
}

void expect_proved(const std::string& name, unsigned first_round, unsigned length, Assumptions assumptions) {
  const store::Attack attack = attack_named(name);
  const auto loop = loop_of(attack.flawed);
  ASSERT_TRUE(loop.has_value());
  EXPECT_TRUE(loop->proved);
  EXPECT_EQ(loop->first_round, first_round);
  EXPECT_EQ(loop->length, length);
  EXPECT_EQ(loop->assumptions, assumptions);
  // A thousand times more, through several times as many rounds as there are numbers for them.
  EXPECT_EQ(repeat_loop(built_in_protocol(attack.flawed.protocol), attack.flawed, loop_parts_of(attack.flawed)[0],
                        *loop, 1000),
            1000U);
  EXPECT_EQ(loop_of(attack.repaired), std::nullopt);
}

constexpr Assumptions kHealed{.healed = true, .fair = false, .order = Assumptions::Arrival::kOne};
constexpr Assumptions kHealedAndFair{.healed = true, .fair = true, .order = Assumptions::Arrival::kOne};

TEST(ProvedLoops, FabIsStuckWhileOneNodeLeads) { expect_proved("fab-stuck", 4, 1, kHealed); }

TEST(ProvedLoops, LinearPbftIsUnresponsiveWhileTheNodeThatKnowsNeverLeads) {
  expect_proved("linear-pbft-unresponsive", 6, 2, kHealed);
}

TEST(ProvedLoops, TwoPhaseHotStuffLivesOnLocksAlthoughEveryHonestNodeLeads) {
  expect_proved("two-phase-hotstuff-livelock", 13, 6, kHealedAndFair);
}

}  // namespace
}  // namespace nika
