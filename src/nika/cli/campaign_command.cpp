// nika campaign: what the files of --campaign hold, and how they go on.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "nika/base/printable.hpp"
#include "nika/campaign/merged_campaign.hpp"
#include "nika/cli/campaign_options.hpp"
#include "nika/cli/campaign_show.hpp"
#include "nika/cli/commands.hpp"
#include "nika/store/campaign_file.hpp"

namespace nika::cli {
namespace {

using RunWords = std::function<int(const std::vector<std::string>&)>;

constexpr const char* kExamples =
    "Actions:\n"
    "  list [DIR]             the campaigns in the files *.db of a directory (default: this one)\n"
    "  show FILE              what was run, counted and found so far\n"
    "  resume FILE            go on to the end, as the command that made it would\n"
    "  merge OUT FILE…        the shards of one campaign as one\n"
    "  export FILE            its rows as CSV or JSON lines\n"
    "Examples:\n"
    "  NIKA twins diembft --step3 random:100000000 --campaign night.db    begin; kill it, and\n"
    "  NIKA campaign resume night.db --threads 8                          go on, to the same result\n"
    "  NIKA campaign show night.db --json                                 one object for a script\n"
    "  NIKA campaign merge all.db shard-*.db                              what 16 machines ran, as one\n"
    "  NIKA campaign export night.db --table speed --format csv           throughput over time\n"
    "Exit codes: those of the campaign for resume and merge; else 0; 2 bad usage or input, 4 internal error.";

struct Arguments {
  std::string action;
  std::vector<std::string> files;
  bool json = false;
  bool quiet = false;
  bool other_program = false;
  unsigned threads = 0;
  double seconds = 0;
  std::string findings;
  std::string table = "properties";
  std::string format = "csv";
};

Result<std::string> only_file(const Arguments& a) {
  if (a.files.size() == 1) return a.files[0];
  return bad_input(named("expected one file: NIKA campaign " + a.action + " FILE"));
}

Result<int> show(const Arguments& a, const Registry& registry) {
  const auto file = only_file(a);
  if (!file) return tl::unexpected(file.error());
  const auto record = store::read_campaign(*file);
  if (!record) return tl::unexpected(record.error());
  if (!a.json) {
    print_campaign(*record);
    return kExitHolds;
  }
  const auto json = json_of(*record, registry);
  if (!json) return tl::unexpected(Error{fmt::format("{}: {}", *file, json.error().message)});
  print_json(*json);
  return kExitHolds;
}

std::string state_of(const store::CampaignRecord& record) {
  const Wide asked = record.asked();
  const Wide done = asked - record.missing();
  const std::string share = record.conclusion
                                ? "complete"
                                : fmt::format("{:.1f}%", 100 * static_cast<double>(done) / static_cast<double>(asked));
  return fmt::format("{:<9} {:<11} {}", share, name_of(conclusion_of(record)), title_of(record));
}

Result<int> list(const Arguments& a) {
  if (a.files.size() > 1) return bad_input(named("expected at most one directory: NIKA campaign list [DIR]"));
  const std::filesystem::path directory = a.files.empty() ? "." : a.files[0];
  std::error_code failed;
  std::vector<std::filesystem::path> paths;
  for (auto entry = std::filesystem::directory_iterator(directory, failed);
       !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    if (entry->path().extension() == ".db") paths.push_back(entry->path());
  }
  if (failed) return bad_input(fmt::format("{}: cannot be read: {}", printable(directory.string()), failed.message()));
  std::ranges::sort(paths);
  Json files = Json::array();
  for (const std::filesystem::path& path : paths) {
    const auto record = store::read_campaign(path.string());
    const std::string name = printable(path.filename().string());
    if (!a.json) {
      fmt::print("{:<28} {}\n", name, record ? state_of(*record) : record.error().message);
      continue;
    }
    Json json{{"file", path.string()}};
    json["error"] = record ? Json(nullptr) : Json(record.error().message);
    json["campaign"] = record ? Json(title_of(*record)) : Json(nullptr);
    json["asked"] = record ? json_count(record->asked()) : Json(nullptr);
    json["executed"] = record ? json_count(record->total().executed) : Json(nullptr);
    json["verdict"] = record ? Json(name_of(conclusion_of(*record))) : Json(nullptr);
    json["complete"] = record && record->conclusion.has_value();
    files.push_back(std::move(json));
  }
  if (a.json) print_json({{"command", "campaign list"}, {"campaigns", files}});
  return kExitHolds;
}

// Only what --campaign ever writes into a file is run from it.
Result<void> check_words(const std::vector<std::string>& words, const std::string& file) {
  const std::vector<std::string_view> others{"--out=", "--dry-run", "--help", "-h", "--campaign=", "--version"};
  const bool is_known = !words.empty() && (words[0] == "twins" || words[0] == "fuzz");
  if (is_known && words_without(words, others) == words) return {};
  return bad_input(
      fmt::format("{}: holds another command than those that --campaign keeps", shortened(printable(file), 120)));
}

Result<int> resume(const Arguments& a, const RunWords& run_words, const std::string& file) {
  const auto record = store::read_campaign(file);
  if (!record) return tl::unexpected(record.error());
  std::vector<std::string> words = record->plan.words;
  if (auto sound = check_words(words, file); !sound) return tl::unexpected(sound.error());
  if (!a.findings.empty()) words = words_without(words, {"--findings="});
  const auto add = [&](bool given, std::string word) {
    if (given) words.push_back(std::move(word));
  };
  add(true, "--campaign=" + file);
  add(a.threads > 0, fmt::format("--threads={}", a.threads));
  add(a.seconds > 0, fmt::format("--seconds={}", a.seconds));
  add(!a.findings.empty(), "--findings=" + a.findings);
  add(a.quiet, "--quiet");
  add(a.json, "--json");
  add(a.other_program, "--other-program");
  return run_words(words);
}

Result<int> merge(const Arguments& a, const RunWords& run_words) {
  if (a.files.size() < 2) return bad_input(named("expected a new file and the shards: NIKA campaign merge OUT FILE…"));
  const std::vector<std::string> names(a.files.begin() + 1, a.files.end());
  std::vector<store::CampaignRecord> shards;
  for (const std::string& name : names) {
    auto record = store::read_campaign(name);
    if (!record) return tl::unexpected(record.error());
    record->plan.words = words_without(record->plan.words, {"--shard="});
    shards.push_back(*std::move(record));
  }
  auto all = merged(std::move(shards), names);
  if (!all) return tl::unexpected(all.error());
  if (auto written = write_merged(*all, a.files[0], a.other_program); !written) return tl::unexpected(written.error());
  if (const Wide missing = all->missing(); missing > 0) {
    tell(fmt::format("{} of {} were run by none of them. Run them: {} campaign resume {}\n", grouped(missing),
                     grouped(all->asked()), program_name(), printable(a.files[0])));
    return kExitUnknown;
  }
  return resume(a, run_words, a.files[0]);
}

Result<int> write_out(const Arguments& a) {
  const auto file = only_file(a);
  if (!file) return tl::unexpected(file.error());
  const auto record = store::read_campaign(*file);
  if (!record) return tl::unexpected(record.error());
  const auto text = exported(*record, a.table, a.format);
  if (!text) return tl::unexpected(text.error());
  fmt::print("{}", *text);
  return kExitHolds;
}

Result<int> run(const Arguments& a, const Registry& registry, const RunWords& run_words) {
  if (a.action == "show") return show(a, registry);
  if (a.action == "list") return list(a);
  if (a.action == "merge") return merge(a, run_words);
  if (a.action == "export") return write_out(a);
  const auto file = only_file(a);
  if (!file) return tl::unexpected(file.error());
  return resume(a, run_words, *file);
}

}  // namespace

void add_campaign_command(CommandLine& line, const Registry& registry, RunWords run_words) {
  Command& command = line.add("campaign", "What the files of --campaign hold: list, show, resume, merge, export");
  const auto a = std::make_shared<Arguments>();
  command.choice("ACTION", a->action, {"list", "show", "resume", "merge", "export"}, "what to do (see below)");
  command.rest("FILE", a->files, "of --campaign; what it is depends on the action");
  command.number("--threads", a->threads, {1, 256}, "resume, merge: (default: one for each core)", "N");
  command.number("--seconds", a->seconds, {0.001, 1e9}, "resume, merge: stop after so many, as Ctrl-C does", "N");
  command.option("--findings", a->findings, "resume, merge: where findings are stored, instead of where they were",
                 "DIR");
  command.flag("--other-program", a->other_program, "resume, merge: go on with what another build has begun");
  command.option("--table", a->table, "export: properties, progress, sightings, findings or speed", "NAME");
  command.choice("--format", a->format, {"csv", "jsonl"}, "export: comma-separated, or a JSON object a line");
  command.flag("--quiet", a->quiet, "no progress on standard error");
  command.flag("--json", a->json, "one JSON object on standard output; see docs/json.md");
  command.footer(kExamples);
  command.on_run([a, &registry, run_words = std::move(run_words)]() -> Result<int> {
    if (a->action.empty()) return bad_input(named("expected an action: list, show, resume, merge or export"));
    return run(*a, registry, run_words);
  });
}

}  // namespace nika::cli
