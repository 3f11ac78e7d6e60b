// The verifier against brute force, on random automata and random properties; and that planted errors do not pass.
#include "nika/automata/cross_check.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "nika/automata/random_automaton.hpp"
#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"

namespace nika::automata {
namespace {

constexpr int kCases = kSanitized ? 60 : 2'000;

VerifyOptions quick() {
  VerifyOptions options;
  options.minimise = false;
  return options;
}

std::string random_text(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(random.next()));
  Choices choices(bytes);
  return RandomAutomaton(choices).text(2);
}

TEST(CrossCheck, VerifierAndBruteForceAgree) {
  const auto agrees = [] {
    const auto bytes =
        *rc::gen::resize(150, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
    Choices choices(bytes);
    const std::string text = RandomAutomaton(choices).text(1);
    RC_LOG() << text;
    const CrossCheck result = cross_check(text, PlantedError::none, quick());
    RC_ASSERT(result.disagreements.empty());
  };
  rc::detail::TestParams parameters;
  parameters.seed = 20'230'615;
  parameters.maxSuccess = kCases;
  const auto result = rc::detail::checkTestable(agrees, rc::detail::TestMetadata(), parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

TEST(CrossCheck, NoSmallRunRefutesAVacuity) {
  CrossCheck sum;
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 20 : 500); ++seed) {
    const CrossCheck result = cross_check_vacuity(random_text(seed), quick());
    for (const std::string& disagreement : result.disagreements) ADD_FAILURE() << seed << ": " << disagreement;
    sum.properties += result.properties;
    sum.holds += result.holds;
    sum.vacuous += result.vacuous;
  }
  if (kSanitized) return;
  EXPECT_EQ(sum.properties, 1000U);
  EXPECT_EQ(sum.holds, 389U);
  EXPECT_EQ(sum.vacuous, 269U);
}

class Planted : public testing::TestWithParam<PlantedError> {};

TEST_P(Planted, ErrorsInTheEncodingAreNoticed) {
  for (std::uint64_t seed = 5'000; seed < 8'000; ++seed) {
    if (!cross_check(random_text(seed), GetParam(), quick()).disagreements.empty()) return;
  }
  FAIL() << "3000 random automata did not notice the planted error";
}

INSTANTIATE_TEST_SUITE_P(CrossCheck, Planted,
                         testing::Values(PlantedError::ignore_falling_guards, PlantedError::one_segment_per_layer,
                                         PlantedError::forget_connectivity, PlantedError::one_cut_too_few));

}  // namespace
}  // namespace nika::automata
