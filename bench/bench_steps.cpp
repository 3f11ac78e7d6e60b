// The steps model: executions a second of each asynchronous protocol, and how many drawn orders it takes to the first
// one that breaks a seeded bug's protocol, uniformly and by priorities (PCT), over several seeds, on one core. The
// ratio is uniform by priorities. Arguments: SEEDS [CAP [FIRST_SEED [EXECUTIONS]]].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "nika/campaign/registry.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/steps/steps_generator.hpp"
#include "nika/scenarios/twins/settings.hpp"
#include "stopwatch.hpp"

namespace nika::bench {
namespace {

struct Options {
  unsigned seeds = 21;
  Wide cap = 10'000;  // orders; a seed that needs more counts as this many
  std::uint64_t first_seed = 101;
  Wide executions = 20'000;  // of a protocol as it is
};

// So many nodes, of which the first have twins. Who leads round 1 is the sender of a broadcast, and begins with 1 in a
// binary protocol: order i of a search is one with the i-th of these leaders, in turn, so that no bug gets a setting of
// its own. What is not registered is left out.
struct Case {
  std::string_view protocol;
  unsigned nodes;
  unsigned twins;
  std::array<std::string_view, 3> leaders;
  unsigned timers;  // that may run out: a broadcast and a consensus by coins need none
  std::string_view properties;

  std::string name() const { return fmt::format("{} {}+{}", protocol, nodes, twins); }
};
constexpr std::array<Case, 6> kCases{{
    {"bracha", 4, 1, {"A", "B", "C"}, 0, "agreement,totality"},
    {"bracha", 7, 2, {"A", "B", "C"}, 0, "agreement,totality"},
    {"bv-broadcast", 4, 1, {"A", "B", "B+C"}, 0, "agreement,totality,termination,justification,obligation"},
    {"dbft", 4, 1, {"A,B,C,D", "B,C,D,A", "B+C,D,A,B"}, 8, "agreement,totality,termination,justification"},
    {"mmr14", 4, 1, {"A", "B", "B+C"}, 0, "agreement,totality,justification"},
    {"mmr15", 4, 1, {"A", "B", "B+C"}, 0, "agreement,totality,justification"},
}};
constexpr std::array<std::string_view, 2> kSchedules{"uniform", "priorities:3"};

struct Sample {
  bool found = false;
  double orders = 0;
  double steps = 0;  // messages that were delivered
  double unknown = 0;
  double seconds = 0;
};

// A protocol, a bug or none, and a way to draw orders: ready to be run with any seed.
class Subject {
 public:
  static Result<Subject> make(const Registry& registry, const Case& one, std::string_view bug,
                              std::string_view schedule) {
    const auto runner = registry.find(std::string(one.protocol));
    if (!runner) return tl::unexpected(runner.error());
    auto properties = parse_properties(one.properties, registry.properties());
    if (!properties) return tl::unexpected(properties.error());
    twins::Settings settings;
    settings.protocol = one.protocol;
    settings.nodes = one.nodes;
    settings.twins = one.twins;
    if (!bug.empty()) settings.bugs = {std::string(bug)};
    settings.clients = (*runner)->clients();
    settings.steps = steps::parse_schedule(schedule).value();
    settings.steps->timers = one.timers;
    const Setup setup{twins::cluster_of(settings).value(), settings.bugs, *properties, NetworkModel::kSteps};
    auto session = (*runner)->open(setup);
    if (!session) return tl::unexpected(session.error());
    Subject subject(*settings.steps, *std::move(session));
    for (const std::string_view leaders : one.leaders) {
      settings.leaders = twins::parse_leaders(leaders).value();
      subject.bases_.push_back(twins::steps_base(settings));
    }
    return subject;
  }

  // Runs orders until one breaks something, or so many are run.
  Sample run(std::uint64_t seed, Wide cap, bool stops) {
    std::vector<std::unique_ptr<IndexedSchedule>> schedules;
    for (const Scenario& base : bases_) schedules.push_back(schedule_of(base, seed, cap));
    Sample sample;
    const Stopwatch watch;
    for (Wide i = 0; i < cap && !(stops && sample.found); ++i) {
      IndexedSchedule& schedule = *schedules[static_cast<std::size_t>(i % schedules.size())];
      schedule.seek(i / schedules.size());
      const Outcome& outcome = session_->run(schedule);
      ++sample.orders;
      sample.steps += outcome.delivered;
      sample.found = sample.found || outcome.verdict() == Verdict::kViolated;
      sample.unknown += outcome.verdict() == Verdict::kUnknown ? 1 : 0;
    }
    sample.seconds = watch.processor_seconds();
    return sample;
  }

 private:
  Subject(const steps::Drawing& drawing, std::unique_ptr<Session> session)
      : drawing_(drawing), session_(std::move(session)) {}

  // As `nika twins` does: change points are spread over as many steps as a uniform run takes.
  std::unique_ptr<IndexedSchedule> schedule_of(const Scenario& base, std::uint64_t seed, Wide cap) {
    const auto play = [&](Schedule& schedule) { (void)session_->run(schedule); };
    steps::Drawing uniform = drawing_;
    uniform.draw = steps::Draw::kUniform;
    steps::Drawing drawing = drawing_;
    drawing.expected_steps =
        static_cast<unsigned>(steps::StepsGenerator(base, uniform, seed, 1, play).scenario(0).steps->size());
    return steps::StepsGenerator(base, drawing, seed, cap, play).schedule();
  }

  steps::Drawing drawing_;
  std::unique_ptr<Session> session_;
  std::vector<Scenario> bases_;
};

double quantile(const std::vector<Sample>& samples, double Sample::* what, double part) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*what);
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size() - 1)))];
}

Result<void> measure_speed(const Registry& registry, const Case& one, const Options& options) {
  double uniform_rate = 0;
  for (const std::string_view schedule : kSchedules) {
    auto subject = Subject::make(registry, one, "", schedule);
    if (!subject) return tl::unexpected(subject.error());
    const Sample sample = subject->run(options.first_seed, options.executions, false);
    const double rate = sample.orders / sample.seconds;
    if (schedule == kSchedules[0]) uniform_rate = rate;
    fmt::print("| {:<16} | {:<12} | {:>9.0f} | {:>8.1f} | {:>10.2f} | {:>7.0f} | {:>8} | {:>5.2f} |\n", one.name(),
               schedule, rate, sample.steps / sample.orders, sample.steps / sample.seconds / 1e6, sample.unknown,
               sample.found ? "VIOLATED" : "none", rate / uniform_rate);
    std::fflush(stdout);
  }
  return {};
}

Result<void> compare(const Registry& registry, const Case& one, std::string_view bug, const Options& options) {
  double uniform_median = 0;
  for (const std::string_view schedule : kSchedules) {
    auto subject = Subject::make(registry, one, bug, schedule);
    if (!subject) return tl::unexpected(subject.error());
    std::vector<Sample> samples;
    for (unsigned s = 0; s < options.seeds; ++s)
      samples.push_back(subject->run(options.first_seed + s, options.cap, true));
    const auto missed = std::ranges::count(samples, false, &Sample::found);
    const double median = quantile(samples, &Sample::orders, 0.5);
    std::string ratio;
    if (schedule == kSchedules[0]) {
      uniform_median = median;
    } else if (missed < static_cast<std::ptrdiff_t>(samples.size())) {
      ratio = fmt::format("{:.2f}", uniform_median / median);
    }
    fmt::print("| {:<16} | {:<17} | {:<12} | {:>8.0f} | {:>8.0f} | {:>8.0f} | {:>4} | {:>8.4f} | {:>6} |\n", one.name(),
               bug, schedule, median, quantile(samples, &Sample::orders, 0.25),
               quantile(samples, &Sample::orders, 0.75), missed, quantile(samples, &Sample::seconds, 0.5), ratio);
    std::fflush(stdout);
  }
  return {};
}

Result<void> measure(const Options& options) {
  const Registry registry = built_in_protocols();
  const auto is_there = [&](const Case& one) { return registry.find(std::string(one.protocol)).has_value(); };
  fmt::print("{} orders of each protocol as it is, seed {}\n\n", to_string(options.executions), options.first_seed);
  fmt::print("| {:<16} | {:<12} | {:>9} | {:>8} | {:>10} | {:>7} | {:>8} | {:>5} |\n", "steps, 1 core", "order",
             "runs / s", "messages", "million / s", "unknown", "broken", "ratio");
  fmt::print("|{:-<18}|{:-<14}|{:->11}|{:->10}|{:->13}|{:->9}|{:->10}|{:->7}|\n", "", "", ":", ":", ":", ":", ":", ":");
  for (const Case& one : kCases) {
    if (!is_there(one)) continue;
    if (auto measured = measure_speed(registry, one, options); !measured) return measured;
  }
  fmt::print("\n{} seeds from {}, at most {} orders each; medians, and quartiles of the orders\n\n", options.seeds,
             options.first_seed, to_string(options.cap));
  fmt::print("| {:<16} | {:<17} | {:<12} | {:>8} | {:>8} | {:>8} | {:>4} | {:>8} | {:>6} |\n", "to the first", "bug",
             "order", "median", "quartile", "quartile", "cap", "seconds", "ratio");
  fmt::print("|{:-<18}|{:-<19}|{:-<14}|{:->10}|{:->10}|{:->10}|{:->6}|{:->10}|{:->8}|\n", "", "", "", ":", ":", ":",
             ":", ":", ":");
  for (const Case& one : kCases) {
    const auto runner = registry.find(std::string(one.protocol));
    if (!runner) continue;
    for (const std::string_view bug : (*runner)->bugs()) {
      if (auto compared = compare(registry, one, bug, options); !compared) return compared;
    }
  }
  return {};
}

}  // namespace
}  // namespace nika::bench

int main(int argc, char** argv) {
  nika::bench::Options options;
  if (argc > 1) options.seeds = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  if (argc > 2) options.cap = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.first_seed = std::strtoull(argv[3], nullptr, 10);
  if (argc > 4) options.executions = std::strtoull(argv[4], nullptr, 10);
  if (options.seeds == 0 || options.cap == 0 || options.executions == 0) {
    fmt::print(stderr, "bench_steps: expected SEEDS [CAP [FIRST_SEED [EXECUTIONS]]], each at least 1\n");
    return 2;
  }
  if (auto measured = nika::bench::measure(options); !measured) {
    fmt::print(stderr, "bench_steps: {}\n", measured.error().message);
    return 4;
  }
  return 0;
}
