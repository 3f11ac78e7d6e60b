// What is asked of every protocol under twins: both ways of covering a space agree, and renaming honest nodes renames
// the run. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "nika/base/random.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/explore/canonical.hpp"
#include "nika/explore/enumerated_schedule.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"
#include "nika/sim/round_network.hpp"

namespace nika::checks {

inline twins::Space space_of(const twins::Settings& settings) {
  auto space = twins::Space::make(settings);
  EXPECT_TRUE(space.has_value()) << space.error().message;
  return *std::move(space);
}

inline Setup setup_of(const twins::Space& space, const Properties& properties) {
  return {space.cluster(), space.settings().bugs, properties};
}

// Every scenario of the space, one by one.
inline Tally swept(const Runner& runner, const twins::Space& space, const Properties& properties) {
  RangeWork work({0, space.size().value()});
  const auto result = sweep(runner, setup_of(space, properties), twins::TwinsGenerator(space), work, {});
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return result->tally;
}

inline SearchResult searched(const Runner& runner, const twins::Space& space, const Properties& properties) {
  const auto session = runner.open(setup_of(space, properties));
  EXPECT_TRUE(session.has_value()) << session.error().message;
  auto result = (*session)->search(space, {});
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return *std::move(result);
}

// Agreement is broken in `violating` scenarios. In the others it holds, unless more nodes are compromised than the
// protocol was made for: then nothing is known of them.
inline void expect_agreement_broken_in(const Tally& tally, const twins::Space& space, Wide violating) {
  EXPECT_EQ(to_string(tally.scenarios), to_string(*space.size()));
  EXPECT_EQ(to_string(tally.violating), to_string(violating));
  const bool is_beyond = space.cluster().compromised.size() > static_cast<int>(space.cluster().fault_count);
  const Wide unknown = is_beyond ? tally.scenarios - violating : 0;
  EXPECT_EQ(to_string(tally.unknown), to_string(unknown));
  const auto too_many = static_cast<std::size_t>(Unjudged::kTooManyFaulty);
  EXPECT_EQ(to_string(tally.properties[0].unknown_because[too_many]), to_string(unknown));
}

// Sweeps the space scenario by scenario and searches it; both must find `violating` scenarios.
inline void expect_violating(const Runner& runner, const twins::Settings& settings, Wide violating) {
  SCOPED_TRACE(runner.name());
  const twins::Space space = space_of(settings);
  expect_agreement_broken_in(swept(runner, space, only(kAgreement)), space, violating);
  const SearchResult found = searched(runner, space, only(kAgreement));
  expect_agreement_broken_in(found.tally, space, violating);
  EXPECT_EQ(found.verdict, violating > 0             ? Verdict::kViolated
                           : found.tally.unknown > 0 ? Verdict::kUnknown
                                                     : Verdict::kHolds);
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
  const auto network = std::make_unique<RoundNetwork<P>>(cluster, only(kAgreement));
  EnumeratedSchedule schedule(space, choices);
  const auto run = [&](World<P>& world, std::span<const std::uint32_t> scenario) {
    schedule.set_all_leaders(choices.leaders(scenario.back()));
    for (std::size_t r = 0; r < scenario.size(); ++r)
      schedule.set_leaders(Round(static_cast<unsigned>(r + 1)), choices.leaders(scenario[r]));
    network->start(world, schedule);
    for (const std::uint32_t c : scenario) {
      schedule.set_round({c, 1});
      ASSERT_TRUE(network->advance(world, schedule));
    }
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
