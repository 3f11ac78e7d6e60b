// nika top: a campaign that another process runs, as its file shows it.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <memory>

#include "nika/base/printable.hpp"
#include "nika/cli/campaign_show.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/store/campaign_file.hpp"

namespace nika::cli {
namespace {

constexpr int kPauseMilliseconds = 1000;

// How many a second, over the last samples of the session that runs.
double rate_of(const store::CampaignRecord& record) {
  constexpr std::size_t kSamples = 5;
  const std::size_t count = record.speed.size();
  if (count < 2) return 0;
  const store::SpeedSample& last = record.speed.back();
  std::size_t first = count - std::min(count, kSamples);
  while (record.speed[first].session != last.session) ++first;
  const double seconds = last.seconds - record.speed[first].seconds;
  return seconds > 0 ? static_cast<double>(last.executed - record.speed[first].executed) / seconds : 0;
}

std::string line_of(const store::CampaignRecord& record) {
  const store::Counts total = record.total();
  const Wide asked = record.asked();
  const double rate = rate_of(record);
  std::string text = fmt::format("{}  {:.1f}%  {} of {}", title_of(record),
                                 100 * static_cast<double>(asked - record.missing()) / static_cast<double>(asked),
                                 grouped(asked - record.missing()), grouped(asked));
  if (!record.conclusion && rate > 0) {
    text += fmt::format("  {} a second  {} s left", grouped(fmt::format("{:.0f}", rate)),
                        grouped(fmt::format("{:.0f}", static_cast<double>(record.missing()) / rate)));
  }
  for (std::size_t p = 0; p < total.properties.size(); ++p) {
    if (total.properties[p].violating == 0) continue;
    text += fmt::format("  {} break {}", grouped(total.properties[p].violating), printable(record.plan.properties[p]));
  }
  if (total.unknown > 0) text += fmt::format("  {} unknown", grouped(total.unknown));
  return text + fmt::format("  {} findings", record.told().size());
}

Result<int> run(const std::string& file, bool once) {
  const std::atomic<bool>& stop = catch_interrupts();
  LongProgress line;
  for (;;) {
    const auto record = store::read_campaign(file);
    if (!record) return tl::unexpected(record.error());
    const bool is_last = once || record->conclusion.has_value() || stop;
    if (is_last) {
      line.clear();
      fmt::print("{}{}\n", line_of(*record),
                 record->conclusion ? "  " + std::string(name_of(conclusion_of(*record))) : "");
      return kExitHolds;
    }
    line.show(line_of(*record));
    poll(nullptr, 0, kPauseMilliseconds);
  }
}

}  // namespace

void add_top_command(CommandLine& line) {
  struct Arguments {
    std::string file;
    bool once = false;
  };
  Command& command = line.add("top", "Show a running campaign from another terminal, until it is complete");
  const auto a = std::make_shared<Arguments>();
  command.required("FILE", a->file, "of --campaign");
  command.flag("--once", a->once, "one line, and no waiting");
  command.footer("Example:\n  NIKA top night.db");
  command.on_run([a] { return run(a->file, a->once); });
}

}  // namespace nika::cli
