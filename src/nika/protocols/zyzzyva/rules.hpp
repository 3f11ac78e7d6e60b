// The seeded bugs of Zyzzyva. Each flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include "nika/model/protocol.hpp"

namespace nika::zyzzyva {

enum class Bug : std::uint8_t {
  kCertificateBeforeLaterVotes,  // as published: Validity Rule 1 before Validity Rule 2, whatever the views
  kVotesOfOneView,               // Validity Rule 2 by the letter: votes are counted in one view at a time
  kLatestCertificateOnly,        // a replica reports the commit certificate of its highest view, and no longer ones
  kAllAnswersOnly,               // a client never makes do with 2f+1 answers: whoever is silent stops it
};

struct Rules {
  bool later_votes_beat_certificates = true;
  bool later_votes_count_for_earlier_views = true;
  bool longer_certificates_are_kept = true;
  bool clients_certify = true;
};

inline Rules rules_of(const Context& context) {
  const auto has = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) != 0; };
  return {!has(Bug::kCertificateBeforeLaterVotes), !has(Bug::kVotesOfOneView), !has(Bug::kLatestCertificateOnly),
          !has(Bug::kAllAnswersOnly)};
}

}  // namespace nika::zyzzyva
