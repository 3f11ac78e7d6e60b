#include "nika/campaign/coin_judge.hpp"

#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

Result<std::unique_ptr<Session>> coin_session_of(const Runner& runner, const Scenario& scenario) {
  if (!runner.tosses_coins()) return bad_input(std::string(runner.name()) + " tosses no coins");
  return session_for(runner, scenario, {});
}

}  // namespace

Result<CoinProof> prove_turns(const Runner& runner, const Scenario& scenario) {
  if (scenario.turns.empty()) return bad_input("the scenario has no turns");
  const auto session = coin_session_of(runner, scenario);
  if (!session) return tl::unexpected(session.error());
  const RecordedSchedule schedule(scenario);
  return (*session)->coin_looping()->prove(schedule, scenario.turns);
}

void judge_turns(Session& session, const Scenario& scenario, Outcome& outcome) {
  CoinLooping* const coins = session.coin_looping();
  if (coins == nullptr || scenario.turns.empty()) return;
  for (Judgement& judgement : outcome.judgements) {
    // An asynchronous run that has not come to its end.
    if (judgement.property->name != "termination" || judgement.unjudged != Unjudged::kNoHealing) continue;
    const RecordedSchedule schedule(scenario);
    const CoinProof proof = coins->prove(schedule, scenario.turns);
    if (!proof.proved) continue;
    Evidence evidence;
    evidence.kind = kCoinLoopKind;
    evidence.seats = proof.waiting;
    const Property* const property = judgement.property;
    judgement = Judgement::violated(evidence);
    judgement.property = property;
  }
}

Result<CoinHunt> hunt_turns(const Runner& runner, const Scenario& scenario, const CoinHuntSettings& settings) {
  Scenario cast = scenario;
  cast.coins.clear();
  cast.turns.clear();
  cast.steps.emplace();
  const auto session = coin_session_of(runner, cast);
  if (!session) return tl::unexpected(session.error());
  const RecordedSchedule schedule(cast);
  return (*session)->coin_looping()->hunt(schedule, settings);
}

}  // namespace nika
