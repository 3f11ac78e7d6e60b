// Makes a Runner of a protocol.
#pragma once

#include "nika/campaign/runner.hpp"
#include "nika/explore/explorer.hpp"
#include "nika/properties/termination.hpp"
#include "nika/sim/partial_state.hpp"
#include "nika/sim/timed_simulator.hpp"

namespace nika {

template <class Message>
struct KindNames;
template <class... Alternatives>
struct KindNames<std::variant<Alternatives...>> {
  static constexpr std::array<std::string_view, sizeof...(Alternatives)> value{Alternatives::kName...};
};

// Lets the network heal and judges the run as far as it was asked to. A run that agrees may still have come to a
// standstill.
template <Protocol P>
class Healer {
 public:
  Healer(const Cluster& cluster, std::span<const Crash> crashes, Properties properties)
      : cluster_(cluster), crashes_(crashes), properties_(properties), full_(full_links(cluster.seat_count)) {}

  Outcome heal(Simulator<P>& simulator, World<P>& world, unsigned rounds, const Order& order) const {
    return heal(simulator, world, rounds, order, [](unsigned) {});
  }
  // `prepare(h)` is called before the healing round h, counted from 0.
  template <class Prepare>
  Outcome heal(Simulator<P>& simulator, World<P>& world, unsigned rounds, const Order& order,
               const Prepare& prepare) const {
    const Healing healing = properties_.termination ? before(world) : Healing{};
    for (unsigned h = 0; h < rounds && !is_settled(world); ++h) {
      prepare(h);
      simulator.run_round(world, full_, order, true);
    }
    Outcome outcome = outcome_of(world);
    if (properties_ == Properties{}) return outcome;
    if (outcome.verdict == Verdict::kHolds) judge_termination(outcome, simulator, world, healing);
    if (outcome.conflict.found && !properties_.agreement) outcome.verdict = Verdict::kHolds;
    return outcome;
  }

 private:
  static Progress progress_of(const World<P>& world) { return {world.commits.top(), world.commits.seats()}; }
  static Healing before(const World<P>& world) {
    return {world.network_round.next(), {}, progress_of(world), {}, kIsSingleShot<P>};
  }

  void judge_termination(Outcome& outcome, const Simulator<P>& simulator, const World<P>& world,
                         Healing healing) const {
    healing.last = world.network_round;
    healing.after = progress_of(world);
    Standstill& standstill = outcome.standstill;
    standstill = standstill_of(healing, {cluster_, simulator.leaders, crashes_});
    if (!standstill.found) return;
    outcome.property = Property::kTermination;
    outcome.verdict = Verdict::kViolated;
    for (Seat seat : cluster_.honest_seats()) {
      const std::string_view why = blocked<P>(world.states[index_of(seat)], simulator.context_of(seat));
      if (why.empty() || !standstill.blocked.empty()) continue;
      standstill.blocked = why;
      standstill.blocked_seat = seat;
    }
  }

  const Cluster cluster_;
  const std::span<const Crash> crashes_;
  const Properties properties_;
  const Links full_;
};

template <Protocol P>
class SweeperFor final : public Sweeper {
 public:
  SweeperFor(const twins::Space& space, const Cluster& cluster, Properties properties)
      : space_(space),
        simulator_(cluster, {{}, space.settings().crashes}),
        healer_(cluster, space.settings().crashes, properties) {
    for (const Partition& partition : space.partitions())
      links_.push_back(links_of(partition, space.cluster().seat_count));
    set_heal_leaders(simulator_.leaders, space.rounds(), space.heal_leaders());
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
    Outcome outcome = healer_.heal(simulator_, world_, space_.settings().heal_rounds, Order::fifo());
    outcome.delivered = static_cast<std::uint32_t>(simulator_.delivered_count - before);
    return outcome;
  }

 private:
  const twins::Space& space_;
  Simulator<P> simulator_;
  World<P> world_{};
  std::vector<Links> links_;
  Healer<P> healer_;
  Order order_;
  const bool samples_orders_ = space_.settings().order == twins::OrderChoice::kSampled;
};

// The same for scenarios that are sampled by phases.
template <Protocol P>
class PhaseSweeperFor final : public Sweeper {
 public:
  PhaseSweeperFor(const phases::Sampler& sampler, const Cluster& cluster, Properties properties)
      : sampler_(sampler),
        simulator_(cluster, {{}, sampler.settings().crashes}),
        healer_(cluster, sampler.settings().crashes, properties),
        full_(full_links(cluster.seat_count)) {}

  Outcome run(std::span<const std::uint32_t>, Wide index) override {
    const unsigned rounds = sampler_.space().rounds();
    for (unsigned r = 0; r < rounds; ++r) simulator_.leaders[r + 1] = sampler_.leaders({index, r});
    const auto turns = sampler_.heal_leaders(index);
    set_heal_leaders(simulator_.leaders, rounds, {turns.begin(), turns.end()});
    const std::uint64_t before = simulator_.delivered_count;
    simulator_.phases = &links_;
    simulator_.start(world_);
    for (unsigned r = 0; r < rounds && !is_settled(world_); ++r) {
      sampler_.draw_links({index, r}, links_);
      simulator_.run_round(world_, full_, sampler_.order({index, r}), false);
    }
    if (!sampler_.draws_healing()) simulator_.phases = nullptr;
    const auto draw = [&](unsigned h) {
      if (sampler_.draws_healing()) sampler_.draw_heal_links({index, sampler_.turn_of(h, turns)}, links_);
    };
    Outcome outcome =
        healer_.heal(simulator_, world_, sampler_.settings().heal_rounds, sampler_.heal_order(index), draw);
    outcome.delivered = static_cast<std::uint32_t>(simulator_.delivered_count - before);
    return outcome;
  }

 private:
  const phases::Sampler& sampler_;
  Simulator<P> simulator_;
  World<P> world_{};
  Healer<P> healer_;
  const Links full_;
  PhaseLinks links_{};
};

// The same for schedules that a guide puts together.
template <Protocol P>
class GuidedSweeperFor final : public GuidedSweeper {
 public:
  GuidedSweeperFor(const guided::Draws& draws, const Cluster& cluster, Properties properties)
      : draws_(draws),
        cluster_(cluster),
        simulator_(cluster, {{}, draws.space().settings().crashes}),
        healer_(cluster, draws.space().settings().crashes, properties),
        full_(full_links(cluster.seat_count)),
        choices_(draws.space().rounds()) {
    for (const Partition& partition : draws.space().partitions())
      links_.push_back(links_of(partition, cluster.seat_count));
  }

  Outcome run(const guided::Genome& genome, std::vector<guided::Reached>& reached) override {
    reached.clear();
    draws_.choose(genome, choices_);
    for (unsigned r = 0; r < choices_.size(); ++r) simulator_.leaders[r + 1] = choices_[r].leaders;
    const auto turns = draws_.heal_leaders(genome);
    set_heal_leaders(simulator_.leaders, draws_.space().rounds(), {turns.begin(), turns.end()});
    const std::uint64_t before = simulator_.delivered_count;
    simulator_.phases = draws_.sampler() != nullptr ? &phase_links_ : nullptr;
    simulator_.start(world_);
    for (unsigned r = 0; r < choices_.size() && !is_settled(world_); ++r) {
      run_scheduled(genome, r);
      note(reached);
    }
    Outcome outcome = heal(genome);
    outcome.delivered = static_cast<std::uint32_t>(simulator_.delivered_count - before);
    return outcome;
  }

 private:
  void run_scheduled(const guided::Genome& genome, unsigned r) {
    if (draws_.sampler() == nullptr) {
      simulator_.run_round(world_, links_[choices_[r].partition], choices_[r].order, false);
      return;
    }
    draws_.sampler()->draw_links({genome.rounds[r].network, r}, phase_links_);
    simulator_.run_round(world_, full_, choices_[r].order, false);
  }

  Outcome heal(const guided::Genome& genome) {
    if (!draws_.draws_healing()) simulator_.phases = nullptr;
    const auto draw = [&](unsigned h) {
      if (draws_.draws_healing()) draws_.draw_heal_links(genome, h, phase_links_);
    };
    return healer_.heal(simulator_, world_, draws_.space().settings().heal_rounds, draws_.heal_order(genome), draw);
  }

  void note(std::vector<guided::Reached>& reached) {
    if (is_settled(world_)) return;
    const unsigned rounds = world_.network_round.number;
    const PartialState state = partial_state_of(world_, cluster_, simulator_.leaders[rounds + 1], summary_);
    reached.push_back({state.digest, state.disagreement, rounds});
  }

  const guided::Draws& draws_;
  const Cluster cluster_;
  Simulator<P> simulator_;
  World<P> world_{};
  Healer<P> healer_;
  const Links full_;
  std::vector<Links> links_;  // of each partition
  PhaseLinks phase_links_{};
  std::vector<guided::Choice> choices_;
  ClusterSummary summary_;
};

template <Protocol P>
class RunnerFor final : public Runner {
 public:
  std::string_view name() const override { return P::kName; }
  std::string_view summary() const override { return P::kSummary; }
  std::span<const std::string_view> bugs() const override { return P::kBugs; }
  std::span<const std::string_view> kinds() const override { return KindNames<typename P::Message>::value; }

  Result<Outcome> run(const Scenario& scenario, Trace* trace, Properties properties = {}) const override {
    const auto cluster = cluster_of(scenario, P::kBugs);
    if (!cluster) return tl::unexpected(cluster.error());
    if (scenario.timing) {
      if (!properties.agreement)
        return bad_input("termination is judged while a network heals, not in timed scenarios");
      return run_timed(scenario, *cluster, trace);
    }
    if (is_synchronous<P>()) return needs_timing();
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
    const Healer<P> healer(*cluster, scenario.crashes, properties);
    Outcome outcome = healer.heal(*simulator, *world, scenario.heal_rounds, scenario.heal_order);
    outcome.delivered = static_cast<std::uint32_t>(simulator->delivered_count);
    return outcome;
  }

  Result<std::unique_ptr<Sweeper>> sweeper(const twins::Space& space, Properties properties = {}) const override {
    const auto cluster = cluster_with_bugs(space);
    if (!cluster) return tl::unexpected(cluster.error());
    if constexpr (is_synchronous<P>()) {
      return needs_timing();
    } else {
      return std::make_unique<SweeperFor<P>>(space, *cluster, properties);
    }
  }

  Result<std::unique_ptr<Sweeper>> sweeper(const phases::Sampler& sampler, Properties properties) const override {
    const auto cluster = cluster_with_bugs(sampler.space());
    if (!cluster) return tl::unexpected(cluster.error());
    return std::make_unique<PhaseSweeperFor<P>>(sampler, *cluster, properties);
  }

  Result<std::unique_ptr<GuidedSweeper>> sweeper(const guided::Draws& draws, Properties properties) const override {
    const auto cluster = cluster_with_bugs(draws.space());
    if (!cluster) return tl::unexpected(cluster.error());
    if constexpr (is_synchronous<P>()) {
      return needs_timing();
    } else {
      return std::make_unique<GuidedSweeperFor<P>>(draws, *cluster, properties);
    }
  }

  Result<SearchResult> search(const twins::Space& space, const SearchOptions& options) const override {
    const auto cluster = cluster_with_bugs(space);
    if (!cluster) return tl::unexpected(cluster.error());
    if constexpr (is_synchronous<P>()) {
      return needs_timing();
    } else {
      return explore<P>(space, *cluster, options);
    }
  }

 private:
  static Result<Outcome> run_timed(const Scenario& scenario, const Cluster& cluster, Trace* trace) {
    if (auto sound = check_synchrony(scenario); !sound) return tl::unexpected(sound.error());
    auto simulator = std::make_unique<TimedSimulator<P>>(cluster, scenario);
    auto world = std::make_unique<TimedWorld<P>>();
    simulator->trace = trace;
    simulator->run(*world);
    Outcome outcome = outcome_of(*world, cluster);
    outcome.delivered = static_cast<std::uint32_t>(simulator->delivered_count);
    return outcome;
  }

  // Partitions would break what the protocol assumes, and whatever they brought about would be no finding.
  static tl::unexpected<Error> needs_timing() {
    return bad_input(std::string(P::kName) + " is a synchronous protocol: it runs in scenarios with \"timing\" only");
  }

  // A space does not know which bit stands for which bug; the protocol does.
  static Result<Cluster> cluster_with_bugs(const twins::Space& space) {
    Cluster cluster = space.cluster();
    const auto bugs = bug_bits(space.settings().bugs, P::kBugs, P::kName);
    if (!bugs) return tl::unexpected(bugs.error());
    cluster.bugs = *bugs;
    return cluster;
  }
};

template <Protocol P>
std::unique_ptr<Runner> runner_for() {
  return std::make_unique<RunnerFor<P>>();
}

}  // namespace nika
