#include "nika/protocols/pbft/client.hpp"

namespace nika::pbft {

namespace {

// With enough matching replies a client waits for a moment before it takes the result and goes on, and uses all replies
// that come in that time, so that nothing depends on who answers first. It does so after an update and after a read on
// timers of their own: in network rounds each runs out once in a round.
constexpr Ticks kThinkTicks = 1;
constexpr int kAnswersOfOne = 2;

}  // namespace

void Client::start() {
  state_.view = Round(1);
  issue(1);
}

// Section 4.1: to the primary of the last view that the client knows of. Section 5.1: a read goes to all replicas.
void Client::issue(unsigned timestamp) {
  if (timestamp > kMaxNumber) return out_.report_overflow();
  const bool is_read = timestamp % 2 == 0;
  state_.open = {static_cast<Seat>(index_of(context_.self)), static_cast<std::uint8_t>(timestamp),
                 is_read ? Operation::kRead : Operation::kUpdate};
  state_.is_complete = false;
  state_.answers.clear();
  send(is_read ? context_.everyone() : context_.leaders_of(state_.view));
}

void Client::send(IdentitySet to) {
  out_.set_timer(kRetryTimer, static_cast<Ticks>(kRetryDeltas * context_.delta_ticks));
  out_.send(to, RequestMessage{state_.open, state_.view});
}

// Section 4.1: without a result in time the request goes to all replicas. Section 5.1: a read for which there are not
// enough matching replies is sent again as an ordinary request.
void Client::expire(TimerId timer) {
  if (timer == kThinkTimer || timer == kThinkAfterReadTimer) return complete();
  if (timer != kRetryTimer || state_.is_complete) return;
  if (state_.open.is_read_only()) state_.answers.clear();
  state_.open.operation = Operation::kUpdate;
  send(context_.everyone());
}

// Section 4.1: f+1 replies with the same result; of a read 2f+1 (section 5.1).
int Client::needed() const {
  const bool is_one_correct_enough = rules_of(context_).one_correct_reply_is_enough && !state_.open.is_read_only();
  return is_one_correct_enough ? context_.fault_count + 1 : context_.quorum();
}

// Section 4.1: replies of different replicas with the same result.
void Client::receive(Identity from, const Reply& message) {
  if (!context_.everyone().contains(from) || message.view > Round(kMaxRound)) return;
  learn_view(from, message.view);
  if (message.request != state_.open || message.answer.position.number > kMaxNumber) return;
  AnswerTally* tally = tally_for(from, message.answer);
  if (tally == nullptr) return;
  tally->from.insert(from);
  if (state_.is_complete || tally->from.size() < needed()) return;
  state_.is_complete = true;
  out_.cancel_timer(kRetryTimer);
  out_.set_timer(state_.open.is_read_only() ? kThinkAfterReadTimer : kThinkTimer, kThinkTicks);
}

// Section 4.1: a client learns from replies which view is current. It believes in a later one once f+1 say so, of whom
// one is correct; what it has heard of views up to there is forgotten, so that it does not matter who came first.
void Client::learn_view(Identity from, Round view) {
  if (view <= state_.view) return;
  ViewChange seen;
  seen.view = view;
  if (!state_.reports.add(from, seen, {})) out_.report_overflow();
  const Round current = state_.reports.wanted_by(context_.fault_count + 1);
  if (current <= state_.view) return;
  state_.view = current;
  state_.reports.forget_before(current.next());
}

// The tallies are sorted by answer, so that it leaves no trace which reply came first. An identity that gives more
// answers than a node and its twin do is a liar to whom nobody has to listen: null.
AnswerTally* Client::tally_for(Identity from, const Answer& answer) {
  const auto find = [&] { return std::ranges::find(state_.answers, answer, &AnswerTally::answer); };
  const auto is_of = [&](const AnswerTally& tally) { return tally.from.contains(from); };
  if (find() != state_.answers.end() && is_of(*find())) return find();
  if (std::ranges::count_if(state_.answers, is_of) >= kAnswersOfOne) return nullptr;
  if (find() != state_.answers.end()) return find();
  if (!state_.answers.push_back({answer, {}})) {
    out_.report_overflow();
    return nullptr;
  }
  std::ranges::sort(state_.answers, {}, [](const AnswerTally& tally) {
    return std::pair(tally.answer.position, tally.answer.last.value());
  });
  return find();
}

// What an answer tells is part of the log: the request itself at its place, or what a read has seen last.
void Client::complete() {
  if (!state_.is_complete) return;
  const auto is_enough = [&](const AnswerTally& tally) { return tally.from.size() >= needed(); };
  const auto* taken = std::ranges::find_if(state_.answers, is_enough);
  if (taken != state_.answers.end() && taken->answer.position > Height(0))
    out_.commit(taken->answer.position, taken->answer.last.value());
  issue(state_.open.timestamp + 1U);
}

}  // namespace nika::pbft
