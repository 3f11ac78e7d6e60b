#include "nika/campaign/merged_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "nika/base/printable.hpp"
#include "nika/base/program_fingerprint.hpp"
#include "nika/base/version.hpp"
#include "nika/store/campaign_file.hpp"

namespace nika {
namespace {

std::string shown(const std::string& name) { return shortened(printable(name), 100); }

// Stretches that touch become one, as a ledger has them.
std::vector<store::Stretch> joined_stretches(std::vector<store::Stretch> all) {
  std::vector<store::Stretch> joined;
  for (store::Stretch& stretch : all) {
    if (!joined.empty() && joined.back().last == stretch.first && joined.back().counts.add(stretch.counts)) {
      joined.back().last = stretch.last;
    } else {
      joined.push_back(std::move(stretch));
    }
  }
  return joined;
}

Result<void> check_alike(const store::CampaignPlan& one, const store::CampaignPlan& other, const std::string& name) {
  if (one.command == other.command && one.settings == other.settings && one.properties == other.properties &&
      one.whole == other.whole)
    return {};
  return bad_input(fmt::format("{}: is of another campaign than the first file: its settings differ", shown(name)));
}

template <class Records>
void move_all(Records& from, Records& to) {
  std::ranges::move(from, std::back_inserter(to));
}

}  // namespace

Result<store::CampaignRecord> merged(std::vector<store::CampaignRecord> shards, std::span<const std::string> names) {
  store::CampaignRecord all;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    store::CampaignRecord& shard = shards[i];
    if (i == 0) all.plan = shard.plan;
    if (auto alike = check_alike(all.plan, shard.plan, names[i]); !alike) return tl::unexpected(alike.error());
    if (!shard.lessons.empty())
      return bad_input(fmt::format("{}: a guided search cannot be merged: it learns from all before", shown(names[i])));
    for (const store::Stretch& stretch : shard.stretches) {
      const auto overlaps = [&](const store::Stretch& s) { return s.first < stretch.last && stretch.first < s.last; };
      if (std::ranges::any_of(all.stretches, overlaps))
        return bad_input(fmt::format("{}: overlaps with a file before: it would be counted twice", shown(names[i])));
    }
    for (const store::ProgramRecord& program : shard.programs) {
      if (std::ranges::find(all.programs, program) == all.programs.end()) all.programs.push_back(program);
    }
    move_all(shard.stretches, all.stretches);
    move_all(shard.sightings, all.sightings);
    move_all(shard.findings, all.findings);
  }
  all.plan.first = 0;
  all.plan.last = all.plan.whole;
  std::ranges::sort(all.stretches, {}, &store::Stretch::first);
  all.stretches = joined_stretches(std::move(all.stretches));
  return all;
}

Result<void> write_merged(const store::CampaignRecord& record, const std::string& path, bool takes_other_program) {
  if (std::error_code failed; std::filesystem::exists(path, failed))
    return bad_input(fmt::format("{}: is there already: give a name that nothing has", shown(path)));
  const store::ProgramRecord own{std::string(version()), program_fingerprint()};
  const auto is_own = [&](const store::ProgramRecord& program) { return program == own; };
  if (!std::ranges::all_of(record.programs, is_own) && !takes_other_program)
    return bad_input("not all files were made by this program, whose results may differ: say --other-program");
  // The first program is the one that made it; the last one goes on with it.
  auto file = store::CampaignFile::open(path, record.plan, own, false);
  if (!file) return tl::unexpected(file.error());
  store::CampaignProgress progress;
  progress.stretches = record.stretches;
  progress.sightings = record.sightings;
  if (auto saved = file->save(progress); !saved) return saved;
  for (const store::FindingRecord& finding : record.findings) {
    if (auto saved = file->save(finding); !saved) return saved;
  }
  return {};
}

}  // namespace nika
