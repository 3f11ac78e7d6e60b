// What is asked of every protocol under twins: both ways of covering a space agree, and renaming honest nodes renames
// the run. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "nika/base/random.hpp"
#include "nika/campaign/sweep.hpp"
#include "nika/explore/side_by_side.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

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

inline SearchResult searched(const Runner& runner, const twins::Space& space, const Properties& properties,
                             const SearchOptions& options = {}) {
  const auto session = runner.open(setup_of(space, properties));
  EXPECT_TRUE(session.has_value()) << session.error().message;
  auto result = (*session)->search(space, options);
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
void expect_that_names_do_not_matter(const twins::Settings& settings, int runs_count) {
  const twins::Space space = space_of(settings);
  Cluster cluster = space.cluster();
  cluster.bugs = bug_bits(settings.bugs, P::kBugs, P::kName).value();
  SideBySide<P> runs(space, cluster, only(kAgreement));
  ASSERT_GT(runs.renaming_count(), 1U);
  Random random(7);
  std::vector<std::uint32_t> scenario(space.rounds());
  for (int i = 0; i < runs_count; ++i) {
    for (std::uint32_t& c : scenario) c = static_cast<std::uint32_t>(random.below(space.configurations().size()));
    ASSERT_EQ(runs.renaming_fault(scenario, random.below(runs.renaming_count())), "") << "run " << i;
  }
}

}  // namespace nika::checks
