#include "nika/campaign/confirmed_lasso.hpp"

#include <algorithm>

#include "nika/properties/lasso.hpp"

namespace nika {
namespace {

bool is_candidate(const Judgement& judgement) {
  return judgement.unjudged == Unjudged::kUnconfirmed && judgement.property == &kConfirmedLasso;
}

}  // namespace

bool has_candidate(const Outcome& outcome) { return std::ranges::any_of(outcome.judgements, is_candidate); }

std::optional<HotLoop> hot_loop_of(Session& session, Schedule& schedule) {
  if (session.looping() == nullptr) return std::nullopt;
  PartialTrail trail;
  trail.begin(schedule.timing() != nullptr);
  (void)session.watch(schedule, [&](const Sight& sight, std::uint32_t) { trail.see(sight); });
  return find_hot_loop(*session.looping(), schedule, trail.states());
}

void confirm_lasso(Session& session, Schedule& schedule, Outcome& outcome) {
  if (outcome.overflowed) return;
  const auto hot = hot_loop_of(session, schedule);
  if (!hot) return;
  Evidence evidence;
  evidence.kind = "hot for ever";
  evidence.why = "rounds of its own, repeated, are proved to keep it so";
  evidence.since = Round(hot->part.last);
  evidence.seats = hot->loop.waiting;
  for (Judgement& judgement : outcome.judgements) {
    if (!is_candidate(judgement)) continue;
    const Property* const property = judgement.property;
    judgement = Judgement::violated(evidence);
    judgement.property = property;
  }
}

Result<void> check_no_lasso(const Properties& properties) {
  const auto is_lasso = [](const Property* property) { return property == &kLasso || property == &kConfirmedLasso; };
  if (std::ranges::none_of(properties, is_lasso)) return {};
  return bad_input("lasso and confirmed-lasso are judged run by run: neither exhaustively nor by a guided search");
}

}  // namespace nika
