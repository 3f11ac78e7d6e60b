// nika report: makes a finding, or a known attack, into one HTML file that shows it. Findings are never run again.
#include <fmt/format.h>

#include <memory>

#include "nika/base/printable.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/known_attacks.hpp"
#include "nika/cli/pages.hpp"
#include "nika/report/page_json.hpp"

namespace nika::cli {
namespace {

struct ReportArguments {
  std::string what;
  std::string output;
  bool json = false;
  bool types = false;
};

bool is_path(const std::string& what) { return what.find('/') != what.npos || what.ends_with(".json"); }

// An attack holds no trace: it is run for one. A finding holds its own.
Result<report::Page> page_for(const std::string& what, const Registry& registry) {
  bool is_attack = !is_path(what);
  if (!is_attack) {
    const auto recording = store::read_recording(what, words_in(registry));
    if (!recording) return tl::unexpected(recording.error());
    if (recording->finding) return page_of_finding(registry, *recording->finding);
    is_attack = !recording->property.empty();
  }
  if (!is_attack) {
    return bad_input(named(what + ": read a scenario, which holds no trace, expected a finding or an attack; NIKA show "
                                  "runs and tells a scenario"));
  }
  const auto attacks = attack_named(registry, what);
  if (!attacks) return tl::unexpected(attacks.error());
  return page_of_attack(registry, attacks->front());
}

Result<int> run_report(const ReportArguments& arguments, const Registry& registry) {
  if (arguments.types) {
    fmt::print("{}", report::typescript_types());
    return kExitHolds;
  }
  if (arguments.what.empty()) return bad_input(named("expected a finding or an attack; see NIKA report --help"));
  if (arguments.json == !arguments.output.empty())
    return bad_input("expected either --output FILE, which gets the page, or --json, which prints its document");
  if (!arguments.json) {
    if (auto sound = check_page_output(arguments.output); !sound) return tl::unexpected(sound.error());
  }
  const auto page = page_for(arguments.what, registry);
  if (!page) return tl::unexpected(page.error());
  if (arguments.json) {
    fmt::print("{}\n", report::to_json(*page));
    return kExitHolds;
  }
  if (auto written = write_page(*page, arguments.output); !written) return tl::unexpected(written.error());
  fmt::print("{}\n", printable(arguments.output));
  return kExitHolds;
}

}  // namespace

void add_report_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("report", "Draw a finding or a known attack: one HTML file that needs no network");
  const auto arguments = std::make_shared<ReportArguments>();
  command.positional("WHAT", arguments->what, "the file of a finding or an attack, or the name of a built-in attack");
  command.option("-o,--output", arguments->output, "the page; a file that is there is replaced", "FILE");
  command.flag("--json", arguments->json, "print the document that the page is made from; see docs/json.md");
  command.flag("--types", arguments->types, "print the document's types for TypeScript, and nothing else");
  command.footer(
      "Examples:\n"
      "  NIKA report findings/FILE.json -o finding.html    from what the file holds; nothing is run\n"
      "  NIKA report zyzzyva-fork -o fork.html             an attack holds no trace, so both of its sides are run "
      "first\n"
      "  NIKA report zyzzyva-fork --json                   the page's document, for pages of your own\n"
      "Exit codes: 0 written, 2 bad usage or input, or a program that was built without its page.");
  command.on_run([arguments, &registry] { return run_report(*arguments, registry); });
}

}  // namespace nika::cli
