// What is asked of every protocol under twins: both ways of covering a space agree, and renaming honest nodes renames
// the run. For tests only.
#pragma once

#include <gtest/gtest.h>

#include "nika/base/random.hpp"
#include "nika/campaign/runner_for.hpp"

namespace nika::checks {

inline twins::Space space_of(const twins::Settings& settings) {
  auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value()) << space.error().message;
  return *std::move(space);
}

// Sweeps the space scenario by scenario and searches it; both must find `violating` scenarios and nothing unknown.
template <Protocol P>
void expect_violating(const twins::Settings& settings, Wide violating) {
  const twins::Space space = space_of(settings);
  auto sweeper = RunnerFor<P>().sweeper(space);
  ASSERT_TRUE(sweeper.has_value()) << sweeper.error().message;
  Wide scenarios = 0;
  Wide swept = 0;
  Wide unknown = 0;
  std::vector<std::uint32_t> configurations(space.rounds());
  for (; scenarios < space.size().value(); ++scenarios) {
    space.unrank(scenarios, configurations);
    const Verdict verdict = (*sweeper)->run(configurations, scenarios).verdict;
    swept += verdict == Verdict::kViolated ? 1U : 0U;
    unknown += verdict == Verdict::kUnknown ? 1U : 0U;
  }
  EXPECT_EQ(to_string(swept), to_string(violating));
  EXPECT_EQ(to_string(unknown), "0");
  const auto searched = RunnerFor<P>().search(space, {});
  ASSERT_TRUE(searched.has_value()) << searched.error().message;
  EXPECT_EQ(to_string(searched->covered), to_string(scenarios));
  EXPECT_EQ(to_string(searched->violating), to_string(violating));
}

// Random scenarios of a space in which some honest nodes never lead: with those renamed, each runs to the renamed
// world.
template <Protocol P>
void expect_that_names_do_not_matter(const twins::Settings& settings, int runs) {
  const twins::Space space = space_of(settings);
  const Choices choices(space, true);
  ASSERT_GT(choices.renamings().count(), 1U);
  Cluster cluster = space.cluster();
  cluster.bugs = bug_bits(settings.bugs, P::kBugs, P::kName).value();
  const auto simulator = std::make_unique<Simulator<P>>(cluster, Faults{});
  const auto run = [&](World<P>& world, std::span<const std::uint32_t> scenario) {
    simulator->leaders.fill(choices.leaders(scenario.back()));
    for (std::size_t r = 0; r < scenario.size(); ++r) simulator->leaders[r + 1] = choices.leaders(scenario[r]);
    simulator->start(world);
    for (const std::uint32_t c : scenario)
      simulator->run_round(world, choices.links({c, 1}), choices.order({c, 1}), false);
  };
  Random random(7);
  const auto world = std::make_unique<World<P>>();
  const auto renamed = std::make_unique<World<P>>();
  for (int i = 0; i < runs; ++i) {
    const std::size_t renaming = random.below(choices.renamings().count());
    std::vector<std::uint32_t> scenario;
    std::vector<std::uint32_t> other;
    for (unsigned r = 0; r < space.rounds(); ++r) {
      scenario.push_back(static_cast<std::uint32_t>(random.below(space.configurations().size())));
      other.push_back(choices.renamings().renamed(renaming, scenario.back()));
    }
    run(*world, scenario);
    run(*renamed, other);
    rename(*world, choices.renamings().relabelling(renaming), cluster.seat_count);
    for (unsigned s = 0; s < cluster.seat_count; ++s) {
      ASSERT_EQ(std::memcmp(&world->states[s], &renamed->states[s], sizeof world->states[s]), 0) << "run " << i;
    }
    ASSERT_EQ(world->commits.conflict().found, renamed->commits.conflict().found) << "run " << i;
  }
}

}  // namespace nika::checks
