// What commands that keep their campaign in a file have in common: --campaign, --seconds, and how to go on.
#pragma once

#include "nika/campaign/stored_campaign.hpp"
#include "nika/cli/arguments.hpp"
#include "nika/cli/console.hpp"

namespace nika::cli {

struct CampaignArguments {
  std::string file;
  bool other_program = false;
  double seconds = 0;
};

void add_campaign_options(Command& command, CampaignArguments& arguments);

// The words of a command line without some of its options: "--name" is a flag, "--name=" takes a value.
std::vector<std::string> words_without(const std::vector<std::string>& words,
                                       const std::vector<std::string_view>& options);

// `words`: the command line that was given.
CampaignPlace place_of(const CampaignArguments& arguments, const std::vector<std::string>& words);

// On standard error, how a campaign that was stopped goes on.
void tell_how_to_go_on(const CampaignPlace& place);

// What the line of progress tells.
struct ProgressCounts {
  Wide executed = 0;
  Wide asked = 0;
  const Tally& tally;
  const Properties& properties;
};
// "  2.5%  12 of 480  1 breaks agreement  2 unknown  300 a second  2 s left  64 MiB"
std::string progress_text(const ProgressCounts& counts, LongProgress& line);

}  // namespace nika::cli
