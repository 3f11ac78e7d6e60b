#include "nika/protocols/zyzzyva/client.hpp"

#include "nika/protocols/zyzzyva/rules.hpp"

namespace nika::zyzzyva {

namespace {

// How long a client waits for all n answers before it makes do with 2f+1 (section 4.2), and before it sends its request
// again (case 4c of section 4.2). Both end before a view does.
constexpr Ticks kResponseTicks = 2;
constexpr Ticks kRetryTicks = 3;

}  // namespace

// A client has the number of its seat.
void Client::issue(unsigned number) {
  if (number > Slots::kMax) return out_.report_overflow();
  state_.open = {static_cast<Seat>(index_of(context_.self)), static_cast<std::uint8_t>(number)};
  state_.tallies.clear();
  state_.impatient_view = {};
  out_.cancel_timer(kResponseTimer);
  out_.set_timer(kRetryTimer, kRetryTicks);
  send_request();
}

void Client::send_request() { out_.send(context_.everyone(), Request{state_.open, state_.view}); }

void Client::receive(Identity from, const SpecResponse& message) {
  const History& history = message.history;
  if (history.slots.last() != state_.open || !context_.everyone().contains(from)) return;
  state_.view = std::max(state_.view, history.view);
  Tally* tally = add_tally(history);
  if (tally == nullptr) return;
  tally->responses.insert(from);
  const int answers = tally->responses.size();
  if (answers == context_.replica_count) return complete(history);
  if (answers < context_.quorum()) return;
  if (history.view <= state_.impatient_view) return certify(*tally);
  out_.set_timer(kResponseTimer, kResponseTicks);
}

void Client::receive(Identity from, const LocalCommit& message) {
  Tally* tally = tally_of(message.history);
  if (tally == nullptr || !tally->is_certified || !context_.everyone().contains(from)) return;
  tally->local_commits.insert(from);
  if (context_.is_quorum(tally->local_commits)) complete(tally->history);
}

void Client::expire(TimerId timer) {
  if (timer == kResponseTimer) {
    state_.impatient_view = state_.view;
    for (Tally& tally : state_.tallies) certify(tally);
    return;
  }
  out_.set_timer(kRetryTimer, kRetryTicks);
  send_request();
  // A certificate of a view that is over would be acknowledged by nobody.
  for (const Tally& tally : state_.tallies) {
    if (tally.is_certified && tally.history.view == state_.view)
      out_.send(context_.everyone(), CommitCertificate{tally.history});
  }
}

// Case 4b of section 4.2: between 2f+1 and 3f answers are a commit certificate, which must be acknowledged.
void Client::certify(Tally& tally) {
  if (tally.is_certified || !context_.is_quorum(tally.responses)) return;
  if (!rules_of(context_).clients_certify) return;
  tally.is_certified = true;
  const History& history = tally.history;
  out_.note(EventKind::kCertified, history.view, history.tip(), history.before_tip());
  out_.send(context_.everyone(), CommitCertificate{history});
}

Tally* Client::tally_of(const History& history) {
  for (Tally& tally : state_.tallies) {
    if (tally.history == history) return &tally;
  }
  return nullptr;
}

// The tallies are sorted by history, so that it leaves no trace which answer came first. Null if there are newer ones
// only: to forget an answer is to lose it, which a client survives.
Tally* Client::add_tally(const History& history) {
  if (Tally* known = tally_of(history)) return known;
  auto& tallies = state_.tallies;
  if (tallies.size() == tallies.capacity()) {
    if (comes_before(history, tallies[0].history)) return nullptr;
    tallies.erase_at(0);
  }
  NIKA_REQUIRE(tallies.push_back({history}));
  Tally* place = tallies.end() - 1;
  for (; place != tallies.begin() && comes_before(history, place[-1].history); --place) std::swap(*place, place[-1]);
  return place;
}

// The history is part of the answers, so with its request everything before it is complete too: Zyzzyva promises that
// of two histories of complete requests one begins with the other. What the client saw before is not told again, but
// what differs from it is.
void Client::complete(const History& history) {
  const History& before = state_.accepted;
  for (unsigned slot = history.begins_with(before) ? before.length() + 1 : 1; slot <= history.length(); ++slot) {
    const RequestName request = history.slots.at(slot);
    if (slot <= before.length() && before.slots.at(slot) == request) continue;
    out_.commit(Height(slot), request.value());
  }
  state_.accepted = history;
  issue(state_.open.number + 1U);
}

}  // namespace nika::zyzzyva
