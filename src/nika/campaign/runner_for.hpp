// Makes a Runner of a protocol.
#pragma once

#include "nika/campaign/runner.hpp"
#include "nika/explore/after_faults.hpp"
#include "nika/explore/explorer.hpp"
#include "nika/explore/loop.hpp"
#include "nika/explore/side_by_side.hpp"
#include "nika/explore/step_explorer.hpp"
#include "nika/explore/view_loop.hpp"
#include "nika/properties/partial_state.hpp"
#include "nika/sim/run.hpp"
#include "nika/sim/step_network.hpp"
#include "nika/sim/tick_network.hpp"

namespace nika {

template <Protocol P, class Network>
class SessionFor : public Session {
 public:
  SessionFor(const Cluster& cluster, const Properties& properties) : network_(cluster, properties) {}

  const Outcome& run(Schedule& schedule, Trace* trace) override {
    network_.trace = trace;
    nika::run(network_, world_, schedule, outcome_);
    return outcome_;
  }
  const Outcome& watch(Schedule& schedule, const Listener& listener) override {
    network_.trace = nullptr;
    network_.start(world_, schedule);
    finish(network_, world_, schedule, outcome_,
           [&](const World<P>& world) { listener(network_.sight_of(world), network_.time_of(world)); });
    return outcome_;
  }
  Fingerprint ending() override {
    ByteWriter writer;
    return name_of_world(writer, world_, network_.cluster().seat_count);
  }

 protected:
  Network network_;
  World<P> world_{};
  Outcome outcome_{};
};

// A session in which loops can be looked for, by a search that knows how its network repeats.
template <Protocol P, class Network, class Search>
class LoopingSession : public SessionFor<P, Network>, public Looping {
 public:
  using SessionFor<P, Network>::SessionFor;

  // A loop under coins that are fixed would prove nothing: others are as likely.
  Looping* looping() override { return kRoundsAreAlike<P> ? this : nullptr; }
  std::optional<Loop> find_loop(Schedule& schedule, const LoopPart& part, const LoopCondition& condition) override {
    return loops().find(schedule, part, condition);
  }
  unsigned repeat_loop(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                       const LoopCondition& condition) override {
    return loops().repeat(schedule, part, loop, times, condition);
  }
  unsigned last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times) override {
    return loops().last_decision(schedule, part, loop, times);
  }
  std::optional<LoopEnds> ends_of_loop(Schedule& schedule, const Loop& loop, std::uint32_t until) override {
    return loops().ends(schedule, loop, until);
  }
  std::optional<unsigned> decides_in_loop(Schedule& schedule, const Loop& loop) override {
    return loops().decides(schedule, loop);
  }

 protected:
  // Worlds are large, and most sessions look for no loops.
  Search& loops() {
    if (!loops_) loops_ = std::make_unique<Search>(this->network_.cluster());
    return *loops_;
  }

 private:
  std::unique_ptr<Search> loops_;
};

template <Protocol P>
using TickSession = LoopingSession<P, TickNetwork<P>, ViewLoopSearch<P>>;

// In network rounds worlds can also be copied and explored.
template <Protocol P>
class RoundSession final : public LoopingSession<P, RoundNetwork<P>, LoopSearch<P>>, public Copying {
  using Base = LoopingSession<P, RoundNetwork<P>, LoopSearch<P>>;

 public:
  using Base::Base;
  using Base::run;

  Copying* copying() override { return this; }
  bool runs_in_any_order(Schedule& schedule, const Loop& loop) override {
    return loops().runs_in_any_order(schedule, loop);
  }
  std::unique_ptr<Comparing> comparing(const twins::Space& space) override {
    return std::make_unique<SideBySide<P>>(space, network_.cluster(), network_.monitors().properties());
  }
  Result<SearchResult> search(const twins::Space& space, const SearchOptions& options) override {
    return explore<P>(space, network_.cluster(), network_.monitors().properties(), options);
  }

  const Outcome& run(Schedule& schedule, const Prefix& prefix, std::vector<guided::Reached>& reached) override {
    reached.clear();
    network_.trace = nullptr;
    begin(schedule, prefix);
    finish(network_, world_, schedule, outcome_, [&](const World<P>& world) {
      const unsigned rounds = world.network_round.number;
      if (prefix.rounds > 0 && rounds == prefix.rounds) keep(world, prefix);
      if (rounds > prefix.rounds && rounds <= schedule.scheduled_rounds()) note(world, schedule, reached);
    });
    return outcome_;
  }

  const Outcome& run_on(Schedule& schedule, const Shared& shared, unsigned keeps) override {
    network_.trace = nullptr;
    follow(schedule, shared);
    futures_.forget_path();
    const unsigned last = std::min({keeps, schedule.scheduled_rounds(), kTrailRounds});
    while (step(network_, world_, schedule)) {
      if (world_.network_round.number <= last) keep_on_trail();
      if (shared.faults != nullptr && ends_as_before(schedule, shared)) return outcome_;
    }
    judge(network_, world_, outcome_);
    if (shared.faults != nullptr && is_plain(world_.commits, kRepeatsValues<P>)) futures_.learn(outcome_);
    return outcome_;
  }

 private:
  using Base::loops;
  using Base::network_;
  using Base::outcome_;
  using Base::world_;

  static constexpr unsigned kTrailRounds = 32;

  static constexpr std::size_t kPlaces = 256;
  struct Place {
    Prefix prefix{};
    World<P> world{};
  };
  // A world after some rounds, and the latest of those whose leaders it depends on.
  struct Milestone {
    Round asked{};
    World<P> world{};
  };

  void keep_on_trail() {
    const unsigned rounds = world_.network_round.number;
    if (trail_.size() < rounds) trail_.resize(rounds);
    trail_[rounds - 1].asked = network_.asked_until();
    copy(world_, trail_[rounds - 1].world);
    trail_rounds_ = rounds;
  }
  // Many runs with different faults come to one world after these, and then go on alike.
  bool ends_as_before(const Schedule& schedule, const Shared& shared) {
    if (!are_over(*shared.faults, world_, network_.cluster(), schedule.scheduled_rounds())) return false;
    const Properties& properties = network_.monitors().properties();
    const Fingerprint name = name_of_future(writer_, world_, network_.cluster(), properties, shared.name_after);
    if (!futures_.comes_to(name, outcome_, properties)) return false;
    outcome_.delivered = world_.delivered_count;
    outcome_.faults = world_.hearsay.counts;
    return true;
  }

  Place& place_of(const Prefix& prefix) {
    if (places_.empty()) places_.resize(kPlaces);
    return places_[prefix.name % kPlaces];
  }
  void copy(const World<P>& from, World<P>& to) { to.copy_from(from, network_.cluster().seats()); }

  void keep(const World<P>& world, const Prefix& prefix) {
    Place& place = place_of(prefix);
    place.prefix = prefix;
    copy(world, place.world);
  }

  void begin(Schedule& schedule, const Prefix& prefix) {
    if (prefix.rounds > 0) {
      Place& place = place_of(prefix);
      if (place.prefix.name == prefix.name && place.prefix.rounds == prefix.rounds) {
        network_.attend(schedule);
        return copy(place.world, world_);
      }
    }
    network_.start(world_, schedule);
  }

  // A run that was settled early left fewer worlds; the last of them is settled here too.
  void follow(const Schedule& schedule, const Shared& shared) {
    trail_rounds_ = std::min(trail_rounds_, shared.rounds);
    while (trail_rounds_ > 0 && trail_[trail_rounds_ - 1].asked.number > shared.leaders) --trail_rounds_;
    if (trail_rounds_ == 0) return network_.start(world_, schedule);
    const Milestone& last = trail_[trail_rounds_ - 1];
    network_.attend(schedule, last.asked);
    copy(last.world, world_);
  }

  void note(const World<P>& world, const Schedule& schedule, std::vector<guided::Reached>& reached) {
    if (is_settled(network_, world)) return;
    const PartialState state =
        partial_state_of<P>(network_.sight_of(world), schedule.leaders()[world.network_round.number + 1U], summary_);
    reached.push_back({state.digest, state.disagreement, world.network_round.number});
    if (!world.hearsay.is_kept) return;
    const auto& latest = world.hearsay.reached;
    reached.back().protocol_rounds = *std::max_element(latest.begin(), latest.end());
    reached.back().held =
        held_state_of<P>(network_.sight_of(world), schedule.leaders()[world.network_round.number + 1U], summary_);
  }

  std::vector<Place> places_;
  std::vector<Milestone> trail_;  // after the first rounds of the last run
  unsigned trail_rounds_ = 0;     // how many they are
  ClusterSummary summary_;
  ByteWriter writer_;
  KnownFutures futures_;
};

// In an asynchronous network all orders of delivery can be searched through.
template <Protocol P>
class StepSession : public SessionFor<P, StepNetwork<P>> {
 public:
  using SessionFor<P, StepNetwork<P>>::SessionFor;

  Result<StepSearchResult> search_steps(const StepSearchOptions& options) override {
    return explore_steps<P>(this->network_.cluster(), this->network_.monitors().properties(), options);
  }
};

// What a protocol says of itself; only how it is run is missing.
template <Protocol P>
class DescribedRunner : public Runner {
 public:
  std::string_view name() const override { return P::kName; }
  std::string_view summary() const override { return P::kSummary; }
  std::span<const std::string_view> bugs() const override { return P::kBugs; }
  std::span<const BugSet> bug_sets() const override {
    if constexpr (requires { P::kBugSets; }) return P::kBugSets;
    return {};
  }
  std::span<const std::string_view> kinds() const override { return KindNames<typename P::Message>::value; }
  std::span<const std::string_view> notes() const override { return notes_of<P>(); }
  bool is_synchronous() const override { return nika::is_synchronous<P>(); }
  unsigned heal_rounds() const override { return heal_rounds_of<P>(); }
  unsigned leaders_in_a_row() const override { return leaders_in_a_row_of<P>(); }
  unsigned clients() const override { return client_count<P>(); }
  unsigned resilience() const override { return resilience_of<P>(); }
  std::span<const KindLeaves> leaves() const override {
    static const std::vector<KindLeaves> leaves = leaves_of_protocol();  // most commands ask no protocol, others one
    return leaves;
  }
  unsigned protocol_rounds() const override { return protocol_rounds_of<P>(); }
  bool has_unls() const override { return kHasUnls<P>; }
  bool tosses_coins() const override { return kTossesCoins<P>; }
  std::string_view repaired_by() const override {
    if constexpr (requires { P::kRepairedBy; }) return P::kRepairedBy;
    return {};
  }

 private:
  static std::vector<KindLeaves> leaves_of_protocol() {
    if constexpr (kLiesAreReviewed<P>) return leaves_of<P>();
    return {};
  }
};

// By steps, a session that can do more may take the place of the usual one.
template <Protocol P, class Steps = StepSession<P>>
class RunnerFor final : public DescribedRunner<P> {
 public:
  Result<std::unique_ptr<Session>> open(const Setup& setup) const override {
    const auto cluster = this->check(setup);
    if (!cluster) return tl::unexpected(cluster.error());
    if constexpr (nika::is_synchronous<P>()) {
      return std::make_unique<TickSession<P>>(*cluster, setup.properties);
    } else {
      if (setup.network == NetworkModel::kRounds) return std::make_unique<RoundSession<P>>(*cluster, setup.properties);
      if (setup.network == NetworkModel::kSteps) return std::make_unique<Steps>(*cluster, setup.properties);
      return std::make_unique<SessionFor<P, TickNetwork<P>>>(*cluster, setup.properties);
    }
  }
};

template <Protocol P, class Steps = StepSession<P>>
std::unique_ptr<Runner> runner_for() {
  return std::make_unique<RunnerFor<P, Steps>>();
}

}  // namespace nika
