// A finding for people, in the papers' notation. Made from what is stored; every line ends with a newline.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/store/finding.hpp"

namespace nika::report {

// "diembft with bug quorum-2f: 4 nodes, A with a twin; f = 1".
std::string cast_text(const Scenario& scenario);
// "{A* B | A'* C D}" for each round, equal neighbours on one line, then healing, rules and crashes. `kinds` are the
// protocol's names of messages.
std::string schedule_text(const Scenario& scenario, std::string_view indent, std::span<const std::string_view> kinds);
// "agreement: at height 1 B committed A1 and C committed A'1".
std::string violation_text(const store::Finding& finding);
// What the two seats of a conflict committed, side by side; nothing for a standstill.
std::string histories_text(const store::Finding& finding, std::string_view indent);

}  // namespace nika::report
