// Symmetries are found where they are, claimed nowhere else, and give the verdicts that the solver gives.
#include "nika/automata/symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "nika/automata/mirrored_automaton.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/symmetry_cross_check.hpp"
#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

constexpr std::uint64_t kCases = kSanitized ? 20 : 500;  // bench_verify_cross_check has time for more
constexpr std::uint64_t kSearches = 2'000;

using Names = std::map<std::string, std::string>;

std::vector<std::uint8_t> random_bytes(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bytes(400);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

VerifyOptions quick() {
  VerifyOptions options;
  options.minimise = false;
  return options;
}

Automaton parsed(const std::string& text) {
  Result<Automaton> automaton = parse_automaton({"test", text});
  EXPECT_TRUE(automaton) << automaton.error().message;
  return *automaton;
}

Automaton model(const std::string& name) {
  const Result<Automaton> automaton = read_automaton(std::string(NIKA_SOURCE_DIR) + "/models/" + name + ".ta");
  EXPECT_TRUE(automaton) << automaton.error().message;
  return *automaton;
}

Names images_in(const Automaton& automaton) {
  const auto images = find_images(automaton);
  Names names;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i]) names[automaton.specifications[i].name] = automaton.specifications[images[i]->of].name;
  }
  return names;
}

// Two voters, with places for a guard, an update, an initial condition and an assumption that may spoil the symmetry.
std::string voters(const std::string& guard1, const std::string& update1, const std::string& init,
                   const std::string& assumption) {
  return "skel V { shared x0, x1; parameters n, t; assumptions { n > 2 * t; " + assumption +
         " }\n locations { a0; a1; b0; b1; } inits { a0 + a1 == n; b0 == 0; b1 == 0; x0 == 0; " + init + " }\n" +
         "rules { 1: a0 -> b0 when (x0 >= t || x1 < 2) do { x0' == x0 + 1; };\n 2: a1 -> b1 when (" + guard1 +
         ") do { " + update1 + " }; }\n specifications { p: [](b0 == 0 || x0 >= t); q: [](x1 >= t || b1 == 0); } }";
}
const std::string kGuard = "x0 < 2 || x1 >= t";
const std::string kUpdate = "x1' == x1 + 1;";

TEST(Symmetry, OrderAndSpellingDoNotMatter) {
  EXPECT_EQ(images_in(parsed(voters(kGuard, kUpdate, "x1 == 0;", ""))), (Names{{"q", "p"}}));
  EXPECT_EQ(images_in(parsed(voters("!(x0 > 1 && t > x1)", kUpdate, "x1 <= 0;", "t >= 0;"))), (Names{{"q", "p"}}));
}

// Neither the search nor the check alone takes them for symmetric.
TEST(Symmetry, OneDifferenceIsEnoughForNone) {
  const std::vector<std::string> spoiled = {
      voters("x0 < 2 || x1 >= t + 1", kUpdate, "x1 == 0;", ""),
      voters("x0 < 2 && x1 >= t", kUpdate, "x1 == 0;", ""),
      voters(kGuard, "x1' == x1 + 2;", "x1 == 0;", ""),
      voters(kGuard, "x0' == x0 + 1;", "x1 == 0;", ""),
      voters(kGuard, kUpdate + " x0' == x0 + 1;", "x1 == 0;", ""),
      voters(kGuard, kUpdate, "x1 <= 1;", ""),
      voters(kGuard, kUpdate, "x1 == 0; a1 >= 1;", ""),
      voters(kGuard, kUpdate, "x1 == 0;", "x1 <= 7;"),
  };
  for (const std::string& text : spoiled) {
    const Automaton automaton = parsed(text);
    EXPECT_EQ(images_in(automaton), Names()) << text;
    const NormalAutomaton normal(automaton);
    EXPECT_FALSE(SymmetryCheck(normal).symmetry_by({0, 1, 3, 2, 5, 4, 7, 6})) << text;
  }
}

TEST(Symmetry, ModelsPairUpWhereTheProtocolTreatsBothValuesAlike) {
  const Names broadcast{
      {"obligation1", "obligation0"}, {"justification1", "justification0"}, {"uniformity1", "uniformity0"}};
  const Names one_step{{"handover1", "handover0"}, {"one_step1", "one_step0"}};
  EXPECT_EQ(images_in(model("bv-broadcast")), broadcast);
  EXPECT_EQ(images_in(model("bv-broadcast-broken")), broadcast);
  EXPECT_EQ(images_in(model("one-step")), one_step);
  EXPECT_EQ(images_in(model("one-step-broken")), one_step);
}

// Its first round can decide only 1 and its second only 0.
TEST(Symmetry, DbftIsNotSymmetric) {
  EXPECT_EQ(images_in(model("dbft")), Names());
  EXPECT_EQ(images_in(model("dbft-broken")), Names());
}

// The broken broadcast with the fault on one side only: what is claimed of one value is false of the other.
TEST(Symmetry, AFaultOnOneSideIsNotCarriedOver) {
  Automaton automaton = model("bv-broadcast");
  const Automaton broken = model("bv-broadcast-broken");
  ASSERT_EQ(automaton.rules.size(), broken.rules.size());
  for (std::size_t i = 0; i < automaton.rules.size(); ++i) {
    if (automaton.variable_name(automaton.rules[i].source).rfind("only1", 0) == 0) automaton.rules[i] = broken.rules[i];
  }
  EXPECT_EQ(images_in(automaton), Names());
  const System system = prepare(automaton, {});
  for (const Specification& specification : automaton.specifications) {
    const Verdict verdict = verify_property(system, *specification.formula, {}).verdict;
    EXPECT_EQ(verdict, specification.name == "justification0" ? Verdict::violated : Verdict::holds)
        << specification.name;
  }
}

TEST(Symmetry, AViolationIsMappedAndReplayed) {
  const Automaton automaton = model("bv-broadcast-broken");
  const auto images = find_images(automaton);
  const System system = prepare(automaton, {});
  const std::size_t justification1 = 4;
  ASSERT_EQ(automaton.specifications[justification1].name, "justification1");
  const PropertyImage& image = *images[justification1];
  Outcome outcome = verify_property(system, *automaton.specifications[image.of].formula, {});
  const auto mapped = outcome_by_symmetry(automaton, justification1, image, outcome);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->verdict, Verdict::violated);
  EXPECT_EQ(mapped->queries, 0U);
  EXPECT_EQ(mapped->by_symmetry_with, "justification0");
  EXPECT_EQ(objection_to(automaton, *automaton.specifications[justification1].formula, *mapped->counterexample),
            std::nullopt);
  // Its run is none of the other property, and a run that does not replay is an error of ours and no verdict.
  EXPECT_NE(objection_to(automaton, *automaton.specifications[image.of].formula, *mapped->counterexample),
            std::nullopt);
  outcome.counterexample->steps.pop_back();
  const auto wrong = outcome_by_symmetry(automaton, justification1, image, outcome);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->verdict, Verdict::unknown);
  EXPECT_TRUE(wrong->solver_is_wrong);
}

TEST(Symmetry, AnUnknownIsNotCarriedOver) {
  const Automaton automaton = model("bv-broadcast");
  const auto images = find_images(automaton);
  EXPECT_EQ(outcome_by_symmetry(automaton, 3, *images[3], Outcome()), std::nullopt);
}

TEST(Symmetry, RenamingsThatAreNoneAreRefused) {
  const Automaton automaton = parsed(voters(kGuard, kUpdate, "x1 == 0;", ""));
  const NormalAutomaton normal(automaton);
  const SymmetryCheck check(normal);
  EXPECT_TRUE(check.symmetry_by({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(check.symmetry_by({0, 1, 3, 2, 5, 4, 7, 6}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 2, 3, 5, 4, 7, 6}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 3, 2, 5, 4, 6, 7}));
  EXPECT_FALSE(check.symmetry_by({1, 0, 2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 2, 2, 4, 5, 6, 7}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 4, 3, 2, 5, 6, 7}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 2, 3, 4, 5, 6, 8}));
  EXPECT_FALSE(check.symmetry_by({0, 1, 2, 3, 4, 5, 6}));
}

// Is there any symmetry that maps the first property to the second? By trying all renamings.
bool brute_force_finds_image(const Automaton& automaton) {
  const NormalAutomaton normal(automaton);
  const SymmetryCheck check(normal);
  const NormalPtr from = normal_form(*automaton.specifications[0].formula);
  const std::string to = renamed_key(*normal_form(*automaton.specifications[1].formula), no_renaming(automaton));
  Renaming renaming = no_renaming(automaton);
  const auto shared = renaming.begin() + automaton.shared_begin();
  const auto locations = renaming.begin() + automaton.location_begin();
  do {
    do {
      if (renamed_key(*from, renaming) == to && check.symmetry_by(renaming)) return true;
    } while (std::next_permutation(locations, renaming.end()));
  } while (std::next_permutation(shared, locations));
  return false;
}

TEST(Symmetry, TheSearchFindsWhatTryingEverythingFinds) {
  int small = 0;
  int found = 0;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    const std::vector<std::uint8_t> bytes = random_bytes(seed);
    Choices choices(bytes);
    MirroredAutomaton mirrored = mirrored_automaton(choices, 1);
    if (seed % 2 == 0) mirrored.break_symmetry();
    const Automaton& automaton = mirrored.automaton();
    if (automaton.shared.size() > 3 || automaton.locations.size() > 5) continue;
    ++small;
    const bool expected = brute_force_finds_image(automaton);
    found += expected ? 1 : 0;
    EXPECT_EQ(find_images(automaton)[1].has_value(), expected) << printed(automaton);
  }
  EXPECT_GT(found, 0);
  EXPECT_LT(found, small);
}

TEST(Symmetry, MirroredAutomataHaveTheSameVerdictsWithAndWithout) {
  SymmetryCrossCheck compared;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const std::vector<std::uint8_t> bytes = random_bytes(10'000 + seed);
    Choices choices(bytes);
    const MirroredAutomaton mirrored = mirrored_automaton(choices, 1);
    const std::uint64_t before = compared.images;
    cross_check_symmetry(mirrored.automaton(), quick(), compared);
    EXPECT_EQ(compared.images, before + 1) << "a symmetry was not found\n" << printed(mirrored.automaton());
  }
  EXPECT_EQ(compared.disagreements, std::vector<std::string>());
  EXPECT_GT(compared.holds, kCases / 5);
  EXPECT_GT(compared.violated, kCases / 5);
}

TEST(Symmetry, NearlyMirroredAutomataAreNotMirrored) {
  SymmetryCrossCheck compared;
  std::uint64_t broken = 0;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const std::vector<std::uint8_t> bytes = random_bytes(20'000 + seed);
    Choices choices(bytes);
    MirroredAutomaton mirrored = mirrored_automaton(choices, 1);
    if (!mirrored.break_symmetry()) continue;
    ++broken;
    const NormalAutomaton normal(mirrored.automaton());
    EXPECT_FALSE(SymmetryCheck(normal).symmetry_by(mirrored.mirror())) << printed(mirrored.automaton());
    // Other symmetries may be left, for example where a formula does not depend on what was broken.
    cross_check_symmetry(mirrored.automaton(), quick(), compared);
  }
  EXPECT_EQ(compared.disagreements, std::vector<std::string>());
  EXPECT_GT(broken, kCases / 2);
  EXPECT_LT(compared.images, broken / 2);
}

}  // namespace
}  // namespace nika::automata
