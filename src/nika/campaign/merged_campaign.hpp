// The shards of one campaign as one: everything that was counted, once, and what was found. What it makes is the file
// of a campaign that was never parted; what is missing of it, `campaign resume` runs.
#pragma once

#include <span>

#include "nika/base/wide.hpp"
#include "nika/store/campaign_record.hpp"

namespace nika {

// The records as one, of which `words` lack --shard. An error if they are not of one campaign, or overlap. `names` are
// the files' for messages.
Result<store::CampaignRecord> merged(std::vector<store::CampaignRecord> shards, std::span<const std::string> names);

// Writes it as a new file. An error if there is one.
Result<void> write_merged(const store::CampaignRecord& record, const std::string& path, bool takes_other_program);

}  // namespace nika
