// nika reproduce limitations: Table 1 of Tholoniat and Gramoli, "Formal Verification of Blockchain Byzantine Fault
// Tolerance", with what Nika shows of each of its rows: the scripted attack, the search, the alternative.
#pragma once

#include "nika/campaign/attack_search.hpp"
#include "nika/campaign/registry.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

Result<int> reproduce_limitations(SearchBudget budget, bool as_json, const Registry& registry);

}  // namespace nika::cli
