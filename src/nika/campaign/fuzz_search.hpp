// Every fault configuration of a ByzzFuzz bound, not one after the other: what a lie is about is chosen when a liar
// sends something that it may be about, and runs that agree so far share that work. All configurations are counted,
// each as often as it would be drawn. Never prints.
#pragma once

#include "nika/campaign/fuzz_campaign.hpp"

namespace nika {

// How many draws there are if each is as likely as it is; an error if they cannot be counted.
Result<Wide> configuration_count(const byzzfuzz::Settings& settings);

// Its tally counts configurations as scenarios, and what was really run as executed. It tells that something holds if
// every configuration was judged.
Result<FuzzOutcome> search_fuzz(const FuzzRequest& request, const FuzzWatch& watch);

}  // namespace nika
