// The heart of Zyzzyva's view change: which history a new view must start with, given what 2f+1 or more replicas
// report. The new primary asks to propose, and every replica asks again to check the proposal.
#pragma once

#include "nika/protocols/zyzzyva/rules.hpp"
#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::zyzzyva {

// How many identities the reports are from.
int identities_in(const Reports& reports);

// Adds what one identity reports, unless that identity has reported before. False if there is no room.
[[nodiscard]] bool add_report(Reports& reports, Identity from, const Certificates& certificates,
                              const History& accepted);

// Its view is 0.
History select(const Reports& reports, int fault_count, const Rules& rules);

}  // namespace nika::zyzzyva
