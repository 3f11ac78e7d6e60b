// nika twins: counts, writes, runs or covers the scenarios of a Twins space.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "nika/campaign/index_work.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/twins_report.hpp"
#include "nika/scenarios/twins/settings_json.hpp"

namespace nika::cli {
namespace {

// What to run: indices of the space, or of its classes.
struct Plan {
  std::optional<twins::Classes> classes;
  bool weights_are_exact = true;  // all scenarios of a class run alike
  Wide total = 0;                 // of what the range counts
  twins::Range range;
  bool is_whole() const { return range.size() == total; }
};

Result<twins::Range> asked_range(const TwinsRequest& request, Wide total) {
  twins::Range range{0, total};
  if (!request.range.empty()) {
    const auto parsed = twins::parse_range(request.range, total);
    if (!parsed) return parsed;
    range = *parsed;
  }
  if (!request.shard.empty()) {
    const auto shard = twins::parse_shard(request.shard);
    if (!shard) return tl::unexpected(shard.error());
    range = twins::part_of(range, *shard);
  }
  return range;
}

Result<Wide> size_of(const twins::Space& space) {
  if (space.size()) return *space.size();
  return bad_input(
      fmt::format("the space has {} scenarios, 2^128 or more: select some with --step3 first:X, or cover it "
                  "with --exhaustive",
                  space.counts().scenarios.get_str()));
}

Result<Plan> plan_of(const TwinsRequest& request, const twins::Space& space) {
  const auto size = size_of(space);
  if (!size) return tl::unexpected(size.error());
  Plan plan;
  plan.total = *size;
  if (request.symmetry) {
    auto classes = twins::Classes::make(space, *request.symmetry);
    if (!classes) return tl::unexpected(classes.error());
    plan.classes.emplace(*std::move(classes));
    if (*request.symmetry != twins::Symmetry::kExact) {
      const auto exact = twins::Classes::make(space, twins::Symmetry::kExact);
      if (!exact) return tl::unexpected(exact.error());
      plan.weights_are_exact = exact->count() == plan.classes->count();
    }
    plan.total = plan.classes->size().value();
  }
  const auto range = asked_range(request, plan.total);
  if (!range) return tl::unexpected(range.error());
  plan.range = *range;
  return plan;
}

class TwinsCommand {
 public:
  explicit TwinsCommand(const TwinsRequest& request) : request_(request) {}

  int run() {
    const auto code = request_.dry_run ? count() : make_and_run();
    return code ? *code : refuse(code.error());
  }

 private:
  using ExitCode = Result<int>;

  ExitCode count() {
    auto counts = twins::count(request_.settings);
    if (!counts) return tl::unexpected(counts.error());
    report_.counts = *std::move(counts);
    report_.scenarios = report_.counts.scenarios.get_str();
    if (request_.symmetry || !request_.range.empty() || !request_.shard.empty()) {
      const auto space = twins::Space::make(request_.settings);
      if (!space) return tl::unexpected(space.error());
      const auto plan = plan_of(request_, *space);
      if (!plan) return tl::unexpected(plan.error());
      if (plan->classes) report_.classes = plan->classes->count().get_str();
      if (!plan->classes) report_.scenarios = to_string(plan->range.size());
    }
    if (request_.json) {
      print_json(json_of_counts(request_, report_));
    } else {
      print_counts(request_, report_);
    }
    return kExitHolds;
  }

  ExitCode run_phases() {
    const auto kinds = static_cast<unsigned>(request_.runner->kinds().size());
    const auto sampler = phases::Sampler::make(request_.settings, kinds);
    if (!sampler) return tl::unexpected(sampler.error());
    const auto range = asked_range(request_, sampler->size());
    if (!range) return tl::unexpected(range.error());
    report_.counts = sampler->space().counts();
    stop_ = &catch_interrupts();
    RangeWork work(*range);
    SweepOptions options;
    options.phases = &*sampler;
    auto totals = run_work(sampler->space(), work, options, range->size());
    if (!totals) return tl::unexpected(totals.error());
    report_.totals = *std::move(totals);
    report_.scenarios = to_string(range->size());
    judge_sweep(range->size());
    return tell(violations_of(*sampler, report_.totals.sightings));
  }

  ExitCode make_and_run() {
    if (request_.settings.granularity == twins::Granularity::kPhase) return run_phases();
    const auto space = twins::Space::make(request_.settings);
    if (!space) return tl::unexpected(space.error());
    report_.counts = space->counts();
    if (!request_.out.empty()) return write(*space);
    stop_ = &catch_interrupts();
    const auto violations = request_.exhaustive ? search(*space) : sweep_all(*space);
    if (!violations) return tl::unexpected(violations.error());
    return tell(*violations);
  }

  ExitCode tell(const std::vector<Violation>& violations) {
    if (auto stored = store_all(violations); !stored) return tl::unexpected(stored.error());
    progress_.clear();
    if (request_.json) {
      print_json(json_of(request_, report_));
    } else {
      print_report(request_, report_);
    }
    return exit_code_of(report_.verdict);
  }

  Result<std::vector<Violation>> sweep_all(const twins::Space& space) {
    auto plan = request_.in.empty() ? plan_of(request_, space) : Plan{};
    if (!plan) return tl::unexpected(plan.error());
    std::unique_ptr<Work> work;
    Wide asked = plan->range.size();
    if (request_.in.empty()) {
      work = std::make_unique<RangeWork>(plan->range);
    } else {
      const auto size = size_of(space);
      if (!size) return tl::unexpected(size.error());
      auto from_file = IndexWork::open(request_.in, *size);
      if (!from_file) return tl::unexpected(from_file.error());
      asked = (*from_file)->count();
      work = *std::move(from_file);
    }
    SweepOptions options;
    if (plan->classes) options.classes = &*plan->classes;
    auto totals = run_work(space, *work, options, asked);
    if (!totals) return tl::unexpected(totals.error());
    report_.totals = *std::move(totals);
    report_.scenarios = to_string(asked);
    if (plan->classes) {
      report_.classes = plan->classes->count().get_str();
      const Wide stood_for = report_.totals.covered + report_.totals.unknown;
      report_.scenarios = plan->is_whole() ? report_.counts.scenarios.get_str() : to_string(stood_for);
    }
    report_.weights_are_exact = plan->weights_are_exact;
    judge_sweep(asked);
    return violations_of(space, report_.totals.sightings);
  }

  Result<SweepTotals> run_work(const twins::Space& space, Work& work, SweepOptions options, Wide asked) {
    options.threads = request_.threads;
    options.properties = request_.properties;
    options.sightings_of_each_kind = request_.max_findings;
    options.stop = stop_;
    const Stopwatch watch;
    if (progress_.is_shown()) {
      options.progress = [&](Wide executed) {
        const double rate = static_cast<double>(executed) / watch.seconds();
        const double left = rate > 0 ? static_cast<double>(asked - executed) / rate : 0;
        progress_.show(fmt::format("{:5.1f}%  {} of {}  {} a second  {:.0f} s left",
                                   100 * static_cast<double>(executed) / static_cast<double>(asked), grouped(executed),
                                   grouped(asked), grouped(fmt::format("{:.0f}", rate)), left));
      };
    }
    auto totals = sweep(*request_.runner, space, work, options);
    report_.seconds = watch.seconds();
    return totals;
  }

  void judge_sweep(Wide asked) {
    const SweepTotals& totals = report_.totals;
    if (totals.was_stopped || totals.executed < asked) {
      report_.reason = fmt::format("it was interrupted: {} of {} were run", grouped(totals.executed), grouped(asked));
    } else if (totals.unknown > 0) {
      report_.reason =
          fmt::format("in {} scenarios a buffer was full or the protocol never came to rest", grouped(totals.unknown));
    } else if (!report_.weights_are_exact) {
      report_.reason =
          "ties between leaders' seats are broken by name, so scenarios of a class may run otherwise than the one that "
          "was "
          "run: use --symmetry=exact, or --order all";
    }
    report_.verdict = totals.violating > 0     ? Verdict::kViolated
                      : report_.reason.empty() ? Verdict::kHolds
                                               : Verdict::kUnknown;
  }

  Result<std::vector<Violation>> search(const twins::Space& space) {
    SearchOptions options;
    options.threads = request_.threads;
    options.memory_bytes = request_.memory_bytes;
    options.unbounded = request_.unbounded;
    options.stop = stop_;
    if (progress_.is_shown()) {
      options.progress = [&](const SearchProgress& p) {
        progress_.show(fmt::format("round {}  {} worlds  {} of {} done", p.round + 1, grouped(p.worlds),
                                   grouped(p.expanded), grouped(p.to_expand)));
      };
    }
    const Stopwatch watch;
    auto result = request_.runner->search(space, options);
    if (!result) return tl::unexpected(result.error());
    report_.seconds = watch.seconds();
    report_.verdict = result->verdict;
    report_.reason = result->reason;
    if (request_.unbounded && !result->closed && report_.verdict == Verdict::kHolds) {
      report_.verdict = Verdict::kUnknown;
      report_.reason = fmt::format("new worlds still appeared after {} rounds", result->rounds);
    }
    if (!request_.unbounded) report_.scenarios = report_.counts.scenarios.get_str();
    report_.totals.covered = result->covered;
    report_.totals.violating = result->violating;
    report_.totals.unknown = result->unknown;
    report_.search = *std::move(result);
    if (request_.max_findings == 0) return std::vector<Violation>{};
    return violations_of(*request_.runner, space, report_.search->forks);
  }

  Result<void> store_all(const std::vector<Violation>& violations) {
    progress_.show("shrinking what was found");
    const auto discoveries = discover(*request_.runner, violations, {request_.shrinks, stop_});
    if (!discoveries) return tl::unexpected(discoveries.error());
    const std::string settings = to_json(request_.settings);
    for (const Discovery& discovery : *discoveries) {
      auto stored = store_finding(*request_.runner, discovery, settings, request_.findings);
      if (!stored) return tl::unexpected(stored.error());
      report_.findings.push_back(*std::move(stored));
    }
    return {};
  }

  ExitCode write(const twins::Space& space) {
    const auto plan = plan_of(request_, space);
    if (!plan) return tl::unexpected(plan.error());
    std::ofstream file(request_.out, std::ios::binary | std::ios::trunc);
    if (!file) return bad_input(fmt::format("{}: cannot be opened for writing", request_.out));
    twins::IndexWriter writer(file, request_.settings);
    if (plan->classes) {
      plan->classes->for_each(plan->range, [&](std::span<const std::uint32_t> representative, std::uint32_t) {
        writer.add(space.rank(representative).value());
      });
    } else if (plan->range.size() > 0) {
      writer.add(plan->range);
    }
    if (auto finished = writer.finish(); !finished)
      return tl::unexpected(Error{request_.out + ": " + finished.error().message});
    const Wide written = plan->range.size();
    if (request_.json) {
      print_json({{"command", "twins"},
                  {"protocol", request_.settings.protocol},
                  {"file", request_.out},
                  {"scenarios", json_count(report_.counts.scenarios.get_str())},
                  {"written", json_count(written)}});
    } else {
      fmt::print("wrote {} scenarios to {}\nrun them: {} twins --in {}\n", grouped(written), request_.out,
                 program_name(), request_.out);
    }
    return kExitHolds;
  }

  const TwinsRequest& request_;
  TwinsReport report_;
  ProgressLine progress_;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace

void add_twins_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("twins", "Twins: every partition and leader schedule with compromised nodes");
  const auto arguments = std::make_shared<TwinsArguments>();
  add_twins_options(command, *arguments);
  command.on_run([arguments, &registry] {
    const auto request = request_of(*arguments, registry);
    return request ? TwinsCommand(*request).run() : refuse(request.error());
  });
}

}  // namespace nika::cli
