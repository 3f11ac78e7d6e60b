// Hard questions of the verifier: the same verdict and the same counterexample with any number of threads.
#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/automata/random_automaton.hpp"
#include "nika/automata/verifier.hpp"
#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"
#include "nika/base/threads.hpp"

namespace nika::automata {
namespace {

class Threads final : public smt::Crew {
 public:
  explicit Threads(unsigned count) : count_(count) {}
  void run(const std::function<void()>& work) override {
    run_on_threads(count_, [&](unsigned) { work(); });
  }

 private:
  unsigned count_;
};

Automaton random_automaton(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(random.next()));
  Choices choices(bytes);
  return *parse_automaton({"random.ta", RandomAutomaton(choices).text(1)});
}

Outcome verified(const Automaton& automaton, smt::Crew* crew, std::uint32_t effort) {
  const System system = prepare(automaton, {});
  VerifyOptions options;
  options.deepest_search = 2;
  options.portfolio = {crew, effort};
  return verify_property(system, *automaton.specifications.front().formula, options);
}

TEST(Portfolio, VerdictAndCounterexampleDoNotDependOnTheNumberOfThreads) {
  constexpr std::uint32_t kTooLittle = 50;
  unsigned violated = 0;
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 2 : 12); ++seed) {
    const Automaton automaton = random_automaton(seed);
    const Outcome easy = verified(automaton, nullptr, smt::Portfolio{}.effort);
    const Outcome alone = verified(automaton, nullptr, kTooLittle);
    EXPECT_EQ(alone.verdict, easy.verdict) << seed;
    violated += alone.counterexample ? 1 : 0;
    for (const unsigned threads : {2U, 4U}) {
      Threads crew(threads);
      const Outcome outcome = verified(automaton, &crew, kTooLittle);
      EXPECT_EQ(outcome.verdict, alone.verdict) << seed;
      ASSERT_EQ(outcome.counterexample.has_value(), alone.counterexample.has_value()) << seed;
      if (!alone.counterexample) continue;
      EXPECT_EQ(outcome.counterexample->initial, alone.counterexample->initial) << seed;
      EXPECT_EQ(outcome.counterexample->steps, alone.counterexample->steps) << seed;
      EXPECT_EQ(outcome.counterexample->loop, alone.counterexample->loop) << seed;
    }
  }
  if (kSanitized) return;
  EXPECT_EQ(violated, 8U);
}

}  // namespace
}  // namespace nika::automata
