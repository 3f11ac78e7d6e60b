#include "nika/report/trace_text.hpp"

#include <fmt/format.h>

#include "nika/base/printable.hpp"
#include "nika/report/schedule_words.hpp"

namespace nika::report {
namespace {

std::string message_text(const TraceView& view, const Event& event, std::string_view direction) {
  const std::string_view kind = event.message_kind < view.kinds.size() ? view.kinds[event.message_kind] : "?";
  // A message is sent once to all its receivers; its sending then names nobody but the sender.
  const bool names_nobody = event.kind == EventKind::kSent && event.peer == event.seat;
  const std::string peer = names_nobody ? "" : fmt::format(" {}={}", direction, name_of(view.cluster, event.peer));
  return fmt::format(" #{}{} {} round={} value={}", event.message, peer, kind, event.round.number,
                     name_of(view.cluster, event.value));
}

// Which field of a message says what instead of what. Without the names of fields, their numbers and plain numbers.
std::string change_text(const TraceView& view, const Event& event) {
  const LieWords words{view.kinds, view.leaves};
  const LeafName* leaf = words.leaf(event.message_kind, event.height.number);
  const LeafType type = leaf == nullptr ? LeafType::kNumber : leaf->shown;
  return fmt::format(" #{} to={} {} round={} {}={} was={}", event.message, name_of(view.cluster, event.peer),
                     words.kind(event.message_kind), event.round.number,
                     leaf == nullptr ? fmt::format("field{}", event.height.number) : leaf->name,
                     words_of(view.cluster, type, event.other.packed),
                     words_of(view.cluster, type, event.value.packed));
}

// Everything that the note of a protocol says, under plain names.
std::string note_text(const TraceView& view, const Event& event) {
  std::string text = fmt::format(" round={}", event.round.number);
  if (!event.value.is_genesis()) text += " value=" + name_of(view.cluster, event.value);
  if (!event.other.is_genesis()) text += " other=" + name_of(view.cluster, event.other);
  if (event.height != Height{}) text += fmt::format(" height={}", event.height.number);
  return text;
}

std::string rest_of(const TraceView& view, const Event& event) {
  const auto value = [&] { return name_of(view.cluster, event.value); };
  const auto other = [&] { return name_of(view.cluster, event.other); };
  const auto after_round = [&](const std::string& rest) {
    return fmt::format(" round={}{}", event.round.number, rest);
  };
  switch (event.kind) {
    case EventKind::kDelivered: return message_text(view, event, "from");
    case EventKind::kSent:
    case EventKind::kLost:
    case EventKind::kLate:
    case EventKind::kRepeated: return message_text(view, event, "to");
    case EventKind::kChanged: return change_text(view, event);
    case EventKind::kProposed:
    case EventKind::kVoted:
    case EventKind::kCertified: return after_round(fmt::format(" value={} on={}", value(), other()));
    case EventKind::kCommitted: return after_round(fmt::format(" value={} height={}", value(), event.height.number));
    case EventKind::kDuplicateVote:
    case EventKind::kEquivocatingVote: return after_round(fmt::format(" value={} after={}", value(), other()));
    case EventKind::kAskedForBlock:
    case EventKind::kFetchedBlock: return after_round(" value=" + value());
    case EventKind::kCrashed:
    case EventKind::kRecovered: return "";
    case EventKind::kExpired:
    case EventKind::kEnteredRound:
    case EventKind::kTimedOut:
    case EventKind::kTimeoutCertified: return after_round("");
    default: return note_text(view, event);
  }
}

}  // namespace

std::string line_of(const TraceView& view, const Event& event) {
  const std::string_view name = name_of(event.kind, view.notes);
  const bool is_mark =
      event.kind == EventKind::kNetworkRound || event.kind == EventKind::kTick || event.kind == EventKind::kStep;
  if (is_mark) return fmt::format("{} {}", name, event.time);
  return printable(
      fmt::format("{} {} {}{}", event.time, name_of(view.cluster, event.seat), name, rest_of(view, event)));
}

std::string trace_text(const TraceView& view) {
  std::string text;
  for (const Event& event : view.events) {
    text += line_of(view, event);
    text += '\n';
  }
  return text;
}

}  // namespace nika::report
