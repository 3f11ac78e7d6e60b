#include "nika/cli/campaign_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/machine_memory.hpp"
#include "nika/base/printable.hpp"

namespace nika::cli {

void add_campaign_options(Command& command, CampaignArguments& arguments) {
  command.option("--campaign", arguments.file,
                 "keep all that is done in a file, made if there is none: after a stop or a kill the same command, or "
                 "NIKA campaign resume FILE, goes on to the same result (docs/campaigns.md)",
                 "FILE");
  command.flag("--other-program", arguments.other_program, "with --campaign: go on with what another build has begun");
  command.number("--seconds", arguments.seconds, {0.001, 1e9}, "stop after so many, as Ctrl-C does", "N");
}

std::vector<std::string> words_without(const std::vector<std::string>& words,
                                       const std::vector<std::string_view>& options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = std::string_view(words[i]).substr(0, words[i].find('='));
    const auto found = std::ranges::find_if(options, [&](std::string_view option) {
      return option.ends_with('=') ? name == option.substr(0, option.size() - 1) : name == option;
    });
    if (found == options.end()) {
      kept.push_back(words[i]);
    } else if (found->ends_with('=') && name.size() == words[i].size()) {
      ++i;  // its value
    }
  }
  return kept;
}

CampaignPlace place_of(const CampaignArguments& arguments, const std::vector<std::string>& words) {
  return {arguments.file,
          words_without(words, {"--campaign=", "--threads=", "--seconds=", "--quiet", "--json", "--other-program"}),
          arguments.other_program};
}

void tell_how_to_go_on(const CampaignPlace& place) {
  tell(fmt::format("stopped; what was done is kept. Go on: {} campaign resume {}\n", program_name(),
                   printable(place.file)));
}

std::string progress_text(const ProgressCounts& counts, LongProgress& line) {
  const Tally& tally = counts.tally;
  std::string violations;
  for (std::size_t p = 0; p < tally.properties.size(); ++p) {
    if (tally.properties[p].violating == 0) continue;
    violations += fmt::format("  {} break {}", grouped(tally.properties[p].violating), title_of(*counts.properties[p]));
  }
  if (violations.empty()) violations = "  none violating";
  const std::string unknown = tally.unknown == 0 ? "" : fmt::format("  {} unknown", grouped(tally.unknown));
  return fmt::format("{}{}{}  {} MiB", line.text_of(counts.executed, counts.asked), violations, unknown,
                     used_memory_bytes() >> 20U);
}

}  // namespace nika::cli
