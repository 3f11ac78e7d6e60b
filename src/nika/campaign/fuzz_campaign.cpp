#include "nika/campaign/fuzz_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/printable.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"

namespace nika {
namespace {

constexpr unsigned kShortHealing = 3;  // turns, where nothing is asked of what comes after the faults

}  // namespace

// A sample never shows that something holds.
void conclude(FuzzOutcome& outcome, Wide asked, bool is_whole) {
  const Tally& tally = outcome.tally;
  outcome.conclusion = Conclusion::kViolated;
  if (tally.violating > 0) return;
  outcome.conclusion = Conclusion::kUnknown;
  Wide overflows = 0;
  for (const PropertyTally& property : tally.properties)
    overflows = std::max(overflows, property.unknown_because[static_cast<std::size_t>(Unjudged::kOverflow)]);
  if (tally.scenarios < asked) {
    outcome.reason = fmt::format("it was interrupted after {} of {}", grouped(tally.scenarios), grouped(asked));
  } else if (tally.scenarios == 0) {
    outcome.reason = "no run was asked for";
  } else if (overflows > 0) {
    outcome.reason = fmt::format("in {} runs {}", to_string(overflows), text_of(Unjudged::kOverflow));
  } else if (outcome.judged() == 0) {
    outcome.reason =
        tally.properties.size() > 1 ? "no run could be judged by all properties" : "no run could be judged";
  } else if (tally.committed == 0) {
    outcome.reason = "nothing was committed in any run, so that nothing is shown";
  } else {
    outcome.conclusion = is_whole && tally.unknown == 0 ? Conclusion::kHolds : Conclusion::kNoneFound;
  }
}

void set_protocol(byzzfuzz::Settings& settings, const Runner& runner, const Properties& properties) {
  settings.protocol = runner.name();
  settings.clients = runner.clients();
  settings.protocol_rounds = runner.protocol_rounds();
  settings.leaders_in_a_row = runner.leaders_in_a_row();
  settings.leaves = {runner.leaves().begin(), runner.leaves().end()};
  const bool is_agreement = std::ranges::all_of(properties, [](const Property* p) { return p == &kAgreement; });
  settings.heal_turns =
      is_agreement ? kShortHealing : heal_rounds_after(settings.scheduled_rounds(), runner.heal_rounds());
}

Result<std::unique_ptr<StoredCampaign>> open_campaign(const FuzzRequest& request) {
  const byzzfuzz::Settings& settings = request.settings;
  CampaignDesign design;
  design.command =
      settings.guide == byzzfuzz::Guide::kNone ? "fuzz" : "fuzz --guide " + std::string(name_of(settings.guide));
  design.settings =
      fmt::format(R"({{"faults":{},"stop_at_first":{},"max_findings":{},"shrink":{}}})", byzzfuzz::to_json(settings),
                  request.stops_at_first, request.max_findings, request.shrinks);
  design.properties = request.properties;
  design.part = {0, settings.runs};
  design.whole = settings.runs;
  design.ledger = {request.properties.size(), std::max(request.max_findings, 1U), request.stops_at_first};
  return StoredCampaign::open(request.place, *request.runner, design);
}

Result<void> add_findings(FuzzOutcome& outcome, const FuzzRequest& request, const FuzzWatch& watch,
                          const FuzzSightings& seen, Findings& findings, StoredCampaign& campaign) {
  const Wide asked = request.settings.runs;
  outcome.first = first_of(seen.sightings);
  if (request.max_findings > 0 && !seen.sightings.empty()) {
    if (watch.progress)
      watch.progress({outcome.tally.executed, asked, outcome.tally.violating_runs, outcome.tally, true});
    for (const Sighting& s : seen.sightings) {
      const auto scenario = campaign.scenario_of(s, seen.scenario_of);
      if (!scenario) return tl::unexpected(scenario.error());
      if (auto added = findings.add(*request.properties[s.property], *scenario, s); !added) return added;
    }
  }
  conclude(outcome, asked, false);
  outcome.findings = findings.all();
  outcome.storing_error = findings.storing_error();
  const bool is_done = !seen.was_stopped && !findings.is_any_cut_short();
  outcome.can_go_on = campaign.is_stored() && !is_done;
  if (!is_done) return {};
  return campaign.conclude(name_of(outcome.conclusion), outcome.reason);
}

Result<FuzzOutcome> run_fuzz(const FuzzRequest& request, const FuzzWatch& watch) {
  const byzzfuzz::FuzzGenerator generator(request.settings);
  const Wide asked = request.settings.runs;
  auto campaign = open_campaign(request);
  if (!campaign) return tl::unexpected(campaign.error());
  StoredCampaign& stored = **campaign;
  const auto told = [&](const Sighting& s) { return generator.scenario(s.index); };
  Findings findings(*request.runner,
                    {request.findings, byzzfuzz::to_json(request.settings), request.shrinks, watch.stop, &stored});
  SweepOptions options;
  options.threads = request.threads;
  options.sightings_of_each_kind = std::max(request.max_findings, 1U);
  options.stops_at_first = request.stops_at_first;
  options.stop = watch.stop;
  options.seconds = request.seconds;
  options.ledger = &stored.ledger();
  if (stored.is_stored()) options.keep = [&](const Ledger& ledger) { return stored.keep(ledger, told); };
  if (watch.progress) {
    options.progress = [&](const SweepProgress& p) {
      watch.progress({p.executed, asked, p.violating, p.tally, false});
    };
  }
  if (request.max_findings > 0) {
    options.sighted = [&](const Sighting& s) {
      findings.store_provisionally(*request.properties[s.property], told(s), s.index);
    };
  }
  FuzzOutcome outcome;
  RangeWork work({0, asked});
  const Setup setup{generator.cluster(), request.settings.bugs, request.properties};
  const Watch clock;
  auto result = sweep(*request.runner, setup, generator, work, options);
  if (!result) return tl::unexpected(result.error());
  outcome.seconds = clock.seconds();
  outcome.tally = std::move(result->tally);
  const FuzzSightings seen{std::move(result->sightings), told, result->was_stopped};
  if (auto added = add_findings(outcome, request, watch, seen, findings, stored); !added)
    return tl::unexpected(added.error());
  return outcome;
}

}  // namespace nika
