// Makes a pair of a map. What a map says beyond where replicas are lets it replay counterexamples; one that does not
// say it can still be followed.
#pragma once

#include "nika/conform/parameters.hpp"
#include "nika/conform/replayer.hpp"

namespace nika::conform {

template <MapOfReplicas Map>
class PairFor final : public Pair {
  using P = typename Map::Protocol;

 public:
  std::string_view protocol() const override { return P::kName; }
  std::string_view model() const override { return Map::kModel; }
  std::vector<std::string> bugs() const override {
    if constexpr (requires { Map::kBugs; }) return {Map::kBugs.begin(), Map::kBugs.end()};
    return {};
  }
  bool varies_inputs() const override {
    if constexpr (requires { Map::kVariesInputs; }) return Map::kVariesInputs;
    return false;
  }
  std::string missing_in(const automata::Automaton& automaton) const override {
    Names names(automaton);
    const Map map(names);
    (void)values_of(names, {});
    return names.missing();
  }
  Result<std::unique_ptr<Session>> open(const automata::Automaton& automaton, const Cluster& cluster,
                                        NetworkModel network) const override {
    Names names(automaton);
    const Map map(names);
    const auto faulty = cluster.compromised.size();
    const auto what = followed_in(automaton, names, {cluster.node_count, cluster.fault_count, faulty});
    if (!what) return tl::unexpected(what.error());
    if (auto sound = check_start(*what, map.start(), cluster.node_count - static_cast<unsigned>(faulty)); !sound)
      return tl::unexpected(sound.error());
    if (network == NetworkModel::kSteps) return std::make_unique<SessionFor<Map, StepNetwork<P>>>(map, *what, cluster);
    return std::make_unique<SessionFor<Map, RoundNetwork<P>>>(map, *what, cluster);
  }

  std::optional<Aim> aim_of(std::string_view property) const override {
    if constexpr (requires { Map::aim_of(property); }) return Map::aim_of(property);
    return std::nullopt;
  }
  Result<Replayed> replay(const ReplayRequest& request) const override {
    if constexpr (ReplayableMap<Map>) {
      return replay_by_map(request);
    } else {
      return bad_input(fmt::format("the map of {} does not say how to replay a counterexample", P::kName));
    }
  }

 private:
  static Result<Followed> followed_in(const automata::Automaton& automaton, Names& names, const Sizes& sizes) {
    const auto values = values_of(names, sizes);
    if (!names.missing().empty())
      return bad_input(fmt::format("has no {}, which the map of {} names", names.missing(), P::kName));
    if (automaton.parameters.size() != values.size()) return bad_input("has other parameters than n, t and f");
    return followed(automaton, values, Map::kRoles);
  }

  static Result<Replayed> replay_by_map(const ReplayRequest& request) {
    const automata::Configuration& initial = request.counterexample->initial;
    Names names(*request.automaton);
    const Map map(names);
    const Sizes sizes = sizes_in(names, initial);
    const auto what = followed_in(*request.automaton, names, sizes);
    if (!what) return tl::unexpected(what.error());
    if (sizes.n > static_cast<std::int64_t>(kMaxSeats))
      return bad_input(fmt::format("its counterexample has {} processes, at most {} fit", sizes.n, kMaxSeats));
    const auto nodes = static_cast<unsigned>(sizes.n);
    const auto begins =
        begins_of(*request.automaton, map.start(), Map::kRoles, initial, nodes - static_cast<unsigned>(sizes.f));
    if (!begins) return tl::unexpected(begins.error());
    const Casting casting = map.casting(*begins, nodes, request.aim);
    const Scenario base = base_of(request, sizes, casting);
    const auto cluster = cluster_of(base, P::kBugs);
    if (!cluster) return tl::unexpected(cluster.error());
    return std::make_unique<Replayer<Map>>(map, *what, *cluster, request, casting, base)->run();
  }

  static Scenario base_of(const ReplayRequest& request, const Sizes& sizes, const Casting& casting) {
    Scenario base;
    base.protocol = P::kName;
    base.bugs = request.bugs;
    base.node_count = static_cast<std::uint8_t>(sizes.n);
    base.fault_count = static_cast<std::uint8_t>(sizes.t);
    base.inputs = casting.inputs;
    for (const IdentitySet leaders : casting.leaders) base.rounds.emplace_back().leaders = leaders;
    base.liars = IdentitySet::first(base.node_count) - IdentitySet::first(static_cast<unsigned>(sizes.n - sizes.f));
    base.steps.emplace();
    return base;
  }
};

}  // namespace nika::conform
