#include "nika/cli/twins_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nika/base/printable.hpp"
#include "nika/cli/steps_report.hpp"
#include "nika/cli/told_finding.hpp"
#include "nika/report/finding_text.hpp"

namespace nika::cli {
namespace {

std::string text_of(const mpz_class& count) { return count.get_str(); }

double rate_of(const TwinsOutcome& outcome) {
  const auto scenarios = static_cast<double>(outcome.tally.scenarios);
  return outcome.seconds > 0 ? std::round(scenarios / outcome.seconds) : 0;
}

std::string plural(std::string_view count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == "1" ? "" : "s");
}

void print_step(const char* step, const std::string& what, const mpz_class& count) {
  fmt::print("  {}  {:<62} {}\n", step, what, grouped(text_of(count)));
}

std::string selected(const twins::Selection& selection) {
  return selection.kind == twins::Selection::Kind::kAll ? "" : ", " + to_text(selection);
}

// The free choices of the space, in words: what "covered" covers.
std::string choices_text(const twins::Settings& s) {
  if (s.steps) return step_choices_text(s);
  if (s.clock) return "leaders of views, how long messages of each kind take in each view, whose timers go first";
  const bool is_phase = s.granularity == twins::Granularity::kPhase;
  std::string text = is_phase ? "leaders, a partition for each kind of message" : "leaders, partitions";
  const auto add = [&](bool given, std::string_view what) {
    if (given) text += fmt::format(", {}", what);
  };
  add(s.one_way, "deaf seats");
  add(s.order == twins::OrderChoice::kAll || s.order == twins::OrderChoice::kSampled, "orders of arrival");
  add(s.disturbances.receiver_orders, "orders of each receiver");
  add(s.disturbances.late_rounds > 0,
      "messages up to " + plural(std::to_string(s.disturbances.late_rounds), "round") + " late");
  add(s.disturbances.repeats, "repeated messages");
  add(s.disturbances.early_timeouts, "early timeouts");
  add(s.disturbances.crashes > 0,
      fmt::format("up to {} crash{}", s.disturbances.crashes, s.disturbances.crashes == 1 ? "" : "es"));
  add(is_phase && s.heal_leaders != twins::HealLeaders::kLeading, "what liars do while the network heals");
  if (is_phase) return text;
  add(s.heal_rotations == twins::HealRotations::kAll, "rotations of the healing leaders");
  add(s.heal_leaders == twins::HealLeaders::kBoth, "compromised ones between them or not");
  add(s.heal_orders == twins::HealOrders::kBoth || s.heal_orders == twins::HealOrders::kAll,
      "orders of arrival while the network heals");
  return text;
}

// The ways to heal that each scenario of rounds is combined with.
std::string healing_text(const twins::Settings& s) {
  return fmt::format("leaders {}, rotations {}, orders of arrival {}", name_of(s.heal_leaders),
                     name_of(s.heal_rotations), name_of(s.heal_orders));
}

Json json_of_healing(const twins::Settings& s, const twins::Counts& counts) {
  return Json{{"leaders", name_of(s.heal_leaders)},
              {"rotations", name_of(s.heal_rotations)},
              {"orders", name_of(s.heal_orders)},
              {"rounds", s.heal_rounds},
              {"ways", json_count(text_of(counts.healings))}};
}

void print_drawn(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const twins::Settings& s = request.campaign.settings;
  print_step("leader", fmt::format("of a round ({})", to_text(s.leaders)), outcome.counts.step2 / outcome.counts.step1);
  fmt::print("  drawn   {} schedules from seed {}: {} rounds, then {} of healing\n", grouped(outcome.scenarios), s.seed,
             s.rounds, s.heal_rounds);
}

void print_clock_heading(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const twins::Settings& s = request.campaign.settings;
  fmt::print("  views 1 to {} are led by: {}; then by honest nodes in turn\n", s.rounds, to_text(s.leaders));
  fmt::print("  drawn   {} schedules of delays from seed {}: delta is {} ticks, a run lasts {}\n",
             grouped(outcome.scenarios), s.seed, s.clock->delta_ticks, s.clock->ticks);
  fmt::print("  free    {}\n", choices_text(s));
}

void print_heading(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const twins::Settings& s = request.campaign.settings;
  const Paint paint;
  Scenario cast;
  cast.protocol = s.protocol;
  cast.bugs = s.bugs;
  cast.node_count = static_cast<std::uint8_t>(s.nodes);
  cast.fault_count = static_cast<std::uint8_t>(s.faults.value_or(default_fault_count(s.nodes)));
  cast.copies = twins::copies_of(s);
  cast.unls = s.unls;
  fmt::print("{}\n", paint.bold("Twins: " + report::cast_text(cast)));
  if (s.steps) return print_steps_heading(request, outcome);
  if (s.clock) return print_clock_heading(request, outcome);
  const unsigned seats = s.nodes + s.twins * (s.copies - 1);
  print_step("step 1",
             fmt::format("partitions of {} seats into {}{} blocks{}", seats, s.at_most ? "at most " : "", s.partitions,
                         selected(s.step1)),
             outcome.counts.step1);
  if (s.granularity == twins::Granularity::kPhase) {
    print_drawn(request, outcome);
  } else {
    print_step("step 2", fmt::format("with leaders ({}){}", to_text(s.leaders), selected(s.step2)),
               outcome.counts.step2);
    if (outcome.counts.orders != 1) print_step("orders", "of delivery within a round", outcome.counts.orders);
    if (outcome.counts.healings != 1) print_step("heal  ", healing_text(s), outcome.counts.healings);
    if (request.campaign.unbounded) {
      fmt::print("  step 3  any number of rounds\n");
    } else {
      print_step("step 3",
                 fmt::format("assigned to {} rounds ({}{}), then {} of healing", s.rounds, name_of(s.assignment),
                             selected(s.step3), s.heal_rounds),
                 outcome.counts.scenarios);
    }
  }
  if (!outcome.classes.empty()) {
    fmt::print("  classes {:<62} {}\n", "of scenarios that differ by names only", grouped(outcome.classes));
  }
  fmt::print("  free    {}\n", choices_text(s));
}

void print_what_ran(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  if (outcome.steps) return print_step_search(outcome);
  const bool unbounded = request.campaign.unbounded;
  const std::string rate =
      fmt::format("{:.2f} s, {} scenarios a second", outcome.seconds, grouped(fmt::format("{:.0f}", rate_of(outcome))));
  const std::string threads = plural(std::to_string(request.campaign.threads), "thread");
  if (outcome.search) {
    const SearchResult& search = *outcome.search;
    const std::string what =
        unbounded ? "searched" : fmt::format("covered {} scenarios by", grouped(outcome.tally.scenarios));
    const std::string healing =
        search.healing_rounds == 0 ? "" : fmt::format(" and {} of healing", grouped(search.healing_rounds));
    fmt::print("{} {} distinct worlds and {} runs of a round{}, on {}: {}\n", what, grouped(search.worlds),
               grouped(search.executions), healing, threads,
               unbounded ? fmt::format("{:.2f} s", outcome.seconds) : rate);
    if (unbounded) {
      fmt::print("{} after {} rounds\n", search.closed ? "no new world appears" : "new worlds still appear",
                 search.rounds);
    }
    if (search.memory_was_full)
      fmt::print("memory was full: from then on worlds were run again instead of remembered\n");
  } else if (!outcome.classes.empty()) {
    fmt::print("ran {} classes that stand for {} scenarios, one by one, on {}: {}\n", grouped(outcome.tally.executed),
               grouped(outcome.tally.scenarios), threads, rate);
  } else {
    fmt::print("ran {} scenarios, one by one, on {}: {}\n", grouped(outcome.tally.executed), threads, rate);
  }
  if (!unbounded)
    fmt::print("in {} of {} scenarios honest nodes committed something\n", grouped(outcome.tally.committed),
               grouped(outcome.tally.scenarios));
}

void print_conclusion(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const Paint paint;
  const std::string names = names_of(request.campaign.properties);
  // Of all that there are, before any selection; what is drawn has no such number.
  const twins::Settings& settings = request.campaign.settings;
  const bool is_drawn = settings.steps || settings.clock || settings.granularity == twins::Granularity::kPhase;
  const std::string of = outcome.steps ? fmt::format(" of {}", grouped(outcome.tally.scenarios))
                         : is_drawn    ? " drawn"
                                       : fmt::format(" of {}", grouped(text_of(outcome.counts.all)));
  const std::string_view what = outcome.steps ? "endings" : "scenarios";
  const auto say = [&](std::string_view word) { return paint.conclusion(outcome.conclusion, word); };
  switch (outcome.conclusion) {
    case Conclusion::kHolds:
      fmt::print("{}: {}{}\n", say("HOLDS"), names,
                 outcome.steps                ? ", under every order of delivery"
                 : request.campaign.unbounded ? ", for any number of rounds"
                                              : ", in every scenario of the space");
      break;
    case Conclusion::kNoneFound:
      fmt::print("{}: no violation of {} in {}{} {}{}\n", say("NONE FOUND"), names, grouped(outcome.judged()), of, what,
                 settings.steps && !outcome.steps ? "; how many orders of delivery there are is not known" : "");
      break;
    case Conclusion::kViolated: {
      if (request.campaign.unbounded) {
        const auto rounds = [](const BrokenPrefix& broken) { return broken.configurations.size(); };
        fmt::print("{}: {}, after {} at the earliest\n", say("VIOLATED"), names,
                   plural(std::to_string(rounds(std::ranges::min(outcome.search->broken, {}, rounds))), "round"));
        break;
      }
      const std::string classes =
          outcome.classes.empty() ? "" : fmt::format(" ({} classes)", grouped(outcome.tally.violating_runs));
      fmt::print("{}: {}{} of {} {}{} break {}\n", say("VIOLATED"), outcome.weights_are_exact ? "" : "about ",
                 grouped(outcome.tally.violating), grouped(outcome.tally.scenarios), what, classes,
                 names_of(broken_ones(request.campaign.properties, outcome.tally)));
      break;
    }
    case Conclusion::kUnknown: fmt::print("{}: no violation of {} was found, but\n", say("UNKNOWN"), names); break;
  }
  if (!outcome.reason.empty()) fmt::print("  {}\n", outcome.reason);
  if (!request.campaign.unbounded) print_properties(request.campaign.properties, outcome.tally);
}

void add_search(Json& json, const TwinsCommandRequest& request, const SearchResult& search) {
  json["distinct_worlds"] = search.worlds;
  json["executions"] = search.executions;
  json["healing_rounds_run"] = search.healing_rounds;
  json["rounds_explored"] = search.rounds;
  json["memory_was_full"] = search.memory_was_full;
  json["unbounded"] = request.campaign.unbounded;
  json["closed"] = search.closed;
  json["worlds_by_round"] = search.worlds_by_round;
}

}  // namespace

Json json_of(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const bool searched = outcome.search || outcome.steps;
  Json json;
  json["command"] = "twins";
  json["protocol"] = request.campaign.settings.protocol;
  json["bugs"] = request.campaign.settings.bugs;
  const twins::Settings& settings = request.campaign.settings;
  json["network"] = settings.steps ? "steps" : settings.clock ? "ticks" : "rounds";
  json["property"] = names_of(request.campaign.properties);
  json["verdict"] = name_of(outcome.conclusion);
  json["scenarios"] = outcome.scenarios.empty() ? Json(nullptr) : json_count(outcome.scenarios);
  json["executed"] = json_count(searched ? Wide{0} : outcome.tally.executed);
  // An unbounded search counts no scenarios: there is no end to them.
  const auto told = [&](const Wide& count) { return request.campaign.unbounded ? Json(nullptr) : json_count(count); };
  const bool is_counted = !settings.steps && !settings.clock && !request.campaign.unbounded &&
                          settings.granularity == twins::Granularity::kRound;
  json["space"] = is_counted ? json_count(text_of(outcome.counts.all)) : Json(nullptr);
  json["covered"] = told(outcome.judged());
  json["violating"] = told(outcome.tally.violating);
  json["unknown"] = told(outcome.tally.unknown);
  json["committed"] = told(outcome.tally.committed);
  json["properties"] =
      request.campaign.unbounded ? Json::array() : json_of_properties(request.campaign.properties, outcome.tally);
  json["choices"] = choices_text(request.campaign.settings);
  json["healing"] = is_counted ? json_of_healing(request.campaign.settings, outcome.counts) : Json(nullptr);
  if (!outcome.classes.empty()) {
    json["classes"] = json_count(outcome.classes);
    json["violating_classes"] = json_count(outcome.tally.violating_runs);
    json["symmetry"] = request.campaign.symmetry == twins::Symmetry::kExact ? "exact" : "names";
    json["weights_are_exact"] = outcome.weights_are_exact;
  }
  json["distinct_worlds"] = nullptr;
  if (outcome.search) add_search(json, request, *outcome.search);
  if (outcome.steps) add_step_search(json, *outcome.steps);
  json["reason"] = outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason);
  json["seconds"] = std::round(outcome.seconds * 1e6) / 1e6;
  json["scenarios_per_second"] = request.campaign.unbounded ? Json(nullptr) : Json(rate_of(outcome));
  json["findings"] = Json::array();
  for (const ToldFinding& finding : outcome.findings) json["findings"].push_back(json_of(finding));
  return json;
}

void print_report(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  print_heading(request, outcome);
  print_what_ran(request, outcome);
  print_conclusion(request, outcome);
  for (std::size_t i = 0; i < outcome.findings.size(); ++i)
    print_finding(i + 1, outcome.findings[i], *request.campaign.runner);
}

Json json_of_counts(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  const twins::Counts& counts = outcome.counts;
  Json json;
  json["command"] = "twins";
  json["protocol"] = request.campaign.settings.protocol;
  json["bugs"] = request.campaign.settings.bugs;
  json["dry_run"] = true;
  json["scenarios"] = json_count(outcome.scenarios);
  json["step1"] = json_count(text_of(counts.step1));
  json["step2"] = json_count(text_of(counts.step2));
  json["orders"] = json_count(text_of(counts.orders));
  json["healings"] = json_count(text_of(counts.healings));
  json["step3"] = json_count(text_of(counts.scenarios));
  json["step3_by_assignment"] = Json{{"replacement", json_count(text_of(counts.replacement))},
                                     {"no-replacement", json_count(text_of(counts.no_replacement))},
                                     {"static", json_count(text_of(counts.statics))}};
  if (!outcome.classes.empty()) json["classes"] = json_count(outcome.classes);
  return json;
}

void print_counts(const TwinsCommandRequest& request, const TwinsOutcome& outcome) {
  print_heading(request, outcome);
  if (outcome.scenarios != outcome.counts.scenarios.get_str()) {
    fmt::print("  of which {} are asked for\n", grouped(outcome.scenarios));
  }
}

}  // namespace nika::cli
