// The seeded bugs of PBFT. Each flag is read here and nowhere else; the protocol asks for the rule, not for the bug.
#pragma once

#include <array>
#include <string_view>

#include "nika/model/protocol.hpp"

namespace nika::pbft {

enum class Bug : std::uint8_t {
  kEmptyDigest,             // all digests are empty, and no request is checked against its own or its signature
  kSlotZeroUncertified,     // sequence numbers start at 0 as the low mark does, which certificates must lie above
  kNewPrimaryCounter,       // a new primary compares its counter with < instead of <=
  kNoRequestDedup,          // a request in flight is ordered and executed again when it comes again
  kNewViewRange,            // NEW-VIEW proposes [min..max] instead of (min..max]
  kNewViewLastCertificate,  // NEW-VIEW takes the last certificate that it finds, not that of the highest view
  kNewViewUnchecked,        // NEW-VIEW is taken from anybody, whatever it proves
  kMessagesNotSenders,      // PREPARE and COMMIT messages are counted, not their senders
  kOutOfOrderExecution,     // a request is executed as soon as it has committed
  kLostCertificate,         // VIEW-CHANGE leaves out the prepared certificates
  kClientTwoFPlusOne,       // a variant: clients wait for 2f+1 replies, also of what is not read-only
};

inline constexpr std::array<std::string_view, 11> kBugNames{
    "empty-digest",           "slot-zero-uncertified",     "new-primary-counter", "no-request-dedup",
    "new-view-range",         "new-view-last-certificate", "new-view-unchecked",  "messages-not-senders",
    "out-of-order-execution", "lost-certificate",          "client-2f+1"};

// What "Randomized Testing of Byzantine Fault Tolerant Algorithms" tested: the defects of that implementation, and its
// client, which waits for 2f+1 replies. Certificates are lost there because slot 0 has none.
inline constexpr std::array<std::string_view, 10> kCaoBugs{"empty-digest",           "slot-zero-uncertified",
                                                           "new-primary-counter",    "no-request-dedup",
                                                           "new-view-range",         "new-view-last-certificate",
                                                           "new-view-unchecked",     "messages-not-senders",
                                                           "out-of-order-execution", "client-2f+1"};

inline constexpr std::array<BugSet, 1> kSets{{{"cao", kCaoBugs}}};

struct Rules {
  bool digests_tell = true;
  bool first_slot_is_one = true;
  bool counter_passes_new_view = true;
  bool requests_count_once = true;
  bool new_view_begins_above_checkpoint = true;
  bool highest_view_wins = true;
  bool new_views_are_checked = true;
  bool senders_are_counted = true;
  bool execution_is_in_order = true;
  bool certificates_are_reported = true;
  bool one_correct_reply_is_enough = true;
};

inline Rules rules_of(const Context& context) {
  const auto keeps = [&](Bug bug) { return (context.bugs >> static_cast<unsigned>(bug) & 1U) == 0; };
  return {keeps(Bug::kEmptyDigest),      keeps(Bug::kSlotZeroUncertified), keeps(Bug::kNewPrimaryCounter),
          keeps(Bug::kNoRequestDedup),   keeps(Bug::kNewViewRange),        keeps(Bug::kNewViewLastCertificate),
          keeps(Bug::kNewViewUnchecked), keeps(Bug::kMessagesNotSenders),  keeps(Bug::kOutOfOrderExecution),
          keeps(Bug::kLostCertificate),  keeps(Bug::kClientTwoFPlusOne)};
}

}  // namespace nika::pbft
