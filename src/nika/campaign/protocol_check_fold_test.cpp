// A fold that relies on a rule which the protocol does not keep: DiemBFT's takes it that whatever is below a committed
// block was committed before it, and this form leaves ancestors uncommitted. The search then reports a fork that no run
// shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/campaign/protocol_check.hpp"
#include "nika/campaign/runner_for.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/diembft/diembft.hpp"

namespace nika {
namespace {

struct LeavesAncestors : diembft::DiemBft {
  using Box = Outbox<Message>;
  static constexpr std::string_view kName = "diembft-leaves-ancestors";

  static void start(State& state, const Context& context, Box& out) {
    without_ancestors(out, [&](Box& all) { DiemBft::start(state, context, all); });
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
    without_ancestors(out, [&](Box& all) { DiemBft::receive(state, context, from, message, all); });
  }
  static void expire(State& state, const Context& context, TimerId timer, Box& out) {
    without_ancestors(out, [&](Box& all) { DiemBft::expire(state, context, timer, all); });
  }

 private:
  template <class Rules>
  static void without_ancestors(Box& out, const Rules& rules) {
    using Reader = OutboxReader<Message>;
    constexpr Ticks kUntouched = 65535;
    Box all;
    std::array<Timer, kTimerCount> timers{{{kUntouched, 0}}};
    Reader::open(all, timers, nullptr);
    rules(all);
    for (const auto& sent : Reader::sent(all)) out.send(sent.to, sent.message);
    if (timers[0].duration != kUntouched) out.set_timer(TimerId{0}, timers[0].duration);
    if (Reader::overflowed(all)) out.report_overflow();
    const auto commits = Reader::commits(all);
    if (!commits.empty()) out.commit(commits.back().height, commits.back().value);
  }
};

TEST(ProtocolCheck, AFoldThatAssumesARuleWhichIsNotKeptIsFound) {
  const auto runner = runner_for<LeavesAncestors>();
  const auto results = check_protocol(*runner, parse_properties("all", built_in_properties()).value(),
                                      {.bugs = {}, .scenarios = 100, .rounds = 2});
  ASSERT_TRUE(results.has_value()) << results.error().message;
  const auto folding = std::ranges::find(*results, std::string_view("folding"), &CheckResult::name);
  EXPECT_EQ(folding->status, CheckStatus::kWrong);
  EXPECT_EQ(folding->what, "folded worlds go on to other worlds than plain ones in round 7");
  ASSERT_TRUE(folding->scenario.has_value());
  EXPECT_EQ(folding->scenario->rounds.size(), 7U);
  // Nothing else is wrong with it, and the scenario breaks nothing.
  EXPECT_EQ(std::ranges::count(*results, CheckStatus::kWrong, &CheckResult::status), 1);
  EXPECT_EQ(run_scenario(*runner, *folding->scenario, only(kAgreement))->verdict(), Verdict::kHolds);
}

}  // namespace
}  // namespace nika
