// Makes a Runner of a protocol.
#pragma once

#include "nika/campaign/runner.hpp"
#include "nika/explore/explorer.hpp"

namespace nika {

template <class Message>
struct KindNames;
template <class... Alternatives>
struct KindNames<std::variant<Alternatives...>> {
  static constexpr std::array<std::string_view, sizeof...(Alternatives)> value{Alternatives::kName...};
};

template <Protocol P>
class SweeperFor final : public Sweeper {
 public:
  SweeperFor(const twins::Space& space, const Cluster& cluster)
      : space_(space),
        simulator_(cluster, {{}, space.settings().crashes}),
        full_(full_links(space.cluster().seat_count)) {
    for (const Partition& partition : space.partitions())
      links_.push_back(links_of(partition, space.cluster().seat_count));
    for (Identity identity : space.leading()) heal_leaders_.push_back(identity);
    set_heal_leaders(simulator_.leaders, space.rounds(), heal_leaders_);
  }

  Outcome run(std::span<const std::uint32_t> configuration_of_round, Wide index) override {
    const auto& configurations = space_.configurations();
    const unsigned rounds = space_.rounds();
    for (unsigned r = 0; r < rounds; ++r) simulator_.leaders[r + 1] = configurations[configuration_of_round[r]].leaders;
    const std::uint64_t before = simulator_.delivered_count;
    simulator_.start(world_);
    for (unsigned r = 0; r < rounds && !is_settled(world_); ++r) {
      const twins::Configuration& chosen = configurations[configuration_of_round[r]];
      if (samples_orders_) order_ = space_.order(chosen, {index, r});
      simulator_.run_round(world_, links_[chosen.partition], samples_orders_ ? order_ : space_.orders()[chosen.order],
                           false);
    }
    for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(world_); ++h) {
      simulator_.run_round(world_, full_, Order::fifo(), true);
    }
    Outcome outcome = outcome_of(world_);
    outcome.delivered = static_cast<std::uint32_t>(simulator_.delivered_count - before);
    return outcome;
  }

 private:
  const twins::Space& space_;
  Simulator<P> simulator_;
  World<P> world_{};
  std::vector<Links> links_;
  std::vector<Identity> heal_leaders_;
  Links full_;
  Order order_;
  const bool samples_orders_ = space_.settings().order == twins::OrderChoice::kSampled;
};

template <Protocol P>
class RunnerFor final : public Runner {
 public:
  std::string_view name() const override { return P::kName; }
  std::string_view summary() const override { return P::kSummary; }
  std::span<const std::string_view> bugs() const override { return P::kBugs; }
  std::span<const std::string_view> kinds() const override { return KindNames<typename P::Message>::value; }

  Result<Outcome> run(const Scenario& scenario, Trace* trace) const override {
    const auto cluster = cluster_of(scenario, P::kBugs);
    if (!cluster) return tl::unexpected(cluster.error());
    if (auto sound = check_healing(scenario); !sound) return tl::unexpected(sound.error());
    auto simulator = std::make_unique<Simulator<P>>(*cluster, faults_of(scenario));
    auto world = std::make_unique<World<P>>();
    simulator->trace = trace;
    for (std::size_t r = 0; r < scenario.rounds.size(); ++r) simulator->leaders[r + 1] = scenario.rounds[r].leaders;
    set_heal_leaders(simulator->leaders, static_cast<unsigned>(scenario.rounds.size()), scenario.heal_leaders);
    simulator->start(*world);
    for (const RoundPlan& plan : scenario.rounds) {
      if (is_settled(*world)) break;
      simulator->run_round(*world, links_of(plan.partition, cluster->seat_count), plan.order, false);
    }
    const Links full = full_links(cluster->seat_count);
    for (unsigned h = 0; h < scenario.heal_rounds && !is_settled(*world); ++h) {
      simulator->run_round(*world, full, scenario.heal_order, true);
    }
    Outcome outcome = outcome_of(*world);
    outcome.delivered = static_cast<std::uint32_t>(simulator->delivered_count);
    return outcome;
  }

  Result<std::unique_ptr<Sweeper>> sweeper(const twins::Space& space) const override {
    const auto cluster = cluster_with_bugs(space);
    if (!cluster) return tl::unexpected(cluster.error());
    return std::make_unique<SweeperFor<P>>(space, *cluster);
  }

  Result<SearchResult> search(const twins::Space& space, const SearchOptions& options) const override {
    const auto cluster = cluster_with_bugs(space);
    if (!cluster) return tl::unexpected(cluster.error());
    return explore<P>(space, *cluster, options);
  }

 private:
  // A space does not know which bit stands for which bug; the protocol does.
  static Result<Cluster> cluster_with_bugs(const twins::Space& space) {
    Cluster cluster = space.cluster();
    const auto bugs = bug_bits(space.settings().bugs, P::kBugs, P::kName);
    if (!bugs) return tl::unexpected(bugs.error());
    cluster.bugs = *bugs;
    return cluster;
  }
};

}  // namespace nika
