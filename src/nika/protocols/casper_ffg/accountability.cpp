#include "nika/protocols/casper_ffg/accountability.hpp"

namespace nika::casper_ffg {
namespace {

// All links that are known, each with everybody who is known to have voted for it.
class Links {
 public:
  void add(const Tally& tally) {
    for (Tally& known : all_) {
      if (known.link != tally.link) continue;
      known.voters |= tally.voters;
      return;
    }
    is_complete_ = all_.push_back(tally) && is_complete_;
  }
  bool is_complete() const { return is_complete_; }

  IdentitySet guilty(int supermajority) const {
    IdentitySet result;
    for (const Tally& one : all_) {
      for (const Tally& other : all_) {
        const bool both_count = one.voters.size() >= supermajority && other.voters.size() >= supermajority;
        if (both_count && is_slashable(one.link, other.link)) result |= one.voters & other.voters;
      }
    }
    return result;
  }

 private:
  BoundedVector<Tally, 512> all_{};
  bool is_complete_ = true;
};

std::span<const State> validators_of(const Sight& sight) {
  const auto published = sight.states<CasperFfg>();
  return published.empty() ? sight.states<CasperFfgLed>() : published;
}

}  // namespace

IdentitySet guilty_in(std::span<const State> states, int supermajority) {
  Links links;
  for (const State& state : states) {
    for (const Tally& tally : state.links) links.add(tally);
    for (const Tally& tally : state.votes) links.add(tally);
  }
  NIKA_REQUIRE(links.is_complete());
  return links.guilty(supermajority);
}

bool AccountableSafetyMonitor::is_settled(const Sight& sight) const {
  return sight.commits.conflict().found && judge(sight).verdict == Verdict::kHolds;
}

Judgement AccountableSafetyMonitor::judge(const Sight& sight) const {
  const std::span<const State> validators = validators_of(sight);
  if (validators.empty()) return Judgement::unknown(Unjudged::kNotPromised);
  const Conflict& conflict = sight.commits.conflict();
  if (!conflict.found) return Judgement::holds();
  const IdentitySet guilty = guilty_in(validators, sight.certificate_votes());
  if (3 * guilty.size() >= sight.cluster.node_count) return Judgement::holds();
  // Whoever lost its memory may have voted twice, and may have been the one who knew what shows it.
  if (!sight.amnesiac.empty()) return Judgement::unknown(Unjudged::kTooManyFaulty);
  Evidence evidence;
  evidence.kind = guilty.empty() ? "conflicting finalised checkpoints, and nobody is guilty"
                                 : "conflicting finalised checkpoints, and too few are guilty";
  evidence.height = conflict.height;
  evidence.seats = sight.cluster.seats_of_identities(guilty);
  (void)evidence.claims.push_back({conflict.first_seat, conflict.first_value});
  (void)evidence.claims.push_back({conflict.second_seat, conflict.second_value});
  return Judgement::violated(evidence);
}

}  // namespace nika::casper_ffg
