#include "nika/cli/run.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>

#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/last_words.hpp"
#include "nika/cli/output.hpp"
#include "nika/model/verdict.hpp"

namespace nika::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  NIKA twins diembft --bug quorum-2f --assignment static   find a fork in a faulty protocol\n"
    "  NIKA twins diembft --exhaustive                          cover all scenarios of the correct one\n"
    "  NIKA fuzz hotstuff --bug no-lock -r 24 --runs 10000      a few outages and lies in each of many runs\n"
    "  NIKA attack --all                                        stage the known attacks, flawed and repaired\n"
    "  NIKA replay findings/FILE.json                           run a finding again, to the same trace\n"
    "  NIKA report zyzzyva-fork -o fork.html                    look at it: one HTML file, without network\n"
    "  NIKA verify models/bv-broadcast.ta                       decide an algorithm for every n, t and f at once\n"
    "  NIKA campaign resume night.db                            go on with what --campaign night.db has begun\n"
    "Each command explains itself: NIKA twins --help\n"
    "Exit codes: 0 holds or none found, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.";

bool leaves_at_once = false;

int run_words(const std::vector<std::string>& words, const Registry& registry) {
  CommandLine line("Tests and verifies Byzantine fault tolerant consensus", kFooter);
  add_twins_command(line, registry);
  add_fuzz_command(line, registry);
  add_zoo_command(line, registry);
  add_attack_command(line, registry);
  add_reproduce_command(line, registry);
  add_replay_command(line, registry);
  add_show_command(line, registry);
  add_report_command(line, registry);
  add_shrink_command(line, registry);
  add_protocols_command(line, registry);
  add_check_command(line, registry);
  add_verify_command(line);
  add_conform_command(line, registry);
  add_campaign_command(line, registry,
                       [&](const std::vector<std::string>& again) { return run_words(again, registry); });
  add_top_command(line);
  add_doctor_command(line);
  add_completion_command(line);
  add_man_command(line);
  return line.run(words);
}

int run_command(int argc, char** argv, const Registry& registry) {
  try {
    return run_words(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), registry);
  } catch (const std::exception& error) {
    print_error(last_words(error));
    return kExitInternal;
  }
}

}  // namespace

void leave_without_waiting() { leaves_at_once = true; }

int run(int argc, char** argv, const Registry& registry) {
  if (argc > 0) set_program_name(argv[0]);
  install_last_words();
  CheckedOutput output;
  int code = run_command(argc, argv, registry);
  if (const int error = output.finish(); error != 0) {
    print_error(std::string("standard output: ") + std::strerror(error) + ": what was printed is not complete");
    if (code != kExitViolated) code = kExitInternal;
  }
  if (leaves_at_once) std::_Exit(code);
  return code;
}

}  // namespace nika::cli
