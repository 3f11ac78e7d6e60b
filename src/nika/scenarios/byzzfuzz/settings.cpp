#include "nika/scenarios/byzzfuzz/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace nika::byzzfuzz {

std::string_view name_of(Scope scope) {
  static constexpr std::array<std::string_view, 3> kNames{"small", "any", "baseline"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::string_view name_of(Mutations mutations) { return mutations == Mutations::kAll ? "all" : "paper"; }
std::string_view name_of(Sampling sampling) { return sampling == Sampling::kUniform ? "uniform" : "artifact"; }

std::string_view name_of(Guide guide) {
  static constexpr std::array<std::string_view, 3> kNames{"none", "coverage", "rounds"};
  return kNames[static_cast<std::size_t>(guide)];
}

Result<void> check(const Settings& settings) {
  const auto refuse = [](std::string_view what, unsigned read, unsigned least, unsigned most) {
    return bad_input(fmt::format("read {} {}, expected a number from {} to {}", what, read, least, most));
  };
  if (settings.leaves.empty()) {
    return bad_input(
        fmt::format("{} cannot be fuzzed: nobody has said which fields of its messages others sign (docs/fuzz.md)",
                    settings.protocol));
  }
  const auto is_in_paper = [](const LeafName& leaf) { return !leaf.paper_small.empty() || !leaf.paper_any.empty(); };
  const auto has_any = [&](const KindLeaves& kind) { return std::ranges::any_of(kind, is_in_paper); };
  if (settings.mutations == Mutations::kPaper && std::ranges::none_of(settings.leaves, has_any)) {
    return bad_input(fmt::format("--mutations paper: the paper on ByzzFuzz did not test {}", settings.protocol));
  }
  if (settings.lies > kMaxLies) return refuse("-c", settings.lies, 0, kMaxLies);
  if (settings.outages > kMaxOutages) return refuse("-d", settings.outages, 0, kMaxOutages);
  if (settings.first_round < 1 || settings.first_round > kMaxFaultRound)
    return refuse("--first-round", settings.first_round, 1, kMaxFaultRound);
  if (settings.last_round < settings.first_round || settings.last_round > kMaxFaultRound)
    return refuse("-r", settings.fault_rounds(), 1, kMaxFaultRound - settings.first_round + 1);
  const unsigned others = settings.clients + (settings.has_twins ? std::min(settings.faults, kMaxSeats / 2) : 0U);
  if (settings.nodes < 1 || settings.nodes + others > kMaxSeats)
    return refuse("--nodes", settings.nodes, 1, kMaxSeats - others);
  if (settings.faults > settings.nodes) return refuse("--faults", settings.faults, 0, settings.nodes);
  if (!settings.liars.empty() && static_cast<unsigned>(settings.liars.size()) != settings.faults)
    return bad_input(
        fmt::format("read {} liars, expected as many as --faults, {}", settings.liars.size(), settings.faults));
  for (Identity stranger : settings.liars - IdentitySet::first(settings.nodes))
    return bad_input(fmt::format("{} cannot lie: it is none of the {} nodes", name_of(stranger), settings.nodes));
  auto cluster = cast_of(cast_for(settings));
  if (!cluster) return tl::unexpected(cluster.error());
  return set_unls(*cluster, settings.unls);
}

Scenario cast_for(const Settings& settings) {
  Scenario scenario;
  scenario.protocol = settings.protocol;
  scenario.bugs = settings.bugs;
  scenario.node_count = static_cast<std::uint8_t>(settings.nodes);
  scenario.fault_count = static_cast<std::uint8_t>(settings.faults);
  scenario.client_count = static_cast<std::uint8_t>(settings.clients);
  scenario.unls = settings.unls;
  scenario.liars = settings.who_lies();
  if (settings.has_twins) {
    for (Identity liar : scenario.liars) {
      scenario.copies.resize(index_of(liar) + 1U, 1);
      scenario.copies.back() = 2;
    }
  }
  return scenario;
}

std::string to_json(const Settings& settings) {
  nlohmann::ordered_json json;
  json["generator"] = "byzzfuzz";
  json["protocol"] = settings.protocol;
  json["bugs"] = settings.bugs;
  json["nodes"] = settings.nodes;
  json["faults"] = settings.faults;
  if (!settings.liars.empty()) {
    json["liars"] = nlohmann::ordered_json::array();
    for (Identity liar : settings.liars) json["liars"].push_back(name_of(liar));
  }
  if (!settings.unls.empty()) json["unls"] = unls_text(settings.unls);
  json["c"] = settings.lies;
  json["d"] = settings.outages;
  json["r"] = settings.fault_rounds();
  if (settings.first_round > 1) json["first_round"] = settings.first_round;
  json["scope"] = name_of(settings.scope);
  json["mutations"] = name_of(settings.mutations);
  json["sampling"] = name_of(settings.sampling);
  json["network"] = settings.withholds ? "withhold" : "drop";
  json["lies_go_on"] = settings.lies_go_on;
  if (settings.liars_lead) json["liars_lead"] = true;
  json["twins"] = settings.has_twins;
  if (settings.guide != Guide::kNone) json["guide"] = name_of(settings.guide);
  json["runs"] = settings.runs;
  json["seed"] = settings.seed;
  return json.dump();
}

}  // namespace nika::byzzfuzz
