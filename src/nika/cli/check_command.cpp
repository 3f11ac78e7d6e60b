// nika check: whether a protocol keeps what the simulator and the search rely on.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "nika/base/printable.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/campaign/protocol_check.hpp"
#include "nika/cli/bug_options.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/store/finding_files.hpp"
#include "nika/store/scenario_json.hpp"

namespace nika::cli {
namespace {

struct CheckArguments {
  std::string protocol;
  BugArguments bugs;
  CheckOptions options;
  std::string findings = "findings";
  bool json = false;
};

// Where the scenario is that shows what is wrong; nothing if there is none.
Result<std::string> store_scenario(const CheckResult& result, const Runner& runner, const std::string& directory) {
  if (!result.scenario) return std::string();
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  const std::string path = fmt::format("{}/check-{}-{}.json", directory, runner.name(), result.name);
  if (auto written = store::write_text_file(path, store::to_json(*result.scenario, words_of(runner))); !written)
    return tl::unexpected(written.error());
  return path;
}

void print_check(const CheckResult& result, const std::string& file) {
  const Paint paint;
  std::string words = "not applicable: " + result.what;
  if (result.status == CheckStatus::kOk) words = paint.verdict(Verdict::kHolds, "ok");
  if (result.status == CheckStatus::kWrong) {
    words = paint.verdict(Verdict::kViolated, "WRONG") + ": " + result.what;
    if (!file.empty()) words += ": " + printable(file);
  }
  const std::string cases = result.status == CheckStatus::kNotApplicable ? "-" : grouped(result.cases);
  fmt::print("{:<12} {:>8}  {}\n", result.name, cases, words);
}

int run_check(const CheckArguments& arguments, const Registry& registry) {
  const auto runner = registry.find(arguments.protocol);
  if (!runner) return refuse(runner.error());
  const auto bugs = bugs_of(arguments.bugs, **runner);
  if (!bugs) return refuse(bugs.error());
  CheckOptions options = arguments.options;
  options.bugs = *bugs;
  Properties properties;
  for (const Property* property : registry.properties()) {
    if (!property->only_by_name) (void)properties.push_back(property);
  }
  const auto results = check_protocol(**runner, properties, options);
  if (!results) return refuse(results.error());
  std::size_t wrong = 0;
  Json checks = Json::array();
  for (const CheckResult& result : *results) {
    wrong += result.status == CheckStatus::kWrong ? 1 : 0;
    const auto file = store_scenario(result, **runner, arguments.findings);
    if (!file) print_error(file.error().message);
    if (!arguments.json) print_check(result, file.value_or(""));
    checks.push_back({{"name", result.name}, {"status", name_of(result.status)}, {"cases", result.cases}});
    if (!result.what.empty()) checks.back()["what"] = result.what;
    if (file && !file->empty()) checks.back()["file"] = *file;
  }
  if (arguments.json) {
    print_json(Json{{"command", "check"},
                    {"protocol", (*runner)->name()},
                    {"bugs", options.bugs},
                    {"seed", options.seed},
                    {"checks", checks},
                    {"verdict", wrong > 0 ? "wrong" : "ok"}});
  } else if (wrong > 0) {
    fmt::print("{}: {} of {} checks went wrong: what a search says of it means nothing\n", (*runner)->name(), wrong,
               results->size());
  } else {
    const auto applied = std::ranges::count(*results, CheckStatus::kOk, &CheckResult::status);
    const bool all_apply = static_cast<std::size_t>(applied) == results->size();
    fmt::print("{}: nothing wrong in {} of {} checks{}\n", (*runner)->name(), applied, results->size(),
               all_apply ? "" : "; the others do not apply");
  }
  return wrong > 0 ? kExitViolated : kExitHolds;
}

const std::string& footer_text() {
  static const std::string kText = [] {
    std::string text = "What is checked:\n";
    for (const CheckName& check : check_names()) text += fmt::format("  {:<12} {}\n", check.name, check.asks);
    return text +
           "Examples:\n"
           "  NIKA check diembft                                 before its searches are trusted\n"
           "  NIKA check diembft --bug quorum-2f --json          the same of a flawed form, for a script\n"
           "  NIKA check my-protocol --scenarios 5000 --seed 2   longer, with other scenarios\n"
           "Exit codes: 0 nothing is wrong, 1 something is, 2 bad usage, 4 internal error.";
  }();
  return kText;
}

}  // namespace

void add_check_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("check", "Check that a protocol keeps what the simulator and the search rely on");
  const auto arguments = std::make_shared<CheckArguments>();
  command.required("PROTOCOL", arguments->protocol, "as listed by: NIKA protocols");
  add_bug_options(command, arguments->bugs);
  command.number("--scenarios", arguments->options.scenarios, {1, 1'000'000}, "drawn for each check", "N");
  command.number("--rounds", arguments->options.rounds, {1, 6}, "of the largest space that is searched and swept", "N");
  command.number("--seed", arguments->options.seed, {0, ~std::uint64_t{0}}, "of what is drawn", "N");
  command.option("--findings", arguments->findings, "where scenarios are stored that show what is wrong", "DIR");
  command.flag("--json", arguments->json, "one JSON object on standard output; see docs/json.md");
  command.footer(footer_text().c_str());
  command.on_run([arguments, &registry] { return run_check(*arguments, registry); });
}

}  // namespace nika::cli
