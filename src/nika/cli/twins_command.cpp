// nika twins: counts, writes, runs or covers the scenarios of a Twins space.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "nika/base/printable.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/pages.hpp"
#include "nika/cli/twins_report.hpp"

namespace nika::cli {
namespace {

std::string text_of(const TwinsProgress& p, const Properties& properties, LongProgress& line) {
  if (p.is_shrinking) return "shrinking what was found";
  if (p.search && p.search->to_expand == 0) {
    return fmt::format("{} worlds  {} steps between them  {:.0f} s", grouped(p.search->worlds),
                       grouped(p.search->expanded), line.seconds());
  }
  if (p.search) {
    return fmt::format("round {}  {} worlds  {} of {} done  {:.0f} s", p.search->round + 1, grouped(p.search->worlds),
                       grouped(p.search->expanded), grouped(p.search->to_expand), line.seconds());
  }
  return progress_text({p.executed, p.asked, p.tally, properties}, line);
}

Result<int> count(const TwinsCommandRequest& request) {
  const auto outcome = count_twins(request.campaign);
  if (!outcome) return tl::unexpected(outcome.error());
  if (request.json) {
    print_json(json_of_counts(request, *outcome));
  } else {
    print_counts(request, *outcome);
  }
  return kExitHolds;
}

Result<int> write(const TwinsCommandRequest& request) {
  const auto written = write_twins(request.campaign, request.out);
  if (!written) return tl::unexpected(written.error());
  const auto counts = count_twins(request.campaign);
  if (!counts) return tl::unexpected(counts.error());
  if (request.json) {
    print_json({{"command", "twins"},
                {"protocol", request.campaign.settings.protocol},
                {"file", request.out},
                {"scenarios", json_count(counts->counts.scenarios.get_str())},
                {"written", json_count(*written)}});
  } else {
    fmt::print("wrote {} scenarios to {}\nrun them: {} twins --in {}\n", grouped(*written), printable(request.out),
               program_name(), printable(request.out));
  }
  return kExitHolds;
}

Result<void> write_pages(const TwinsOutcome& outcome, const Registry& registry, const std::string& file) {
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    auto written = write_page(page_of_finding(registry, outcome.findings[i].finding), numbered_file(file, i + 1));
    if (!written) return written;
  }
  return {};
}

// The verdict is told and kept even if a finding could not be stored, or drawn.
Result<int> run(const TwinsCommandRequest& request, const Registry& registry) {
  if (!request.html.empty()) {
    if (auto sound = check_page_output(request.html); !sound) return tl::unexpected(sound.error());
  }
  LongProgress line;
  TwinsWatch watch;
  watch.stop = &catch_interrupts();
  if (!request.quiet) {
    watch.progress = [&](const TwinsProgress& progress) {
      line.show(text_of(progress, request.campaign.properties, line));
    };
  }
  const auto outcome = run_twins(request.campaign, watch);
  line.clear();
  if (!outcome) return tl::unexpected(outcome.error());
  if (request.json) {
    print_json(json_of(request, *outcome));
  } else {
    print_report(request, *outcome);
  }
  if (outcome->storing_error) print_error("a finding could not be stored: " + outcome->storing_error->message);
  if (!request.html.empty()) {
    if (auto written = write_pages(*outcome, registry, request.html); !written)
      print_error("a finding could not be drawn: " + written.error().message);
  }
  if (outcome->can_go_on) tell_how_to_go_on(request.campaign.place);
  return exit_code_of(outcome->conclusion);
}

}  // namespace

void add_twins_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("twins", "Twins: every partition and leader schedule with compromised nodes");
  const auto arguments = std::make_shared<TwinsArguments>();
  add_twins_options(command, *arguments);
  command.on_run([arguments, &command, &registry] {
    arguments->words = command.words();
    const auto request = request_of(*arguments, registry);
    if (!request) return refuse(request.error());
    const auto code = request->dry_run        ? count(*request)
                      : !request->out.empty() ? write(*request)
                                              : run(*request, registry);
    return code ? *code : refuse(code.error());
  });
}

}  // namespace nika::cli
