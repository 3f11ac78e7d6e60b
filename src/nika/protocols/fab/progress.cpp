#include "nika/protocols/fab/progress.hpp"

#include <algorithm>

namespace nika::fab {

namespace {

// A value that may have been decided in `view` or before.
struct Evidence {
  ValueId value{};
  Round view{};
  bool is_proof = false;
};

// The evidence of the higher view wins. In one view a commit proof wins over votes: 2f+1 accepted its value there, f+1
// of them honest, and an honest acceptor accepts once in a view; so not all n accepted another value in that view, and
// votes decide only if all n cast them. ("Revisiting Fast Practical Byzantine Fault Tolerance", 2017)
bool outranks(const Evidence& a, const Evidence& b) {
  if (a.view != b.view) return a.view > b.view;
  return a.is_proof && !b.is_proof;
}

// If all n accepted a value in view w, then all reports but those of f liars tell that vote or one for the same value
// in a later view: acceptors report their last vote, and no later leader may propose anything else. With n-f reports
// that makes f+1 votes. Nothing if there are fewer.
Evidence votes_for(ValueId value, const Reports& reports, int votes_needed) {
  Evidence evidence{value, Round(0), false};
  for (const Report& report : reports) {
    const Round view = report.accepted.view;
    int votes = 0;
    for (const Report& other : reports) {
      if (other.accepted.value == value && other.accepted.view >= view) votes += other.from.size();
    }
    if (votes >= votes_needed) evidence.view = std::max(evidence.view, view);
  }
  return evidence;
}

class Judge {
 public:
  explicit Judge(const Rules& rules) : rules_(rules) {}

  void consider(const Evidence& evidence) {
    if (evidence.view == Round(0)) return;
    const bool is_first = best_.view == Round(0);
    // As published, a value is valid only if nothing speaks for another one: two that are spoken for exclude all.
    if (!rules_.later_views_and_proofs_take_precedence && !is_first && evidence.value != best_.value) conflicts_ = true;
    if (is_first || outranks(evidence, best_)) best_ = evidence;
  }
  Vouched result() const {
    if (conflicts_) return {Vouches::kForNoValue, {}};
    if (best_.view == Round(0)) return {};
    return {Vouches::kForOneValue, best_.value};
  }

 private:
  const Rules& rules_;
  Evidence best_;
  bool conflicts_ = false;
};

}  // namespace

int identities_in(const Reports& reports) {
  int count = 0;
  for (const Report& report : reports) count += report.from.size();
  return count;
}

bool add_report(Reports& reports, Identity from, const Told& told, std::uint8_t wave) {
  for (const Report& report : reports) {
    if (report.from.contains(from)) return true;
  }
  for (Report& report : reports) {
    if (report.wave != wave || report.accepted != told.accepted || report.proof != told.proof) continue;
    report.from.insert(from);
    return true;
  }
  if (!reports.push_back({told.accepted, told.proof, IdentitySet::single(from), wave})) return false;
  std::ranges::sort(reports, {}, [](const Report& r) { return std::tuple(r.wave, r.accepted, r.proof); });
  return true;
}

Vouched vouched_by(const Reports& reports, int fault_count, const Rules& rules) {
  const int votes_needed = identities_in(reports) - fault_count;
  Judge judge(rules);
  for (const Report& report : reports) {
    judge.consider({report.proof.value, report.proof.view, true});
    judge.consider(votes_for(report.accepted.value, reports, votes_needed));
  }
  return judge.result();
}

}  // namespace nika::fab
