#include "nika/cli/run.hpp"

#include <CLI/CLI.hpp>
#include <exception>

#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/verify_command.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  nika twins diembft --bug quorum-2f --assignment static   find a fork in a faulty protocol\n"
    "  nika twins diembft --exhaustive                          cover all scenarios of the correct one\n"
    "  nika attack --all                                        stage the known attacks, flawed and repaired\n"
    "  nika replay findings/FILE.json                           run a finding again, to the same trace\n"
    "  nika verify models/bv-broadcast.ta                       decide an algorithm for every n, t and f at once\n"
    "Each command explains itself: nika twins --help\n"
    "Exit codes: 0 holds, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.";

// CLI11's own words, made one line; except that it takes an unknown command for a missing one.
int refuse_usage(const CLI::App& app, const CLI::ParseError& error, const char* first_argument) {
  const auto chosen = app.get_subcommands();
  const std::string help = (chosen.empty() ? "nika" : "nika " + chosen.front()->get_name()) + " --help";
  if (chosen.empty() && first_argument != nullptr && *first_argument != '-') {
    print_error(std::string("there is no command \"") + first_argument + "\"; see " + help);
  } else {
    print_error(std::string(error.what()) + "; see " + help);
  }
  return kExitBadInput;
}

}  // namespace

int run(int argc, char** argv, const Registry& registry) {
  int exit_code = kExitHolds;
  CLI::App app{"Tests and verifies Byzantine fault tolerant consensus", "nika"};
  app.require_subcommand(1);
  app.footer(kFooter);
  const CommandLine line{app, registry, exit_code};
  add_twins_command(line);
  add_attack_command(line);
  add_reproduce_command(line);
  add_replay_command(line);
  add_show_command(line);
  add_shrink_command(line);
  add_protocols_command(line);
  add_verify_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse_usage(app, error, argc > 1 ? argv[1] : nullptr);
  } catch (const std::exception& error) {
    print_error(std::string("internal error: ") + error.what());
    return kExitInternal;
  }
  return exit_code;
}

}  // namespace nika::cli
