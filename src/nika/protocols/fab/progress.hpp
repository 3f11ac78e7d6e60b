// Progress certificates: which value a new leader of FaB may propose, given what n-f or more acceptors report. The
// leader asks to propose, and every acceptor asks again to check the proposal.
#pragma once

#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/fab/rules.hpp"

namespace nika::fab {

int identities_in(const Reports& reports);

struct Told {
  Vote accepted{};
  Vote proof{};
};

// Adds what one acceptor reports to the wave, unless that acceptor has reported before. False if there is no room.
[[nodiscard]] bool add_report(Reports& reports, Identity from, const Told& told, std::uint8_t wave);

enum class Vouches : std::uint8_t { kForAnyValue, kForOneValue, kForNoValue };

struct Vouched {
  Vouches vouches = Vouches::kForAnyValue;
  ValueId value{};  // kForOneValue
};

Vouched vouched_by(const Reports& reports, int fault_count, const Rules& rules);

}  // namespace nika::fab
