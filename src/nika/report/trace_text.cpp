#include "nika/report/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/fingerprint.hpp"

namespace nika::report {
namespace {

std::string message_text(const TraceView& view, const Event& event) {
  const std::string_view kind = event.message_kind < view.kinds.size() ? view.kinds[event.message_kind] : "?";
  return fmt::format("{} round={} value={}", kind, event.round.number, name_of(view.cluster, event.value));
}

}  // namespace

std::string line_of(const TraceView& view, const Event& event) {
  const std::string seat = name_of(view.cluster, event.seat);
  const auto value = [&] { return name_of(view.cluster, event.value); };
  const auto other = [&] { return name_of(view.cluster, event.other); };
  const auto line = [&](const std::string& rest) {
    return fmt::format("{} {} round={}{}", seat, name_of(event.kind), event.round.number, rest);
  };
  switch (event.kind) {
    case EventKind::kNetworkRound: return fmt::format("network-round {}", event.round.number);
    case EventKind::kTick: return fmt::format("tick {}", event.round.number);
    case EventKind::kEnteredRound:
    case EventKind::kTimedOut:
    case EventKind::kTimeoutCertified:
    case EventKind::kCrashed:
    case EventKind::kRecovered: return line("");
    case EventKind::kProposed:
    case EventKind::kVoted:
    case EventKind::kCertified: return line(fmt::format(" value={} on={}", value(), other()));
    case EventKind::kCommitted: return line(fmt::format(" value={} height={}", value(), event.height.number));
    case EventKind::kDuplicateVote:
    case EventKind::kEquivocatingVote: return line(fmt::format(" value={} after={}", value(), other()));
    case EventKind::kAskedForBlock:
    case EventKind::kFetchedBlock: return line(fmt::format(" value={}", value()));
    case EventKind::kDelivered:
      return fmt::format("{} delivered from={} {}", seat, name_of(view.cluster, event.peer), message_text(view, event));
    case EventKind::kLost: break;
  }
  return fmt::format("{} lost to={} {}", seat, name_of(view.cluster, event.peer), message_text(view, event));
}

std::string trace_text(const TraceView& view) {
  std::string text;
  for (const Event& event : view.events) {
    text += line_of(view, event);
    text += '\n';
  }
  return text;
}

store::TraceMark mark_of(const TraceView& view) {
  const std::string text = trace_text(view);
  const Fingerprint fingerprint = fingerprint_of(text.data(), text.size());
  return {view.events.size(), fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low)};
}

std::vector<store::CommitEntry> history_of(const TraceView& view, Seat seat) {
  std::vector<store::CommitEntry> history;
  for (const Event& event : view.events) {
    if (event.kind != EventKind::kCommitted || event.seat != seat) continue;
    store::CommitEntry entry{event.height.number, name_of(view.cluster, event.value)};
    if (std::ranges::find(history, entry) == history.end()) history.push_back(std::move(entry));
  }
  std::ranges::stable_sort(history, {}, &store::CommitEntry::height);
  return history;
}

}  // namespace nika::report
