#include "nika/protocols/pbft/view_change.hpp"

#include <algorithm>

#include "nika/protocols/pbft/log.hpp"

namespace nika::pbft {

namespace {

// An order without meaning. Certificates are compared by what was prepared before when it was.
bool comes_before(const PreparedCertificate& a, const PreparedCertificate& b) {
  if (a.sequence != b.sequence) return a.sequence < b.sequence;
  if (a.digest != b.digest) return a.digest < b.digest;
  if (a.request != b.request) return a.request.value() < b.request.value();
  return a.view < b.view;
}

bool comes_before(const ViewChange& a, const ViewChange& b) {
  if (a.view != b.view) return a.view < b.view;
  if (a.sequence != b.sequence) return a.sequence < b.sequence;
  if (!(a.prepared == b.prepared)) {
    return std::ranges::lexicographical_compare(
        a.prepared, b.prepared, [](const auto& one, const auto& other) { return comes_before(one, other); });
  }
  return comes_before(a.checkpoint.state, b.checkpoint.state);
}

// The certificate that a number is proposed again by; view 0 if there is none.
PreparedCertificate certificate_for(SequenceNumber sequence, std::span<const Report> reports, const Rules& rules) {
  PreparedCertificate chosen;
  for (const Report& report : reports) {
    for (const PreparedCertificate& certificate : report.view_change.prepared) {
      if (certificate.sequence != sequence) continue;
      // Section 4.4: the PRE-PREPARE with the highest view number in V.
      if (certificate.view > chosen.view || !rules.highest_view_wins) chosen = certificate;
    }
  }
  return chosen;
}

}  // namespace

// Section 4.4: n is the number of the stable checkpoint that C proves, and P holds certificates for numbers above it
// and below its high mark, one for each at most, of views before the one that is asked for.
bool is_valid(const ViewChange& message) {
  const SequenceNumber low = message.checkpoint.state.executed;
  if (message.view < Round(2) || message.view > Round(kMaxRound) || message.sequence != low) return false;
  SequenceNumber before = low;
  for (const PreparedCertificate& certificate : message.prepared) {
    if (certificate.sequence <= before || certificate.sequence.number > low.number + kWindow) return false;
    if (certificate.view == Round(0) || certificate.view >= message.view) return false;
    before = certificate.sequence;
  }
  return true;
}

bool Reports::add(Identity from, const ViewChange& message, Round kept) {
  int in_same_view = 0;
  for (std::size_t i = reports_.size(); i > 0; --i) {
    Report& known = reports_[i - 1];
    const Round view = known.view_change.view;
    if (!known.from.contains(from) || (view == kept && message.view != kept)) continue;
    if (view > message.view) return true;
    if (view == message.view) {
      ++in_same_view;
      continue;
    }
    known.from.erase(from);
    if (known.from.empty()) reports_.erase_at(i - 1);
  }
  auto* same = std::ranges::find(reports_, message, &Report::view_change);
  if (same != reports_.end() && same->from.contains(from)) return true;
  if (in_same_view == kOfOneSender) return true;
  if (same != reports_.end()) {
    same->from.insert(from);
    return true;
  }
  if (!reports_.push_back({message, IdentitySet::single(from)})) return false;
  std::ranges::sort(reports_,
                    [](const Report& a, const Report& b) { return comes_before(a.view_change, b.view_change); });
  return true;
}

Round Reports::wanted_by(int count) const {
  IdentitySet wanting;
  for (std::size_t i = reports_.size(); i > 0; --i) {
    wanting |= reports_[i - 1].from;
    if (wanting.size() >= count) return reports_[i - 1].view_change.view;
  }
  return {};
}

IdentitySet Reports::from_in(Round view) const {
  IdentitySet result;
  for (const Report& report : reports_) {
    if (report.view_change.view == view) result |= report.from;
  }
  return result;
}

bool Reports::copy(Round view, BoundedVector<Report, NewView::kMaxReports>& to) const {
  for (const Report& report : reports_) {
    if (report.view_change.view == view && !to.push_back(report)) return false;
  }
  return true;
}

void Reports::forget_before(Round view) {
  while (!reports_.empty() && reports_[0].view_change.view < view) reports_.erase_at(0);
}

// Section 4.4: min-s is the latest stable checkpoint in V, max-s the highest number of a certificate in V. Each number
// between them is proposed again by its certificate of the highest view, or with a null request.
Selection select(std::span<const Report> reports, const Rules& rules) {
  Selection result;
  for (const Report& report : reports) {
    const CheckpointProof& checkpoint = report.view_change.checkpoint;
    if (checkpoint.state.executed > result.checkpoint.state.executed) result.checkpoint = checkpoint;
  }
  const SequenceNumber low = result.checkpoint.state.executed;
  result.last = low;
  for (const Report& report : reports) {
    if (!report.view_change.prepared.empty())
      result.last = std::max(result.last, report.view_change.prepared.back().sequence);
  }
  const unsigned first = rules.new_view_begins_above_checkpoint ? low.number + 1U : low.number;
  for (unsigned n = first; n <= result.last.number; ++n) {
    const PreparedCertificate found = certificate_for(SequenceNumber(n), reports, rules);
    const bool is_null = found.view == Round(0);
    const Digest digest = is_null ? digest_of(Request{}, rules) : found.digest;
    // Valid messages never ask for more than there is room for.
    if (!result.proposals.push_back({SequenceNumber(n), is_null ? Request{} : found.request, digest})) break;
  }
  return result;
}

bool is_valid(const NewView& message, const Context& context, const Rules& rules) {
  IdentitySet senders;
  for (const Report& report : message.reports) {
    if (report.view_change.view != message.view || !is_valid(report.view_change)) return false;
    senders |= report.from & context.everyone();
  }
  if (!context.is_quorum(senders)) return false;
  return select({message.reports.begin(), message.reports.size()}, rules).proposals == message.proposals;
}

}  // namespace nika::pbft
