// The heart of PBFT's view change (section 4.4): which VIEW-CHANGE messages are valid, what is kept of them, and what a
// new view must propose given 2f+1 or more of them. The new primary asks to propose, each backup asks again to check.
#pragma once

#include <span>

#include "nika/protocols/pbft/messages.hpp"

namespace nika::pbft {

// Whether a VIEW-CHANGE can have been sent by a correct replica.
bool is_valid(const ViewChange& message);

// VIEW-CHANGE messages, those with the same content together, sorted by content: who sent first leaves no trace.
class Reports {
 public:
  // A later view of the same identity replaces an earlier one, but not in the view that is kept: what a NEW-VIEW was
  // made of stays what it was. Of one identity in one view there are as many as a node and its twin can send; more
  // than that a liar can as well not have sent. False if there is no room.
  [[nodiscard]] bool add(Identity from, const ViewChange& message, Round kept);
  // The highest view that at least `count` identities have asked for, or a later one; 0 if there are not as many.
  Round wanted_by(int count) const;
  IdentitySet from_in(Round view) const;
  // The reports of one view, for a NEW-VIEW. False if they are more than it can hold.
  [[nodiscard]] bool copy(Round view, BoundedVector<Report, NewView::kMaxReports>& to) const;
  void forget_before(Round view);

  std::span<const Report> all() const { return {reports_.begin(), reports_.size()}; }
  static constexpr auto fields() { return std::tuple{field("reports", &Reports::reports_)}; }

 private:
  static constexpr int kOfOneSender = 2;
  BoundedVector<Report, 10> reports_{};  // by view; of four nodes five in the view that is kept, and five later ones
};

// What NEW-VIEW has to say, computed from its V.
struct Selection {
  CheckpointProof checkpoint{};  // the latest stable one, of min-s
  SequenceNumber last{};         // max-s
  Proposals proposals{};         // O
};
Selection select(std::span<const Report> reports, const Rules& rules);

// Whether V proves O: valid messages for this view of a quorum, and O is what follows from them.
bool is_valid(const NewView& message, const Context& context, const Rules& rules);

}  // namespace nika::pbft
