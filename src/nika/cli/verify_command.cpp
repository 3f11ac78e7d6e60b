// nika verify: reads a threshold automaton and decides its properties for all parameters at once.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "nika/automata/divisions.hpp"
#include "nika/automata/drawing.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/automaton_page.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/last_words.hpp"
#include "nika/cli/pages.hpp"
#include "nika/cli/run.hpp"
#include "nika/cli/verify_certificate.hpp"
#include "nika/cli/verify_check.hpp"
#include "nika/cli/verify_report.hpp"
#include "nika/cli/verify_rounds.hpp"
#include "nika/cli/verify_synthesis.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {
namespace {

using automata::Automaton;

constexpr const char* kExamples = R"(Examples:
  NIKA verify models/bv-broadcast.ta
      decide every property, for all parameters that satisfy the assumptions
  NIKA verify models/bv-broadcast-broken.ta --property uniformity0
      one property, with the smallest counterexample
  NIKA verify models/dbft.ta --json --timeout 60
      for scripts; what is not decided in 60 seconds is "unknown"
  NIKA verify models/dbft.ta --print
      the automaton after expansion of its templates
  NIKA verify models/dbft.ta --svg > dbft.svg
      a picture of it; --dot is for Graphviz
  NIKA verify models/bv-broadcast-broken.ta --property justification0 --svg > found.svg
      with the counterexample's path on it
  NIKA verify models/bv-broadcast-broken.ta --html found.html
      a page to step through each counterexample
  NIKA verify models/ben-or.ta --rounds "decided0, est0 -> start0; decided1, est1 -> start1"
      of one round, and of all rounds after each other
  NIKA verify models/sketches/bv-broadcast.ta --synthesize --bounds 0..3
      all thresholds with which the properties hold
  NIKA verify models/dbft.ta --certificate dbft-proof && NIKA verify --check dbft-proof
      what Z3 has refuted, written down; cvc5 confirms it
Exit codes: 0 all hold, 1 one is violated, 2 bad usage or input, 3 one is unknown or vacuous, 4 internal error.)";

// A century: what is longer is no timeout. Clocks count nanoseconds in 63 bits, which is almost three of them.
constexpr double kLongestTimeout = 3.15e9;

struct Arguments {
  std::string file;
  std::vector<std::string> properties;
  std::string solver = "z3";
  double timeout_seconds = 0;
  unsigned threads = 1;
  bool no_symmetry = false;
  bool json = false;
  bool configurations = false;
  bool print = false;
  bool dot = false;
  bool svg = false;
  std::string html;
  std::string rounds;
  std::string division;  // empty: exact, with a warning where that matters
  bool synthesize = false;
  std::string bounds;
  std::string certificate, check;  // directories

  bool draws() const { return dot || svg; }
};

// Keeps the wanted properties, in the order of the file; an error if there is none, or one is missing.
Result<void> select(Automaton& automaton, const std::vector<std::string>& wanted) {
  if (automaton.specifications.empty()) return bad_input("has no specifications, expected at least one");
  std::vector<std::string> names;
  for (const automata::Specification& specification : automaton.specifications) names.push_back(specification.name);
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return bad_input(fmt::format("no property '{}', expected one of: {}", name, fmt::join(names, ", ")));
  }
  std::erase_if(automaton.specifications, [&](const automata::Specification& specification) {
    return !wanted.empty() && std::find(wanted.begin(), wanted.end(), specification.name) == wanted.end();
  });
  return {};
}

void print_now(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);  // a pipe gets it too
}

// Prints the table while it is made, in the order in which the answers come; what has none by then comes last.
WorkResult verify_and_tell(const Automaton& automaton, const WorkOrder& order, bool prints_table) {
  ProgressLine progress;
  const Watch watch;
  std::uint64_t shown = 0;
  std::set<std::size_t> told;
  if (prints_table) print_now(table_head(automaton));
  WorkResult result = verify_all(automaton, order, [&](const std::vector<FinishedProperty>& news) {
    for (const FinishedProperty& property : news) {
      told.insert(property.property);
      if (!prints_table) continue;
      progress.clear();
      print_now(table_line(automaton, property));
    }
    const auto seconds = static_cast<std::uint64_t>(watch.seconds());
    if (!progress.is_shown() || seconds == shown) return;
    shown = seconds;
    progress.show(
        fmt::format("{} of {} properties decided, {} s", told.size(), automaton.specifications.size(), seconds));
  });
  progress.clear();
  for (std::size_t i = 0; prints_table && i < result.properties.size(); ++i) {
    if (told.count(i) == 0) print_now(table_line(automaton, {i, result.properties[i]}));
  }
  return result;
}

void print_drawing(const Arguments& arguments, const Automaton& automaton, const automata::Drawing& drawing) {
  print_now(arguments.dot ? automata::dot_graph(automaton, drawing) : automata::svg_drawing(automaton, drawing));
}

// With the path of the counterexample, if the only property has one.
void draw_answer(const Arguments& arguments, const Automaton& automaton, const automata::Outcome& outcome) {
  print_drawing(arguments, automaton,
                {caption_of(automaton, outcome), outcome.counterexample ? &*outcome.counterexample : nullptr});
}

Result<void> check_drawing(const Arguments& arguments) {
  if (!arguments.draws()) return {};
  if (arguments.dot && arguments.svg) return bad_input("read --dot and --svg, expected one of them");
  if (arguments.json) return bad_input("read --json beside a drawing, expected one of them");
  if (!arguments.rounds.empty()) return bad_input("read --rounds beside a drawing, expected one of them");
  if (arguments.properties.size() > 1)
    return bad_input(fmt::format("a drawing shows one counterexample: read {} properties, expected one --property",
                                 arguments.properties.size()));
  return {};
}

// Nothing if rounds are not asked about.
Result<std::optional<automata::RoundSwitch>> switch_of(const Arguments& arguments, const Automaton& automaton) {
  if (arguments.rounds.empty()) return std::nullopt;
  Result<automata::RoundSwitch> checked = checked_switch(automaton, arguments.rounds);
  if (!checked) return bad_input(arguments.file + ": " + checked.error().message);
  return std::move(*checked);
}

smt::Backend backend_of(const Arguments& arguments) {
  if (arguments.solver == "both") return smt::Backend::both;
  return arguments.solver == "cvc5" ? smt::Backend::cvc5 : smt::Backend::z3;
}

// What should be known of the file before its verdicts are believed.
std::vector<std::string> warnings_about(const Automaton& automaton, const Arguments& arguments) {
  std::vector<std::string> warnings;
  if (!arguments.division.empty()) return warnings;
  constexpr double kMostSeconds = 2;
  for (const automata::UnevenDivision& division :
       automata::uneven_divisions(automaton, smt::budget_of(kMostSeconds, nullptr))) {
    warnings.push_back(described(division) + "; it is taken exactly, --division floor rounds it down");
  }
  for (const std::string& warning : warnings) print_error("warning: " + warning);
  return warnings;
}

smt::Budget budget_of(const Arguments& arguments) {
  const bool is_limit = arguments.timeout_seconds < kLongestTimeout;
  return smt::budget_of(is_limit ? arguments.timeout_seconds : 0, &catch_interrupts());
}

Result<int> synthesize(const Automaton& sketch, const Arguments& arguments) {
  SynthesisRequest request;
  if (sketch.unknowns.empty()) return bad_input(arguments.file + ": has no unknowns, expected some to synthesize");
  if (!arguments.bounds.empty()) {
    const auto bounds = parse_bounds(arguments.bounds);
    if (!bounds) return tl::unexpected(bounds.error());
    request.options.bounds = *bounds;
  }
  request.options.verify.backend = backend_of(arguments);
  request.options.verify.budget = budget_of(arguments);
  request.json = arguments.json;
  request.warnings = warnings_about(sketch, arguments);
  return run_synthesis(sketch, request);
}

Result<int> certify(const CertifiedWork& work, const Arguments& arguments, int exit_code) {
  const auto certified = write_certificate(work, arguments.certificate);
  if (!certified) return tl::unexpected(certified.error());
  if (!arguments.json) {
    print_now(fmt::format("certificate for {} of {} properties in {}\n", *certified, work.result.properties.size(),
                          arguments.certificate));
  }
  return exit_code;
}

// What does not fit together, before anything is read.
Result<void> check_usage(const Arguments& arguments) {
  if (!arguments.html.empty()) {
    if (arguments.print || arguments.draws() || arguments.synthesize || !arguments.check.empty())
      return bad_input(
          "--html draws what is decided, expected neither --print, --dot, --svg, --synthesize nor --check");
    if (auto sound = check_page_output(arguments.html); !sound) return sound;
  }
  if (!arguments.check.empty()) {
    const bool alone = arguments.file.empty() && arguments.certificate.empty() && !arguments.synthesize;
    if (!alone)
      return bad_input("--check DIR reads all from DIR, expected neither FILE, --certificate nor --synthesize");
    return {};
  }
  if (arguments.file.empty()) return bad_input("FILE is missing, expected a .ta file or -");
  if (!arguments.bounds.empty() && !arguments.synthesize) return bad_input("--bounds is for --synthesize only");
  if (arguments.certificate.empty()) return {};
  if (arguments.synthesize) return bad_input("--certificate is for one automaton, expected no --synthesize");
  return check_certificate_directory(arguments.certificate);
}

WorkOrder order_of(const Arguments& arguments) {
  WorkOrder order;
  order.options.backend = backend_of(arguments);
  order.options.budget.cancelled = &catch_interrupts();
  order.timeout_seconds = arguments.timeout_seconds < kLongestTimeout ? arguments.timeout_seconds : 0;
  order.threads = arguments.threads;
  order.symmetry = !arguments.no_symmetry;
  order.options.records = !arguments.certificate.empty();
  return order;
}

// What is asked of an automaton that was read: all properties, of one round and, if wanted, of all of them.
struct Answers {
  WorkResult work;
  std::optional<RoundsReport> rounds{};

  bool abandoned() const { return work.abandoned || (rounds && rounds->abandoned); }
  int exit_code() const {
    const int code = exit_code_of(work);
    return rounds && code != kExitInternal ? exit_code_of(*rounds) : code;
  }
};

Result<Answers> answer(const Automaton& automaton, const Arguments& arguments) {
  const auto round_switch = switch_of(arguments, automaton);
  if (!round_switch) return tl::unexpected(round_switch.error());
  const std::vector<std::string> warnings = warnings_about(automaton, arguments);
  const WorkOrder order = order_of(arguments);
  const Watch watch;
  Answers answers{verify_and_tell(automaton, order, !arguments.json && !arguments.draws())};
  answers.work.warnings = warnings;
  if (!*round_switch) return answers;
  answers.rounds = verify_rounds(automaton, **round_switch, {order, watch.seconds()}, answers.work);
  answers.rounds->round_switch = arguments.rounds;
  return answers;
}

void tell(const Answers& answers, const Automaton& automaton, const Arguments& arguments) {
  const WorkResult& result = answers.work;
  if (arguments.draws()) {
    draw_answer(arguments, automaton, result.properties.front().outcome);
  } else if (arguments.json) {
    print_now(json_report(automaton, result, arguments.configurations, answers.rounds ? &*answers.rounds : nullptr));
  } else {
    print_now(counterexamples_text(automaton, result, arguments.configurations));
    if (answers.rounds) print_now(rounds_text(automaton, *answers.rounds));
  }
  if (result.out_of_memory) print_error(last_words(std::bad_alloc()));
}

// A page for each property that has a counterexample; of the first one without it if none has.
Result<void> write_pages(const Answers& answers, const Automaton& automaton, const std::string& file) {
  const auto& properties = answers.work.properties;
  std::size_t written = 0;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const automata::Outcome& outcome = properties[i].outcome;
    if (!outcome.counterexample) continue;
    if (auto done = write_page(page_of(automaton, i, outcome), numbered_file(file, ++written)); !done) return done;
  }
  if (written > 0 || properties.empty()) return {};
  return write_page(page_of(automaton, 0, properties.front().outcome), file);
}

Result<int> run(const Arguments& arguments) {
  if (auto usage = check_usage(arguments); !usage) return tl::unexpected(usage.error());
  if (auto sound = check_drawing(arguments); !sound) return tl::unexpected(sound.error());
  if (!arguments.check.empty()) return run_check({arguments.check, budget_of(arguments), arguments.json});
  const bool only_draws = arguments.draws() && arguments.properties.empty();
  automata::ReadOptions reading;
  reading.sketch = arguments.synthesize || arguments.print || only_draws;
  if (arguments.division == "floor") reading.division = automata::DivisionMeaning::floor;
  const Result<automata::SourceText> source = automata::read_source(arguments.file);
  if (!source) return tl::unexpected(source.error());
  Result<Automaton> automaton = automata::parse_automaton(*source, reading);
  if (!automaton) return tl::unexpected(automaton.error());
  if (arguments.print || only_draws) {
    if (arguments.print) fmt::print("{}", automata::printed(*automaton));
    if (only_draws) print_drawing(arguments, *automaton, {});
    return 0;
  }
  if (auto selected = select(*automaton, arguments.properties); !selected)
    return bad_input(arguments.file + ": " + selected.error().message);
  if (arguments.synthesize) return synthesize(*automaton, arguments);
  const Result<Answers> answers = answer(*automaton, arguments);
  if (!answers) return tl::unexpected(answers.error());
  tell(*answers, *automaton, arguments);
  if (!arguments.html.empty()) {
    if (auto written = write_pages(*answers, *automaton, arguments.html); !written)
      return tl::unexpected(written.error());
  }
  if (answers->abandoned()) leave_without_waiting();  // a solver that does not listen would keep the process alive
  if (arguments.certificate.empty()) return answers->exit_code();
  return certify({*source, *automaton, answers->work, reading.division}, arguments, answers->exit_code());
}

}  // namespace

void add_verify_command(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Command& command = line.add("verify", "Decide properties of a threshold automaton for all n, t and f at once");
  command.positional("FILE", arguments->file, "a .ta file in the language of ByMC, or - for standard input");
  command.options("-p,--property", arguments->properties, "only this property; may be given more than once", "NAME");
  command.choice("--solver", arguments->solver, {"z3", "cvc5", "both"}, "one of the two, or both, which must agree");
  command.number("--timeout", arguments->timeout_seconds, {1e-6, 1e300},
                 "for the whole command; without it there is no limit", "SECONDS");
  command.number("--threads", arguments->threads, {1, 256},
                 "decide so many properties side by side; who has none helps with one that is hard", "N");
  command.flag("--no-symmetry", arguments->no_symmetry,
               "decide every property by itself, also where a symmetry of the automaton maps another one to it");
  command.option(
      "--rounds", arguments->rounds,
      "the automaton is one round, and a process that ends in one of these final locations goes on in that start "
      "location of the next: also decide what holds of all rounds",
      "FINAL,…->START;…");
  command.flag("--configurations", arguments->configurations,
               "in counterexamples, all that is not 0 after each step instead of what it changed");
  command.flag("--json", arguments->json, "print one JSON object");
  command.flag("--print", arguments->print, "print the automaton after expansion, and decide nothing");
  command.flag("--dot", arguments->dot,
               "print a picture of the automaton for Graphviz: without --property nothing is decided, with one its "
               "counterexample's path is on it");
  command.flag("--svg", arguments->svg, "the same as an SVG file, which needs no Graphviz");
  command.option("--html", arguments->html,
                 "also write a page for each counterexample, to step through: FILE, FILE-2 and so on", "FILE");
  command.choice("--division", arguments->division, {"exact", "floor"},
                 "what n / 2 means where it does not come out even: the fraction, or rounded down; without this it is "
                 "the fraction, with a warning");
  command.flag("--synthesize", arguments->synthesize,
               "find all numbers for the file's unknowns with which every property holds");
  command.option("--bounds", arguments->bounds,
                 "of each unknown, beside what the assumptions say; without either -10..10", "LO..HI");
  command.option("--certificate", arguments->certificate,
                 "write why the properties hold that do, as questions for another solver, into this new directory",
                 "DIR");
  command.option("--check", arguments->check, "instead of FILE: have the other solver confirm such a certificate",
                 "DIR");
  command.footer(kExamples);
  command.on_run([arguments] { return run(*arguments); });
}

}  // namespace nika::cli
