// What the file of a campaign tells, for people and for scripts: text and JSON of docs/json.md, made of what is stored.
#pragma once

#include "nika/campaign/registry.hpp"
#include "nika/cli/console.hpp"
#include "nika/store/campaign_record.hpp"

namespace nika::cli {

// What is shown so far: as it was concluded, or violated once anything is, and unknown until then.
Conclusion conclusion_of(const store::CampaignRecord& record);
Wide covered(const store::Counts& counts);

// Without times, so that it is the same however often the campaign was stopped.
Result<Json> json_of(const store::CampaignRecord& record, const Registry& registry);
void print_campaign(const store::CampaignRecord& record);

// "twins diembft", from what it was made with.
std::string title_of(const store::CampaignRecord& record);

// The rows of a table in the given format; an error for another table or format.
Result<std::string> exported(const store::CampaignRecord& record, const std::string& table, const std::string& format);

}  // namespace nika::cli
