// What all campaigns tell alike: a line for each property, and findings.
#pragma once

#include "nika/campaign/findings.hpp"
#include "nika/cli/console.hpp"
#include "nika/properties/tally.hpp"

namespace nika::cli {

// What each property came to: a line for each that was violated or could not always be judged.
void print_properties(const Properties& properties, const Tally& total);
// Those that were broken in some run.
Properties broken_ones(const Properties& properties, const Tally& total);
Json json_of_properties(const Properties& properties, const Tally& total);

void print_finding(std::size_t number, const ToldFinding& told, const Runner& runner);
Json json_of(const ToldFinding& told);

}  // namespace nika::cli
