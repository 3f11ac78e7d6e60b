// When a replica leaves its view. The HotStuff papers ask for a pacemaker and leave its choice open; this one is local
// timers that double, with the two rules by which PBFT keeps replicas together (Castro and Liskov, section 4.5.2). It
// decides nothing about safety.
#pragma once

#include "nika/model/protocol.hpp"
#include "nika/protocols/chain/new_views.hpp"

namespace nika::chain {

// `Table` knows who has entered which view, and keeps whatever else the protocol wants with it.
template <class Table>
struct PacemakerWith {
  static constexpr TimerId kViewTimer{0};
  static constexpr Ticks kBaseTimeoutTicks = 4;
  static constexpr std::uint8_t kMaxDoublings = 2;

  Round view{};
  std::uint8_t failed_views = 0;  // timeouts in a row, as far as they lengthen the timer
  bool is_proven = false;         // a quorum is known to have come as far as this view, or the one before
  std::uint8_t unused = 0;        // no padding: states are compared as bytes
  Table new_views{};

  Ticks timeout_ticks() const { return static_cast<Ticks>(kBaseTimeoutTicks << failed_views); }
  void enter(Round next, bool proven) {
    view = next;
    is_proven = proven;
    new_views.forget_before(next);
  }
  void fail() {
    if (failed_views < kMaxDoublings) ++failed_views;
  }
  // A replica that gave up on a view alone waits in the next one until a quorum has come along: otherwise one that is
  // ahead would stay ahead for ever. What has been said of the current view is then needed by its leader only.
  void settle(int quorum, bool leader_needs_reports) {
    if (new_views.entered_by(quorum) >= view) is_proven = true;
    if (is_proven && !leader_needs_reports) new_views.forget_before(view.next());
  }
  // f+1 replicas in a later view: one of them is honest, and there is no use in staying behind.
  Round view_to_join(int fault_count) const { return new_views.entered_by(fault_count + 1); }

  static constexpr auto fields() {
    return std::tuple{field("view", &PacemakerWith::view), field("failed_views", &PacemakerWith::failed_views),
                      field("is_proven", &PacemakerWith::is_proven), field("new_views", &PacemakerWith::new_views)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &PacemakerWith::unused)}; }
  bool operator==(const PacemakerWith&) const = default;
};

using Pacemaker = PacemakerWith<NewViews>;

}  // namespace nika::chain
