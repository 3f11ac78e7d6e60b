#include "nika/scenarios/shrink/reseat.hpp"

#include <algorithm>

#include "nika/base/require.hpp"

namespace nika::shrink {
namespace {

constexpr auto kAnySeat = SeatSet::from_bits(0xffff);

class Move {
 public:
  Move(const Scenario& scenario, const Reseating& reseating)
      : reseating_(reseating),
        from_(sound_cluster_of(scenario)),
        to_(make_cluster(reseating.node_count, reseating.copies, scenario.client_count).value()) {}

  // Clients stay, behind the replicas that are left.
  std::optional<Seat> seat(Seat old) const {
    if (!from_.is_client(old)) return reseating_.seat[index_of(old)];
    return static_cast<Seat>(index_of(old) - from_.replica_seat_count() + to_.replica_seat_count());
  }

  void plan(RoundPlan& plan, IdentitySet leaders_before) const {
    if (!plan.leaders.empty()) {
      plan.leaders = identities(plan.leaders);
      if (plan.leaders.empty()) plan.leaders = leaders_before;
    }
    plan.partition = partition(plan.partition);
    plan.order = order(plan.order);
    each_left(plan.receiver_orders, &ReceiverOrder::receiver);
    for (ReceiverOrder& own : plan.receiver_orders) own.order = order(own.order);
    plan.gives_up = seats(plan.gives_up);
  }

  // Messages that nobody sends any more are gone, too.
  void steps(std::vector<Step>& steps) const {
    const auto has_sender = [](const Step& step) { return step.message != 0 || step.says; };
    std::erase_if(steps, [&](const Step& step) { return has_sender(step) && !seat(step.from); });
    each_left(steps, &Step::to);
    for (Step& step : steps) {
      if (has_sender(step)) step.from = *seat(step.from);
    }
  }

  void turn(CoinTurn& turn) const {
    for (std::vector<TurnStep>* steps : {&turn.before, &turn.after[0], &turn.after[1]}) {
      each_left(*steps, &TurnStep::from);
      for (TurnStep& step : *steps) step.to = seats(step.to);
      std::erase_if(*steps, [](const TurnStep& step) { return step.to.empty(); });
    }
  }

  // Moves the seat that each element names; elements whose seat is gone are gone.
  template <class Element>
  void each_left(std::vector<Element>& elements, Seat Element::* named) const {
    std::erase_if(elements, [&](const Element& element) { return !seat(element.*named); });
    for (Element& element : elements) element.*named = *seat(element.*named);
  }

  IdentitySet identities(IdentitySet old) const {
    IdentitySet result;
    for (Identity id : old) {
      if (const auto moved = reseating_.identity[index_of(id)]) result.insert(*moved);
    }
    return result;
  }

  std::vector<IdentitySet> unls(const std::vector<IdentitySet>& old) const {
    std::vector<IdentitySet> result;
    for (std::size_t i = 0; i < old.size(); ++i) {
      const auto moved = reseating_.identity[i];
      if (!moved || old[i].empty()) continue;
      if (result.size() <= index_of(*moved)) result.resize(index_of(*moved) + 1);
      result[index_of(*moved)] = identities(old[i]);
    }
    return result;
  }

  Partition partition(const Partition& old) const {
    Partition result;
    for (Seat from : from_.seats()) {
      if (const auto moved = seat(from)) result.block_of[index_of(*moved)] = old.block_of[index_of(from)];
    }
    result.normalize(to_.seat_count);
    return result;
  }

  SeatSet seats(SeatSet old) const {
    if (old == kAnySeat) return old;
    SeatSet result;
    for (Seat from : old) {
      if (const auto moved = seat(from)) result.insert(*moved);
    }
    return result;
  }

  Reach reach(const Reach& old) const {
    Reach result{};
    for (Seat from : from_.seats()) {
      if (const auto moved = seat(from)) result[index_of(*moved)] = seats(old[index_of(from)]);
    }
    return result;
  }

  std::vector<std::string> inputs(const std::vector<std::string>& old) const {
    std::vector<std::string> result(to_.seat_count);
    for (std::size_t s = 0; s < old.size(); ++s) {
      if (const auto moved = reseating_.seat[s]) result[index_of(*moved)] = old[s];
    }
    const bool any = std::ranges::any_of(result, [](const std::string& input) { return !input.empty(); });
    return any ? result : std::vector<std::string>{};
  }

  Order order(const Order& old) const {
    if (old == Order::fifo()) return old;
    if (old == Order::reversed(from_.seat_count)) return Order::reversed(to_.seat_count);
    std::vector<std::pair<std::uint8_t, Seat>> ranked;
    for (Seat from : from_.seats()) {
      if (const auto moved = seat(from)) ranked.emplace_back(old.rank[index_of(from)], *moved);
    }
    std::ranges::sort(ranked);
    Order result;
    result.own_first = old.own_first;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      result.rank[index_of(ranked[i].second)] = static_cast<std::uint8_t>(i);
    }
    return result;
  }

 private:
  // Clients stay, behind the replicas that are left.
  std::optional<Seat> place_of(Seat seat) const {
    if (!from_.is_client(seat)) return reseating_.seat[index_of(seat)];
    return static_cast<Seat>(index_of(seat) - from_.replica_seat_count() + to_.replica_seat_count());
  }

  const Reseating& reseating_;
  Cluster from_;
  Cluster to_;
};

std::vector<Identity> heal_leaders(const std::vector<Identity>& old, const Reseating& reseating) {
  std::vector<Identity> result;
  for (Identity id : old) {
    if (const auto moved = reseating.identity[index_of(id)]) result.push_back(*moved);
  }
  if (result.empty() && !old.empty()) result.push_back(Identity{0});
  // Who takes turns by name does so by any names.
  if (std::ranges::is_sorted(old)) std::ranges::sort(result);
  return result;
}

}  // namespace

Cluster sound_cluster_of(const Scenario& scenario) {
  const auto cluster = cast_of(scenario);
  NIKA_REQUIRE(cluster.has_value());
  return *cluster;
}

Reseating unmoved(const Scenario& scenario) {
  Reseating reseating;
  reseating.copies = scenario.copies;
  reseating.node_count = scenario.node_count;
  reseating.fault_count = scenario.fault_count;
  const Cluster cluster = sound_cluster_of(scenario);
  for (Seat seat : cluster.seats()) reseating.seat[index_of(seat)] = seat;
  for (Identity id : cluster.identities()) reseating.identity[index_of(id)] = id;
  return reseating;
}

// Starts from a copy, so that whatever names nobody is carried, also what a scenario may get later.
Scenario reseated(const Scenario& scenario, const Reseating& reseating) {
  const Move move(scenario, reseating);
  Scenario result = scenario;
  result.node_count = reseating.node_count;
  result.fault_count = reseating.fault_count;
  result.copies = reseating.copies;
  result.client_count = scenario.client_count;
  while (!result.copies.empty() && result.copies.back() <= 1) result.copies.pop_back();
  result.unls = move.unls(scenario.unls);
  result.inputs = move.inputs(scenario.inputs);
  result.heal_leaders = heal_leaders(scenario.heal_leaders, reseating);
  result.heal_order = move.order(scenario.heal_order);
  IdentitySet leaders = IdentitySet::single(Identity{0});
  for (RoundPlan& plan : result.rounds) {
    move.plan(plan, leaders);
    if (!plan.leaders.empty()) leaders = plan.leaders;
  }
  for (Rule& rule : result.rules) {
    rule.reach = move.reach(rule.reach);
    rule.from = move.seats(rule.from);
    rule.to = move.seats(rule.to);
  }
  std::erase_if(result.rules, [](const Rule& rule) { return rule.from.empty() || rule.to.empty(); });
  move.each_left(result.crashes, &Crash::seat);
  if (result.timing) result.timing->timers_first = move.seats(result.timing->timers_first);
  if (result.steps) move.steps(*result.steps);
  for (CoinTurn& turn : result.turns) move.turn(turn);
  result.liars = move.identities(scenario.liars);
  for (Outage& outage : result.outages) outage.partition = move.partition(outage.partition);
  move.each_left(result.lies, &Lie::from);
  for (Lie& lie : result.lies) lie.to = move.seats(lie.to);
  std::erase_if(result.lies, [](const Lie& lie) { return lie.to.empty(); });
  return result;
}

}  // namespace nika::shrink
