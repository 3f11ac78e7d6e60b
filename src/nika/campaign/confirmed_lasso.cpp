#include "nika/campaign/confirmed_lasso.hpp"

#include <algorithm>

#include "nika/properties/lasso.hpp"

namespace nika {
namespace {

bool is_candidate(const Judgement& judgement) {
  return judgement.unjudged == Unjudged::kUnconfirmed && judgement.property == &kConfirmedLasso;
}

// Who leads a round of a loop: behind its part of the schedule the last rounds of that come again and again.
IdentitySet leaders_in(const LoopPart& part, unsigned round, const LeaderTable& leaders) {
  const unsigned told =
      round <= part.last ? round : part.last - part.period + 1 + (round - part.last - 1) % part.period;
  return leaders[told];
}

}  // namespace

bool has_candidate(const Outcome& outcome) { return std::ranges::any_of(outcome.judgements, is_candidate); }

Looping* LassoJudge::repair() {
  const Runner* const runner = has_asked_ ? nullptr : repair_of(runner_, setup_.bugs);
  has_asked_ = true;
  if (runner != nullptr) {
    // A repair that cannot be run in this setup tells nothing of this protocol.
    auto session = runner->open({setup_.cluster, {}, {}, setup_.network});
    if (session) repair_ = *std::move(session);
  }
  return repair_ ? repair_->looping() : nullptr;
}

bool LassoJudge::repair_decides(const HotLoop& hot, Schedule& schedule) {
  Looping* const repaired = repair();
  return repaired != nullptr && decides_on_and_on(*repaired, schedule, hot) &&
         repaired->decides_in_loop(schedule, hot.loop).has_value();
}

std::optional<HotLoop> LassoJudge::loop_of(Session& session, Schedule& schedule) {
  if (session.looping() == nullptr) return std::nullopt;
  PartialTrail trail;
  trail.begin(schedule.timing() != nullptr);
  // Of a protocol that does not tell its progress nothing is known to be hot.
  (void)session.watch(schedule, [&](const Sight& sight, std::uint32_t) {
    if (sight.tells_progress()) trail.see(sight);
  });
  return find_hot_loop(*session.looping(), schedule, trail.states(), [&](HotLoop& hot) {
    hot.repaired_decides = repair_decides(hot, schedule);
    return excuse_of(hot, schedule) == Unjudged::kJudged;
  });
}

Unjudged LassoJudge::excuse_of(const HotLoop& hot, const Schedule& schedule) const {
  if (hot.repaired_decides) return Unjudged::kJudged;
  if (!hot.loop.assumptions.healed) return Unjudged::kAsynchronous;
  return excuse_of_leaders(hot.loop, schedule.leaders());
}

// As in healing_watch.hpp, for a healing that never ends: by the clock any honest leader is enough, and in network
// rounds every honest node has to lead, in rows that are long enough for a decision.
Unjudged LassoJudge::excuse_of_leaders(const Loop& loop, const LeaderTable& leaders) const {
  const IdentitySet honest = setup_.cluster.identities() - setup_.cluster.compromised;
  const unsigned needed = setup_.network == NetworkModel::kTicks ? 1 : runner_.leaders_in_a_row();
  const auto leaders_at = [&](unsigned number) {
    return leaders_in(loop.part, loop.first_round + number % loop.length, leaders);
  };
  IdentitySet led;
  unsigned row = 0;  // which may go on from one time round to the next
  for (unsigned number = 0; number + 1 < loop.length + needed; ++number) {
    const IdentitySet now = leaders_at(number);
    row = !now.empty() && (now - honest).empty() ? row + 1 : 0;
    for (unsigned back = 0; row >= needed && back < needed; ++back) led |= leaders_at(number - back);
  }
  if (led.empty()) return Unjudged::kNoHonestLeader;
  return setup_.network == NetworkModel::kTicks || led == honest ? Unjudged::kJudged : Unjudged::kUnfair;
}

void LassoJudge::judge(Session& session, Schedule& schedule, Outcome& outcome) {
  if (outcome.overflowed) return;
  const auto hot = loop_of(session, schedule);
  if (!hot) return;
  const Unjudged excuse = excuse_of(*hot, schedule);
  Evidence evidence;
  evidence.kind = "hot for ever";
  evidence.why = hot->repaired_decides
                     ? "what it did, repeated, is proved to keep it so, and the repaired protocol decides in the same"
                     : "what it did, repeated, is proved to keep it so in a healed network";
  evidence.since = Round(hot->part.last);
  evidence.seats = hot->loop.waiting;
  for (Judgement& judgement : outcome.judgements) {
    if (!is_candidate(judgement)) continue;
    const Property* const property = judgement.property;
    judgement = excuse == Unjudged::kJudged ? Judgement::violated(evidence) : Judgement::unknown(excuse);
    judgement.property = property;
  }
}

Result<void> check_no_lasso(const Properties& properties) {
  const auto is_lasso = [](const Property* property) { return property == &kLasso || property == &kConfirmedLasso; };
  if (std::ranges::none_of(properties, is_lasso)) return {};
  return bad_input("lasso and confirmed-lasso are judged run by run: neither exhaustively nor by a guided search");
}

}  // namespace nika
