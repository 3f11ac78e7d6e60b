#include "nika/protocols/zyzzyva/view_change.hpp"

namespace nika::zyzzyva {

namespace {

// The first slots of a history, which may have been completed in `view` or before: by a certificate, or by the votes of
// all n.
struct Evidence {
  const Slots* slots = nullptr;
  unsigned length = 0;
  Round view{};
  bool is_certificate = false;
};

class Selector {
 public:
  Selector(const Reports& reports, int fault_count, const Rules& rules)
      : reports_(reports), votes_needed_(identities_in(reports) - fault_count), rules_(rules) {
    for (const Report& report : reports) last_view_ = std::max(last_view_, report.accepted.view);
  }

  // The validity rules hold for each slot: the slots of the best evidence are settled by it, then those of the best
  // evidence that goes on from there, and so on. What is left over is free (Validity Rule 3: no request was complete).
  History run() {
    while (extend()) {
    }
    if (settled_.slots == nullptr) return {};
    return {settled_.slots->prefix(settled_.length), {}};
  }

 private:
  bool extend() {
    best_ = {};
    const History* last = nullptr;
    for (const Report& report : reports_) {
      for (const Certificate& certificate : report.certificates.chain)
        consider({&report.certificates.slots, certificate.length.number, certificate.view, true});
      if (last == nullptr || *last != report.accepted) consider_votes(report.accepted);
      last = &report.accepted;
    }
    if (best_.slots == nullptr) return false;
    settled_ = best_;
    return true;
  }

  void consider(const Evidence& evidence) {
    if (evidence.view == Round(0) || evidence.length <= settled_.length) return;
    if (settled_.slots != nullptr && !evidence.slots->begins_with(*settled_.slots, settled_.length)) return;
    if (best_.slots == nullptr || outranks(evidence, best_)) best_ = evidence;
  }

  // Validity Rules 1 and 2. The evidence of the higher view wins. In one view a certificate excludes that all n voted
  // for something else, so it wins over votes. Zyzzyva as published takes a certificate first even if the votes are of
  // a later view, in which all n may have voted.
  bool outranks(const Evidence& a, const Evidence& b) const {
    if (!rules_.later_votes_beat_certificates && a.is_certificate != b.is_certificate) return a.is_certificate;
    if (a.view != b.view) return a.view > b.view;
    if (a.is_certificate != b.is_certificate) return a.is_certificate;
    return a.length > b.length;
  }

  // A shorter beginning of the history may have more votes, and votes of a later view.
  void consider_votes(const History& history) {
    for (unsigned length = history.length(); length > settled_.length; --length) {
      const Evidence evidence = votes_for(history, length);
      consider(evidence);
      if (evidence.view == last_view_) return;
    }
  }

  // If all n voted for a history in view w, then all reports but those of f liars tell a vote for it, in view w or
  // later: replicas report their last vote, and valid views after w keep that history. With 2f+1 reports that makes
  // f+1 votes. Counting the votes of one view alone would forget a complete request when some of its voters have
  // voted for it again in a later view and some have not.
  Evidence votes_for(const History& history, unsigned length) const {
    Evidence evidence{&history.slots, length, Round(0), false};
    for (const Report& report : reports_) {
      const Round view = report.accepted.view;
      if (view <= evidence.view) continue;
      int votes = 0;
      for (const Report& other : reports_) {
        const bool counts =
            rules_.later_votes_count_for_earlier_views ? other.accepted.view >= view : other.accepted.view == view;
        if (counts && other.accepted.slots.begins_with(history.slots, length)) votes += other.from.size();
      }
      if (votes >= votes_needed_) evidence.view = view;
    }
    return evidence;
  }

  const Reports& reports_;
  const int votes_needed_;
  const Rules& rules_;
  Round last_view_{};  // in which anybody has voted
  Evidence settled_;
  Evidence best_;
};

bool comes_before(const Report& a, const Report& b) {
  if (a.accepted != b.accepted) return comes_before(a.accepted, b.accepted);
  return comes_before(a.certificates, b.certificates);
}

}  // namespace

int identities_in(const Reports& reports) {
  int count = 0;
  for (const Report& report : reports) count += report.from.size();
  return count;
}

bool add_report(Reports& reports, Identity from, const Certificates& certificates, const History& accepted) {
  for (const Report& report : reports) {
    if (report.from.contains(from)) return true;
  }
  for (Report& report : reports) {
    if (!(report.certificates == certificates) || report.accepted != accepted) continue;
    report.from.insert(from);
    return true;
  }
  if (!reports.push_back({certificates, accepted, IdentitySet::single(from)})) return false;
  std::sort(reports.begin(), reports.end(), [](const Report& a, const Report& b) { return comes_before(a, b); });
  return true;
}

History select(const Reports& reports, int fault_count, const Rules& rules) {
  return Selector(reports, fault_count, rules).run();
}

}  // namespace nika::zyzzyva
