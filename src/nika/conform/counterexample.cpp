#include "nika/conform/counterexample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/automata/system.hpp"
#include "nika/campaign/watch.hpp"

namespace nika::conform {
namespace {

using automata::Automaton;
using automata::Formula;

const Property* property_named(const Registry& registry, std::string_view name) {
  for (const Property* property : registry.properties()) {
    if (property->name == name) return property;
  }
  return nullptr;
}

// Judges the run, and follows it: it is a run of the automaton, whatever the search thought.
Result<void> judge(const Request& request, const Registry& registry, Shown& shown) {
  const Property* property = property_named(registry, shown.aim.property);
  if (property == nullptr) return bad_input(fmt::format("there is no property {}", shown.aim.property));
  const Scenario& scenario = shown.replayed->scenario;
  const auto run = run_traced(*request.runner, scenario, only(*property));
  if (!run) return tl::unexpected(run.error());
  std::vector<std::uint64_t> taken;
  const auto again = follow(request, scenario, taken);
  if (!again) return tl::unexpected(again.error());
  if (again->misfit) {
    shown.reason = fmt::format("the run is none of the automaton: {}", again->misfit->what);
    return {};
  }
  const Judgement* violation = run->outcome.violation();
  if (violation == nullptr) {
    const Judgement& judgement = run->outcome.judgements[0];
    shown.reason = judgement.verdict == Verdict::kUnknown
                       ? fmt::format("the run takes the same rules, and {} is not judged: {}", shown.aim.property,
                                     text_of(judgement.unjudged))
                       : fmt::format("the run takes the same rules, and {} holds of it", shown.aim.property);
    return {};
  }
  shown.conclusion = Conclusion::kViolated;
  shown.finding = finding_of(*request.runner, scenario, *run, *violation);
  return {};
}

Result<void> replay(const Request& request, const Registry& registry, Shown& shown) {
  const auto aim = request.pair->aim_of(shown.property);
  if (!aim) {
    shown.reason = fmt::format("the simulator has no property for {}", shown.property);
    return {};
  }
  shown.aim = *aim;
  const Watch watch;
  ReplayRequest asked;
  asked.automaton = request.automaton;
  asked.counterexample = &*shown.decided.counterexample;
  asked.aim = *aim;
  asked.bugs = request.bugs;
  auto replayed = request.pair->replay(asked);
  shown.seconds += watch.seconds();
  if (!replayed) {
    shown.reason = replayed.error().message;
    return {};
  }
  shown.replayed = *std::move(replayed);
  return judge(request, registry, shown);
}

automata::FormulaPtr joined(Formula::Kind kind, std::vector<automata::FormulaPtr> children) {
  auto result = std::make_shared<Formula>();
  result->kind = kind;
  for (const automata::FormulaPtr& child : children) {
    result->parts += child->parts;
    result->height = std::max(result->height, child->height + 1);
  }
  result->children = std::move(children);
  return result;
}

// A weaker property, refuted by the same runs but for those that come to where this one ends: in just those locations
// somebody is.
automata::FormulaPtr but_for(const automata::FormulaPtr& property, const Automaton& automaton,
                             const automata::Counterexample& counterexample) {
  automata::Configuration last = counterexample.initial;
  for (const automata::Step& step : counterexample.steps) fire(automaton.rules[step.rule], last, step.count);
  std::vector<automata::FormulaPtr> there;
  for (std::uint32_t v = automaton.location_begin(); v < automaton.variable_count(); ++v) {
    auto occupied = std::make_shared<Formula>();
    occupied->kind = Formula::Kind::comparison;
    occupied->comparison = last[v] > 0 ? automata::Comparison::greater : automata::Comparison::equal;
    occupied->left = smt::Linear(smt::IntVariable{v});
    there.push_back(std::move(occupied));
  }
  const auto comes_there = joined(Formula::Kind::eventually, {joined(Formula::Kind::conjunction, std::move(there))});
  return joined(Formula::Kind::disjunction, {property, comes_there});
}

// A model knows neither who listened to whom nor what a run is good for: its smallest counterexample may be no run of
// replicas, or one in which everybody has decided before it stops. Then the next one is asked for.
Result<Shown> show_one(const Request& request, const Registry& registry, const automata::System& system,
                       const automata::Specification& specification, const std::atomic<bool>* stop) {
  constexpr unsigned kMostCounterexamples = 24;
  automata::VerifyOptions options;
  options.budget.cancelled = stop;
  automata::FormulaPtr property = specification.formula;
  std::optional<Shown> first;
  std::vector<std::string> passed_over;
  double seconds = 0;
  for (unsigned i = 0; i < kMostCounterexamples; ++i) {
    Shown shown{.property = specification.name};
    shown.conclusion = Conclusion::kUnknown;
    shown.seconds = seconds;
    shown.decided = automata::verify_property(system, *property, options);
    shown.reason = shown.decided.reason;
    if (!shown.decided.counterexample) {
      if (!first) first = std::move(shown);
      break;
    }
    if (auto done = replay(request, registry, shown); !done) return tl::unexpected(done.error());
    seconds = shown.seconds;
    const bool is_done = shown.conclusion == Conclusion::kViolated || !shown.aim.is_at_rest;
    property = but_for(property, *request.automaton, *shown.decided.counterexample);
    const std::string reason = shown.reason;
    if (is_done || !first) first = std::move(shown);
    if (is_done) break;
    passed_over.push_back(reason);
  }
  first->passed_over = std::move(passed_over);
  return *std::move(first);
}

}  // namespace

Result<std::vector<Shown>> show_counterexamples(const Request& request, const Registry& registry,
                                                std::string_view property, const std::atomic<bool>* stop) {
  const Automaton& automaton = *request.automaton;
  if (const std::string missing = request.pair->missing_in(automaton); !missing.empty())
    return bad_input(fmt::format("has no {}, which the map of {} names", missing, request.pair->protocol()));
  const automata::System system = automata::prepare(automaton, {.cancelled = stop});
  std::vector<Shown> result;
  bool is_there = property == "all";
  for (const automata::Specification& specification : automaton.specifications) {
    if (property != "all" && specification.name != property) continue;
    is_there = true;
    auto shown = show_one(request, registry, system, specification, stop);
    if (!shown) return tl::unexpected(shown.error());
    if (shown->decided.verdict != automata::Verdict::holds) result.push_back(*std::move(shown));
  }
  if (!is_there) {
    std::string known;
    for (const automata::Specification& other : automaton.specifications)
      known += (known.empty() ? "" : ", ") + other.name;
    return bad_input(fmt::format("no property '{}', expected one of: {}, all", property, known));
  }
  if (result.empty())
    return bad_input(property == "all" ? "all properties hold: there is no counterexample to replay"
                                       : fmt::format("{} holds: there is no counterexample to replay", property));
  return result;
}

}  // namespace nika::conform
