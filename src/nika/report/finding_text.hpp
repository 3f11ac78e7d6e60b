// A finding for people, in the papers' notation. Made from what is stored; every line ends with a newline.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/report/wrapped.hpp"
#include "nika/store/finding.hpp"

namespace nika::report {

// "diembft with bug quorum-2f: 4 nodes, A with a twin; f = 1", without a newline.
std::string cast_text(const Scenario& scenario);
// "{A* B | A'* C D}" for each round, equal neighbours on one line, then healing, crashes, rules, clock and steps.
// Then outages and lies. `kinds` are the protocol's names of messages, `leaves` those of what can be lied about.
std::string schedule_text(const Scenario& scenario, std::string_view indent, std::span<const std::string_view> kinds,
                          std::size_t columns = kDefaultColumns, std::span<const KindLeaves> leaves = {});
// "agreement: at height 1 B committed A1 and C committed A'1", without a newline. Where more nodes are compromised than
// the protocol tolerates it says that this is a demonstration.
std::string violation_text(const store::Finding& finding);
// "shrunk from 7 rounds in 120 runs", or that shrinking was cut short, without a newline; nothing if it was not shrunk.
std::string shrinking_text(const store::Finding& finding);
// What the seats of a conflict committed, side by side; nothing where there are not two of them.
std::string histories_text(const store::Finding& finding, std::string_view indent);

}  // namespace nika::report
