#include "nika/scenarios/twins/classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace nika::twins {
namespace {

struct Case {
  Space space;
  Classes classes;
};

Case case_of(const Settings& settings, Symmetry symmetry = Symmetry::kNames) {
  Space space = Space::make(settings).value();
  Classes classes = Classes::make(space, symmetry).value();
  return {std::move(space), std::move(classes)};
}

// The lemma of Burnside: the number of classes is the mean, over the group, of the number of scenarios that stay the
// same.
mpz_class burnside(const Space& space, const SymmetryGroup& group) {
  mpz_class sum = 0;
  for (std::uint32_t g = 0; g < group.order(); ++g) {
    const auto images = group.images(g);
    mpz_class fixed = 0;
    for (std::uint32_t c = 0; c < images.size(); ++c) fixed += images[c] == c ? 1 : 0;
    mpz_class product = 1;
    for (unsigned r = 0; r < space.rounds(); ++r) {
      if (space.settings().assignment == Assignment::kReplacement) product *= fixed;
      if (space.settings().assignment == Assignment::kNoReplacement) product *= fixed - r;
      if (space.settings().assignment == Assignment::kStatic) product = fixed;
    }
    sum += product;
  }
  EXPECT_EQ(sum % group.order(), 0);
  return sum / group.order();
}

const std::vector<Settings>& small_spaces() {
  static const std::vector<Settings> spaces{
      {.rounds = 3},
      {.partitions = 3, .rounds = 2},
      {.nodes = 3, .twins = 2, .rounds = 2},
      {.nodes = 3, .copies = 3, .at_most = true, .rounds = 2},
      {.nodes = 4, .rounds = 2, .leaders = {LeaderChoice::Kind::kAll, {}}},
      {.rounds = 2, .leaders = {LeaderChoice::Kind::kList, {{Identity{0}}, {Identity{1}, Identity{2}}}}},
      {.nodes = 3, .rounds = 2, .order = OrderChoice::kAll},
      {.nodes = 3, .twins = 2, .rounds = 1, .order = OrderChoice::kAll},
      {.rounds = 3, .step1 = {Selection::Kind::kFirst, 6}},
      {.rounds = 2, .step2 = {Selection::Kind::kRandom, 9}},
      {.rounds = 3, .crashes = {{Seat{2}, Round(1), Round(2), false}}},
      {.partitions = 1, .rounds = 3},
  };
  return spaces;
}

// Groups all scenarios of a small space into orbits by brute force and compares everything with the generator.
void expect_orbits(const Case& c) {
  std::map<std::vector<std::uint32_t>, Wide> orbits;  // smallest sequence -> size
  std::vector<std::uint32_t> sequence(c.space.rounds());
  for (Wide i = 0; i < c.space.size().value(); ++i) {
    c.space.unrank(i, sequence);
    std::vector<std::uint32_t> smallest = sequence;
    for (std::uint32_t g = 0; g < c.classes.group().order(); ++g) {
      std::vector<std::uint32_t> image = sequence;
      for (std::uint32_t& element : image) element = c.classes.group().images(g)[element];
      smallest = std::min(smallest, image);
    }
    ++orbits[smallest];
    ASSERT_EQ(c.classes.is_representative(sequence), smallest == sequence);
    std::vector<std::uint32_t> representative(sequence.size());
    c.classes.represent(sequence, representative);
    ASSERT_EQ(representative, smallest);
  }
  ASSERT_EQ(c.classes.size(), orbits.size());
  auto expected = orbits.begin();
  Wide index = 0;
  c.classes.for_each({0, *c.classes.size()}, [&](std::span<const std::uint32_t> representative, Wide weight) {
    ASSERT_TRUE(std::ranges::equal(representative, expected->first));
    ASSERT_EQ(weight, expected->second);
    ASSERT_EQ(c.classes.weight(representative), weight);
    ASSERT_EQ(c.classes.rank(representative), index);
    c.classes.unrank(index++, sequence);
    ASSERT_EQ(sequence, (expected++)->first);
  });
  EXPECT_EQ(index, orbits.size());
}

TEST(TwinsClasses, AreTheOrbitsOfBruteForce) {
  for (Settings settings : small_spaces()) {
    for (const auto assignment : {Assignment::kReplacement, Assignment::kNoReplacement, Assignment::kStatic}) {
      settings.assignment = assignment;
      if (assignment == Assignment::kNoReplacement && settings.partitions == 1) continue;
      for (const auto symmetry : {Symmetry::kNames, Symmetry::kExact}) {
        const Case c = case_of(settings, symmetry);
        EXPECT_EQ(c.classes.count(), burnside(c.space, c.classes.group()));
        expect_orbits(c);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(TwinsClasses, CountsOfTable1AreExact) {
  const std::vector<std::pair<Settings, std::string>> table{
      {{.partitions = 2, .rounds = 4}, "5053"},
      {{.partitions = 3, .rounds = 4}, "33509"},
      {{.partitions = 2, .rounds = 7}, "14513707"},
      {{.partitions = 3, .rounds = 7}, "508920348"},
      {{.nodes = 7, .twins = 2, .partitions = 2, .rounds = 4}, "139341608"},
      {{.nodes = 7, .twins = 2, .partitions = 2, .rounds = 7}, "10230520844283136"},
  };
  for (const auto& [settings, expected] : table) {
    for (const auto assignment : {Assignment::kReplacement, Assignment::kNoReplacement, Assignment::kStatic}) {
      Settings chosen = settings;
      chosen.assignment = assignment;
      const Case c = case_of(chosen);
      EXPECT_EQ(c.classes.count(), burnside(c.space, c.classes.group()));
      if (assignment == Assignment::kReplacement) {
        EXPECT_EQ(to_text(c.classes.count()), expected);
      }
    }
  }
}

TEST(TwinsClasses, BeyondAnyIndexAreStillCounted) {
  const Case c = case_of({.nodes = 4, .twins = 1, .rounds = 40});
  EXPECT_EQ(c.classes.size(), std::nullopt);
  EXPECT_EQ(c.classes.count(), burnside(c.space, c.classes.group()));
}

TEST(TwinsClasses, WeightsAddUpToTheSpace) {
  const Case c = case_of({.rounds = 7});
  Wide sum = 0;
  Wide classes = 0;
  c.classes.for_each({0, *c.classes.size()}, [&](std::span<const std::uint32_t>, Wide weight) {
    sum += weight;
    ++classes;
  });
  EXPECT_EQ(sum, 170859375U);
  EXPECT_EQ(classes, 14513707U);
}

TEST(TwinsClasses, APartOfTheRangeIsThatPart) {
  const Case c = case_of({.rounds = 4, .assignment = Assignment::kNoReplacement});
  std::vector<std::vector<std::uint32_t>> whole;
  std::vector<std::vector<std::uint32_t>> parts;
  const auto into = [](auto& list) {
    return [&list](std::span<const std::uint32_t> r, Wide) { list.emplace_back(r.begin(), r.end()); };
  };
  const Range all{0, *c.classes.size()};
  c.classes.for_each(all, into(whole));
  for (Wide i = 1; i <= 7; ++i) c.classes.for_each(part_of(all, {i, 7}), into(parts));
  EXPECT_EQ(whole, parts);
}

TEST(TwinsClasses, TheGroupIsWhatLeavesTheConfigurationsClosed) {
  EXPECT_EQ(case_of({.rounds = 1}).classes.group().order(), 12U);                           // 3! * 2
  EXPECT_EQ(case_of({.nodes = 7, .twins = 2, .rounds = 1}).classes.group().order(), 960U);  // 5! * 2 * 2 * 2
  EXPECT_EQ(case_of({.nodes = 3, .copies = 3, .rounds = 1}).classes.group().order(), 12U);  // 2! * 3!
  EXPECT_EQ(case_of({.rounds = 1, .leaders = parse_leaders("A,B").value()}).classes.group().order(),
            4U);  // C, D; A, A'
  const Crash crash{Seat{4}, Round(1), Round(2), false};
  EXPECT_EQ(case_of({.rounds = 1, .crashes = {crash}}).classes.group().order(), 6U);
  EXPECT_EQ(case_of({.rounds = 1}, Symmetry::kExact).classes.group().order(), 6U);
}

TEST(TwinsClasses, ExactOnesLeaveSeatsAloneWhoseNamesBreakTies) {
  const auto exact = [](const Settings& settings) {
    return case_of(settings, Symmetry::kExact).classes.group().order();
  };
  const LeaderChoice all{LeaderChoice::Kind::kAll, {}};
  const LeaderChoice only_b = parse_leaders("B").value();
  EXPECT_EQ(exact({.rounds = 1}), 6U);                                                // B, C, D
  EXPECT_EQ(exact({.rounds = 1, .order = OrderChoice::kAll}), 6U);                    // healing has an order
  EXPECT_EQ(exact({.rounds = 1, .heal_rounds = 0, .order = OrderChoice::kAll}), 6U);  // A' sends after A
  EXPECT_EQ(exact({.rounds = 1, .leaders = only_b}), 2U);                             // C, D
  EXPECT_EQ(exact({.rounds = 1, .leaders = all, .order = OrderChoice::kAll}), 1U);    // nobody
  EXPECT_EQ(exact({.rounds = 1, .heal_rounds = 0, .leaders = all, .order = OrderChoice::kAll}), 6U);
  EXPECT_EQ(exact({.clients = 1, .rounds = 1, .heal_rounds = 0, .leaders = all, .order = OrderChoice::kAll}), 1U);
}

TEST(TwinsClasses, OnlyWhoCountsAlikeAndIsCountedAlikeIsInterchangeable) {
  // B and C; F and G; A and A'. D and E are counted by all, and count others.
  const Settings settings{.nodes = 7, .unls = parse_unls("A-D:A-E,E-G:ADE-G").value(), .rounds = 1};
  EXPECT_EQ(case_of(settings).classes.group().order(), 8U);
  EXPECT_EQ(case_of({.nodes = 7, .rounds = 1}).classes.group().order(), 1440U);
}

TEST(TwinsClasses, ClientsKeepTheirNames) {
  const Case c = case_of({.clients = 2, .rounds = 2});
  EXPECT_EQ(c.classes.group().order(), 12U);
  expect_orbits(c);
}

TEST(TwinsClasses, SpacesThatAreNotClosedUnderRenamingAreRefused) {
  const Space sampled = Space::make({.order = OrderChoice::kSampled}).value();
  EXPECT_EQ(Classes::make(sampled).error().message,
            "symmetry and a sampled order exclude each other: the order belongs to the index, not to the class");
  const Space some = Space::make({.step3 = {Selection::Kind::kFirst, 5}}).value();
  EXPECT_EQ(Classes::make(some).error().message,
            "symmetry and a selection in step 3 exclude each other: a class may be partly selected");
  const Space large = Space::make({.nodes = 14, .twins = 1, .rounds = 1}).value();
  EXPECT_EQ(
      Classes::make(large).error().message,
      "12454041600 renamings of 16383 configurations are too many for symmetry, expected at most 134217728 together");
}

}  // namespace
}  // namespace nika::twins
