#include "nika/cli/verify_command.hpp"

#include <fmt/format.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/cli/verify_report.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {
namespace {

using automata::Automaton;

constexpr const char* kExamples = R"(Examples:
  nika verify models/bv-broadcast.ta
      decide every property, for all parameters that satisfy the assumptions
  nika verify models/bv-broadcast-broken.ta --property uniformity0
      one property, with the smallest counterexample
  nika verify models/dbft.ta --json --timeout 60
      for scripts; what is not decided in 60 seconds is "unknown"
  nika verify models/dbft.ta --print
      the automaton after expansion of its templates
  nika verify models/dbft.ta --dot | dot -Tsvg > dbft.svg
      a drawing of it
Exit codes: 0 all hold, 1 one is violated, 2 bad usage or input, 3 one is unknown, 4 internal error.)";

struct Arguments {
  std::string file;
  std::vector<std::string> properties;
  std::string solver = "z3";
  double timeout_seconds = 0;
  unsigned threads = 1;
  bool no_symmetry = false;
  bool json = false;
  bool print = false;
  bool dot = false;
};

// The only thing that a signal handler may touch.
std::atomic<bool> interrupted = false;
extern "C" void on_interrupt(int) { interrupted = true; }

int fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 2;
}

// Keeps the wanted properties, in the order of the file; names the missing one otherwise.
std::string select(Automaton& automaton, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const automata::Specification& specification : automaton.specifications) names.push_back(specification.name);
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return fmt::format("no property '{}', expected one of: {}", name, fmt::join(names, ", "));
  }
  std::erase_if(automaton.specifications, [&](const automata::Specification& specification) {
    return !wanted.empty() && std::find(wanted.begin(), wanted.end(), specification.name) == wanted.end();
  });
  return {};
}

int run(const Arguments& arguments) {
  Result<Automaton> automaton = automata::read_automaton(arguments.file);
  if (!automaton) return fail(automaton.error().message);
  if (arguments.print || arguments.dot) {
    if (arguments.print) fmt::print("{}", automata::printed(*automaton));
    if (arguments.dot) fmt::print("{}", automata::dot_graph(*automaton));
    return 0;
  }
  if (automaton->specifications.empty()) return fail(arguments.file + ": has no specifications, expected at least one");
  if (const std::string problem = select(*automaton, arguments.properties); !problem.empty()) {
    return fail(arguments.file + ": " + problem);
  }
  WorkOrder order;
  order.options.backend = arguments.solver == "both"   ? smt::Backend::both
                          : arguments.solver == "cvc5" ? smt::Backend::cvc5
                                                       : smt::Backend::z3;
  order.options.budget.cancelled = &interrupted;
  if (arguments.timeout_seconds > 0) {
    order.options.budget.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::microseconds(static_cast<std::int64_t>(arguments.timeout_seconds * 1e6));
  }
  order.threads = arguments.threads;
  order.symmetry = !arguments.no_symmetry;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  const WorkResult result = verify_all(*automaton, order);
  if (result.vacuous) {
    fmt::print(stderr,
               "{}: warning: no parameters satisfy the assumptions and inits, so every property holds of nothing\n",
               arguments.file);
  }
  fmt::print("{}", arguments.json ? json_report(*automaton, result) : text_report(*automaton, result));
  std::fflush(stdout);
  const int code = exit_code_of(result);
  // A solver that does not listen would keep the process alive; everything has been printed by now.
  if (result.abandoned) std::_Exit(code);
  return code;
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("verify", "Decide properties of a threshold automaton for all n, t and f at once");
  command->add_option("file", arguments->file, "a .ta file in the language of ByMC")->required()->type_name("FILE");
  command->add_option("-p,--property", arguments->properties, "only this property; may be repeated")->type_name("NAME");
  command->add_option("--solver", arguments->solver, "z3, cvc5, or both, which must agree")
      ->check(CLI::IsMember({"z3", "cvc5", "both"}))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeout_seconds, "for the whole command; without it there is no limit")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  command->add_option("--threads", arguments->threads, "properties decided at the same time")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  command->add_flag("--no-symmetry", arguments->no_symmetry,
                    "decide every property by itself, also where a symmetry of the automaton maps another one to it");
  command->add_flag("--json", arguments->json, "print one JSON object");
  command->add_flag("--print", arguments->print, "print the automaton after expansion, and decide nothing");
  command->add_flag("--dot", arguments->dot, "print the automaton as a Graphviz drawing, and decide nothing");
  command->footer(kExamples);
  command->callback([arguments, &exit_code] {
    try {
      exit_code = run(*arguments);
    } catch (const std::exception& error) {
      fmt::print(stderr, "internal error: {}\n", error.what());
      exit_code = 4;
    }
  });
}

}  // namespace nika::cli
