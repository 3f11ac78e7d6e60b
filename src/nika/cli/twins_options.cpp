#include "nika/cli/twins_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

#include "nika/base/machine_memory.hpp"
#include "nika/campaign/index_work.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/shard_environment.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/store/finding_files.hpp"

namespace nika::cli {
namespace {

constexpr unsigned kMaxThreads = 256;

struct Limits {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

Result<std::uint64_t> parse_number(std::string_view name, std::string_view text, const Limits& limits) {
  const auto number = parse_wide(text);
  if (!number || *number < limits.least || *number > limits.most) {
    return bad_input(
        fmt::format("read {} \"{}\", expected a number from {} to {}", name, text, limits.least, limits.most));
  }
  return static_cast<std::uint64_t>(*number);
}

// Reads one argument after the other and remembers the first complaint.
class Checker {
 public:
  template <class Value>
  void number(std::string_view name, const std::string& text, const Limits& limits, Value& value) {
    if (const auto parsed = checked(parse_number(name, text, limits))) value = static_cast<Value>(*parsed);
  }
  template <class Value>
  void word(Result<Value> parsed, Value& value) {
    if (auto taken = checked(std::move(parsed))) value = *std::move(taken);
  }
  const std::optional<Error>& error() const { return error_; }
  void complain(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
  }

 private:
  template <class Value>
  std::optional<Value> checked(Result<Value> result) {
    if (result) return *std::move(result);
    if (!error_) error_ = result.error();
    return std::nullopt;
  }
  std::optional<Error> error_;
};

// Agreement can be judged at any time, everything else when the network has healed.
bool needs_healing(const Properties& properties) {
  return std::ranges::any_of(properties, [](const Property* property) { return property != &kAgreement; });
}

// Whoever covers a whole space and asks for one of these by name wants to know how it heals, not how in one way.
bool heals_in_all_ways(const TwinsArguments& a) {
  if (!a.exhaustive || a.rounds == "unbounded" || a.network != "rounds") return false;
  const std::string names = "," + a.asked.property + ",";
  return names.find(",termination,") != std::string::npos || names.find(",responsiveness,") != std::string::npos;
}

void read_healing(Checker& check, const TwinsArguments& a, const Runner& runner, const Properties& properties,
                  twins::Settings& settings) {
  const bool all = heals_in_all_ways(a) && a.heal != "0";
  const auto given_or = [](const std::string& given, std::string_view usual) {
    return given.empty() ? std::string(usual) : given;
  };
  const std::string_view leaders = !needs_healing(properties)              ? "leading"
                                   : all && runner.leaders_in_a_row() == 1 ? "both"
                                                                           : "honest";
  check.word(twins::parse_heal_leaders(given_or(a.heal_leaders, leaders)), settings.heal_leaders);
  check.word(twins::parse_heal_rotations(given_or(a.heal_rotations, all ? "all" : "one")), settings.heal_rotations);
  check.word(twins::parse_heal_orders(given_or(a.heal_orders, all ? "all" : "fifo")), settings.heal_orders);
  // What is judged while the network heals gets as long as the protocol asks for, in turns of honest leaders, and each
  // of them leads.
  const bool alternates =
      settings.heal_leaders == twins::HealLeaders::kAlternating || settings.heal_leaders == twins::HealLeaders::kBoth;
  const unsigned turns = std::max(heal_rounds_after(settings.rounds, runner.heal_rounds()), settings.nodes);
  const unsigned heal = needs_healing(properties) ? turns * (alternates ? std::max(2U, 1 + settings.twins) : 1) : 3;
  const unsigned most = kMaxRound - std::min<unsigned>(settings.rounds, kMaxRound);
  check.number("--heal", given_or(a.heal, std::to_string(std::min(heal, most))), {0, kMaxRound - 1},
               settings.heal_rounds);
}

void read_selections(Checker& check, const TwinsArguments& a, twins::Settings& settings) {
  check.word(twins::parse_leaders(a.leaders.empty() ? "compromised" : a.leaders), settings.leaders);
  check.word(twins::parse_assignment(a.assignment), settings.assignment);
  check.word(twins::parse_order(a.order), settings.order);
  check.word(twins::parse_granularity(a.granularity), settings.granularity);
  settings.one_way = a.one_way;
  check.word(twins::parse_selection(a.step1), settings.step1);
  check.word(twins::parse_selection(a.step2), settings.step2);
  check.word(twins::parse_selection(a.step3), settings.step3);
  check.number("--seed", a.seed, {0, ~std::uint64_t{0}}, settings.seed);
  twins::Disturbances& disturbances = settings.disturbances;
  check.number("--late", a.late, {0, 100}, disturbances.late_rounds);
  check.number("--crashes", a.crash_count, {0, kMaxSeats}, disturbances.crashes);
  disturbances.repeats = a.repeats;
  disturbances.early_timeouts = a.early_timeouts;
  disturbances.receiver_orders = a.receiver_orders;
}

// Of an asynchronous network: nothing is parted, and nothing heals.
void read_network_steps(Checker& check, const TwinsArguments& a, twins::Settings& settings) {
  steps::Drawing drawing;
  check.word(steps::parse_schedule(a.schedule), drawing);
  check.number("--timeouts", a.timeouts, {0, 100'000}, drawing.timers);
  check.number("--steps", a.max_steps, {1, 1'000'000}, drawing.max_steps);
  settings.steps = drawing;
  settings.partitions = 1;
  settings.heal_rounds = 0;
  if (a.leaders.empty()) settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
}

// Of a network with a clock: views, and how long whose messages take. After the scheduled views honest nodes lead.
void read_network_ticks(Checker& check, const TwinsArguments& a, twins::Settings& settings) {
  timed::Clock clock;
  check.number("--delta", a.delta, {1, 16}, clock.delta_ticks);
  const unsigned usual = std::min<unsigned>(kMaxRound, (settings.rounds + 2) * 8 * clock.delta_ticks);
  check.number("--ticks", a.ticks.empty() ? std::to_string(usual) : a.ticks, {1, kMaxRound}, clock.ticks);
  settings.clock = clock;
  settings.partitions = 1;
  settings.heal_rounds = 1;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  if (a.leaders.empty()) settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
}

Result<twins::Settings> settings_of(const TwinsArguments& a, const Runner& runner, const Properties& properties) {
  twins::Settings settings;
  Checker check;
  settings.protocol = a.protocol;
  check.word(bugs_of(a.bugs, runner), settings.bugs);
  settings.clients = runner.clients();
  check.number("--nodes", a.nodes, {1, kMaxSeats}, settings.nodes);
  check.number("--twins", a.twins, {0, kMaxSeats}, settings.twins);
  check.number("--copies", a.copies, {2, kMaxSeats}, settings.copies);
  if (!a.unl.empty()) check.word(parse_unls(a.unl), settings.unls);
  check.number("--partitions", a.partitions, {1, kMaxSeats}, settings.partitions);
  if (a.rounds != "unbounded") check.number("--rounds", a.rounds, {1, kMaxRound}, settings.rounds);
  read_healing(check, a, runner, properties, settings);
  settings.at_most = a.at_most;
  if (!a.faults.empty()) {
    unsigned faults = 0;
    check.number("--faults", a.faults, {0, kMaxSeats}, faults);
    settings.faults = faults;
  } else if (const unsigned own = (settings.nodes - 1) / runner.resilience();
             own != default_fault_count(settings.nodes)) {
    settings.faults = own;
  }
  read_selections(check, a, settings);
  if (a.network == "steps") read_network_steps(check, a, settings);
  if (a.network == "ticks") read_network_ticks(check, a, settings);
  if (check.error()) return tl::unexpected(*check.error());
  if (auto fits = twins::check(settings); !fits) return tl::unexpected(fits.error());
  const auto cluster = twins::cluster_of(settings);
  if (!cluster) return tl::unexpected(cluster.error());
  for (const std::string& text : a.crashes) {
    const auto crash = parse_crash(text, *cluster);
    if (!crash) return tl::unexpected(crash.error());
    settings.crashes.push_back(*crash);
  }
  if (auto fits = twins::check(settings); !fits) return tl::unexpected(fits.error());
  return settings;
}

Result<void> check_phases(const TwinsArguments& a) {
  if (a.granularity != "kind" && a.granularity != "phase") {
    for (const auto& [name, given] :
         std::initializer_list<std::pair<std::string_view, bool>>{{"--one-way", a.one_way},
                                                                  {"--late", a.late != "0"},
                                                                  {"--repeats", a.repeats},
                                                                  {"--early-timeouts", a.early_timeouts},
                                                                  {"--receiver-orders", a.receiver_orders},
                                                                  {"--crashes", a.crash_count != "0"}}) {
      if (given) return bad_input(fmt::format("{} is drawn: it needs --granularity kind --step3 random:X", name));
    }
    return {};
  }
  if (a.exhaustive || a.dry_run) {
    return bad_input("--granularity kind is sampled, neither covered by --exhaustive nor counted by --dry-run");
  }
  if (!a.symmetry.empty()) return bad_input("--granularity kind and --symmetry exclude each other");
  if (!a.out.empty())
    return bad_input("--granularity kind and --out exclude each other: --range tells a part of a seed");
  return {};
}

Result<void> check_network(const TwinsArguments& a) {
  if (a.describes_steps && a.network != "steps")
    return bad_input("--schedule, --timeouts and --steps need --network steps");
  if (a.describes_ticks && a.network != "ticks") return bad_input("--delta and --ticks need --network ticks");
  if (a.network == "rounds") return {};
  if (a.describes_rounds) {
    return bad_input(fmt::format(
        "--network {} has no rounds of the network, no partitions, no healing and no crashes: leave out the options "
        "of network rounds",
        a.network));
  }
  for (const auto& [name, given] :
       std::initializer_list<std::pair<std::string_view, bool>>{{"--symmetry", !a.symmetry.empty()},
                                                                {"--in", !a.in.empty()},
                                                                {"--out", !a.out.empty()},
                                                                {"--dry-run", a.dry_run},
                                                                {"--rounds unbounded", a.rounds == "unbounded"}}) {
    if (given) return bad_input(fmt::format("--network {} and {} exclude each other", a.network, name));
  }
  const bool is_drawn = a.step3.starts_with("random:");
  if (a.network == "ticks" && (a.exhaustive || !is_drawn))
    return bad_input("--network ticks takes --step3 random:X, which draws X schedules of delays");
  if (a.network == "ticks") return {};
  if (a.exhaustive == is_drawn || (!is_drawn && a.step3 != "all")) {
    return bad_input(
        "--network steps takes either --step3 random:X, which draws X orders of delivery, or --exhaustive");
  }
  if (a.exhaustive && (a.schedule != "uniform" || a.max_steps != "10000"))
    return bad_input("--schedule and --steps are of drawn orders, not of --exhaustive");
  return {};
}

Result<void> check_campaign(const TwinsArguments& a) {
  if (a.campaign.file.empty()) {
    if (a.campaign.other_program) return bad_input("--other-program needs --campaign");
    return {};
  }
  for (const auto& [name, given] : std::initializer_list<std::pair<std::string_view, bool>>{
           {"--out", !a.out.empty()}, {"--dry-run", a.dry_run}, {"--exhaustive", a.exhaustive}}) {
    if (given) return bad_input(fmt::format("--campaign and {} exclude each other", name));
  }
  if (a.stop_at_first && !a.shard.empty())
    return bad_input(
        "--campaign, --shard and --stop-at-first exclude each other: what comes first is known of all only");
  return {};
}

Result<void> check_combination(const TwinsArguments& a) {
  const auto excluded = [](std::string_view one, std::string_view other) {
    return bad_input(fmt::format("{} and {} exclude each other", one, other));
  };
  if (a.in.empty() && a.protocol.empty())
    return bad_input(named("expected a protocol, or --in FILE; see NIKA protocols"));
  if (!a.in.empty() && (a.describes_space || a.describes_rounds || a.describes_steps || a.describes_ticks)) {
    return bad_input("--in FILE brings the protocol and all settings of its scenarios: give neither beside it");
  }
  if (!a.in.empty()) {
    for (const auto& [name, given] :
         std::initializer_list<std::pair<std::string_view, bool>>{{"--range", !a.range.empty()},
                                                                  {"--shard", !a.shard.empty()},
                                                                  {"--symmetry", !a.symmetry.empty()},
                                                                  {"--exhaustive", a.exhaustive},
                                                                  {"--out", !a.out.empty()},
                                                                  {"--dry-run", a.dry_run}}) {
      if (given) return excluded("--in", name);
    }
  }
  if (auto sound = check_campaign(a); !sound) return sound;
  if (auto sound = check_network(a); !sound) return sound;
  if (auto sound = check_phases(a); !sound) return sound;
  if (a.rounds == "unbounded" && !a.exhaustive) return bad_input("--rounds unbounded needs --exhaustive");
  const bool honest_turns = a.heal_leaders.empty() ? a.asked.property != "agreement" : a.heal_leaders != "leading";
  if (!a.symmetry.empty() && honest_turns) return excluded("--symmetry", "honest leaders of the healing rounds");
  if (a.exhaustive) {
    for (const auto& [name, given] :
         std::initializer_list<std::pair<std::string_view, bool>>{{"--range", !a.range.empty()},
                                                                  {"--shard", !a.shard.empty()},
                                                                  {"--symmetry", !a.symmetry.empty()},
                                                                  {"--out", !a.out.empty()},
                                                                  {"--stop-at-first", a.stop_at_first},
                                                                  {"--campaign", !a.campaign.file.empty()},
                                                                  {"--seconds", a.campaign.seconds > 0},
                                                                  {"--step3", a.step3 != "all"}}) {
      if (given) return excluded("--exhaustive", name);
    }
  }
  return {};
}

Result<std::optional<twins::Symmetry>> parse_symmetry(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "names") return twins::Symmetry::kNames;
  if (text == "exact") return twins::Symmetry::kExact;
  return bad_input(fmt::format("read --symmetry \"{}\", expected names or exact", text));
}

// The shard that was asked for, or else that of a job array, which is then part of the campaign.
Result<std::string> shard_of_job(TwinsRequest& request) {
  if (!request.shard.empty() || !request.in.empty()) return request.shard;
  auto shard = shard_of_environment();
  if (!shard || shard->empty()) return shard;
  tell(fmt::format("shard {} of a job array\n", *shard));
  request.place.words.push_back("--shard=" + *shard);
  return shard;
}

}  // namespace

Result<std::uint64_t> parse_memory(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, unsigned>, 7> kUnits{
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}, {"M", 20}, {"G", 30}, {"B", 0}}};
  const auto expected = [&] {
    return bad_input(
        fmt::format("read --memory \"{}\", expected a size such as 4GiB or 512MiB, from 1MiB to 1024TiB", text));
  };
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_wide(text.substr(0, end));
  if (!number || *number > (Wide{1} << 60U)) return expected();
  unsigned shift = 0;
  if (end < text.size()) {
    const auto unit = std::ranges::find(kUnits, text.substr(end), &std::pair<std::string_view, unsigned>::first);
    if (unit == kUnits.end()) return expected();
    shift = unit->second;
  }
  const Wide bytes = *number << shift;
  if (bytes < (Wide{1} << 20U) || bytes > (Wide{1} << 50U)) return expected();
  return static_cast<std::uint64_t>(bytes);
}

Result<Crash> parse_crash(std::string_view text, const Cluster& cluster) {
  const auto expected = [&] {
    return bad_input(
        fmt::format("read --crash \"{}\", expected SEAT@DOWN..UP with rounds 1 <= DOWN < UP <= 250, such as "
                    "\"A'@4..6\", and :memory "
                    "behind it to keep the memory",
                    text));
  };
  Crash crash;
  std::string_view rest = text;
  if (rest.ends_with(":memory")) {
    crash.keeps_memory = true;
    rest.remove_suffix(7);
  }
  const std::size_t at = rest.find('@');
  const std::size_t dots = rest.find("..", at == rest.npos ? 0 : at);
  if (at == rest.npos || dots == rest.npos) return expected();
  const auto down = parse_wide(rest.substr(at + 1, dots - at - 1));
  const auto up = parse_wide(rest.substr(dots + 2));
  if (!down || !up || *down < 1 || *down >= *up || *up > kMaxRound) return expected();
  const auto seat = seat_named(cluster, rest.substr(0, at));
  if (!seat) return tl::unexpected(seat.error());
  crash.seat = *seat;
  crash.down_from = Round(static_cast<unsigned>(*down));
  crash.up_from = Round(static_cast<unsigned>(*up));
  return crash;
}

Result<TwinsCommandRequest> request_of(const TwinsArguments& a, const Registry& registry) {
  if (auto sound = check_combination(a); !sound) return tl::unexpected(sound.error());
  TwinsCommandRequest command;
  TwinsRequest& request = command.campaign;
  Checker check;
  check.word(properties_of(a.asked, registry.properties()), request.properties);
  if (!a.in.empty()) check.word(settings_of_index_file(a.in), request.settings);
  if (check.error()) return tl::unexpected(*check.error());
  const auto runner = registry.find(a.in.empty() ? a.protocol : request.settings.protocol);
  if (!runner) return tl::unexpected(runner.error());
  request.runner = *runner;
  if (a.in.empty()) check.word(settings_of(a, **runner, request.properties), request.settings);
  check.word(parse_symmetry(a.symmetry), request.symmetry);
  request.memory_bytes = default_memory_bytes();
  if (!a.memory.empty()) check.word(parse_memory(a.memory), request.memory_bytes);
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  check.number("--threads", a.threads.empty() ? std::to_string(cores) : a.threads, {1, kMaxThreads}, request.threads);
  check.number("--max-findings", a.max_findings, {0, 1000}, request.max_findings);
  if (check.error()) return tl::unexpected(*check.error());
  if (!a.in.empty() && request.settings.granularity != twins::Granularity::kRound) {
    return bad_input(a.in + ": a file of indices is of rounds, not of kinds of messages");
  }
  if (auto sound = store::check_findings_directory(a.findings); !a.dry_run && !sound)
    return tl::unexpected(sound.error());
  request.range = a.range;
  request.shard = a.shard;
  request.place = place_of(a.campaign, a.words);
  request.seconds = a.campaign.seconds;
  if (!a.campaign.file.empty()) check.word(shard_of_job(request), request.shard);
  if (check.error()) return tl::unexpected(*check.error());
  request.exhaustive = a.exhaustive;
  request.unbounded = a.rounds == "unbounded";
  request.in = a.in;
  request.findings = a.findings;
  request.shrinks = !a.no_shrink;
  request.stops_at_first = a.stop_at_first;
  command.out = a.out;
  command.html = a.html;
  command.dry_run = a.dry_run;
  command.json = a.json;
  command.quiet = a.quiet;
  return command;
}

}  // namespace nika::cli
