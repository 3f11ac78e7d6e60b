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
        to_(make_cluster(reseating.node_count, reseating.copies).value()) {}

  RoundPlan plan(const RoundPlan& old, IdentitySet leaders_before) const {
    RoundPlan result;
    for (Identity id : old.leaders) {
      if (const auto moved = reseating_.identity[index_of(id)]) result.leaders.insert(*moved);
    }
    if (result.leaders.empty()) result.leaders = leaders_before;
    for (Seat seat : from_.seats()) {
      if (const auto moved = reseating_.seat[index_of(seat)]) {
        result.partition.block_of[index_of(*moved)] = old.partition.block_of[index_of(seat)];
      }
    }
    result.partition.normalize(to_.seat_count);
    result.order = order(old.order);
    result.note = old.note;
    return result;
  }

  SeatSet seats(SeatSet old) const {
    if (old == kAnySeat) return old;
    SeatSet result;
    for (Seat seat : old) {
      if (const auto moved = reseating_.seat[index_of(seat)]) result.insert(*moved);
    }
    return result;
  }

  Reach reach(const Reach& old) const {
    Reach result{};
    for (Seat seat : from_.seats()) {
      if (const auto moved = reseating_.seat[index_of(seat)]) result[index_of(*moved)] = seats(old[index_of(seat)]);
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
    for (Seat seat : from_.seats()) {
      if (const auto moved = reseating_.seat[index_of(seat)]) ranked.emplace_back(old.rank[index_of(seat)], *moved);
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
  const auto cluster = make_cluster(scenario.node_count, scenario.copies);
  NIKA_REQUIRE(cluster.has_value());
  return *cluster;
}

Scenario reseated(const Scenario& scenario, const Reseating& reseating) {
  Scenario result;
  result.about = scenario.about;
  result.protocol = scenario.protocol;
  result.bugs = scenario.bugs;
  result.node_count = reseating.node_count;
  result.fault_count = reseating.fault_count;
  result.copies = reseating.copies;
  while (!result.copies.empty() && result.copies.back() <= 1) result.copies.pop_back();
  result.heal_rounds = scenario.heal_rounds;
  result.heal_leaders = heal_leaders(scenario.heal_leaders, reseating);
  const Move move(scenario, reseating);
  result.inputs = move.inputs(scenario.inputs);
  result.heal_order = move.order(scenario.heal_order);
  IdentitySet leaders = IdentitySet::single(Identity{0});
  for (const RoundPlan& plan : scenario.rounds) {
    result.rounds.push_back(move.plan(plan, leaders));
    leaders = result.rounds.back().leaders;
  }
  for (Rule rule : scenario.rules) {
    if (rule.action == Action::kLinks) rule.reach = move.reach(rule.reach);
    rule.from = move.seats(rule.from);
    rule.to = move.seats(rule.to);
    if (!rule.from.empty() && !rule.to.empty()) result.rules.push_back(rule);
  }
  for (Crash crash : scenario.crashes) {
    const auto moved = reseating.seat[index_of(crash.seat)];
    if (!moved) continue;
    crash.seat = *moved;
    result.crashes.push_back(crash);
  }
  return result;
}

}  // namespace nika::shrink
