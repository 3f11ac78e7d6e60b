#include "nika/scenarios/shrink/size.hpp"

#include "nika/scenarios/shrink/reseat.hpp"
#include "nika/scenarios/shrink/simpler_rules.hpp"

namespace nika::shrink {
namespace {

unsigned is_set(bool condition) { return condition ? 1 : 0; }

// Nothing is said, something near the truth, something that was true once, something made up.
unsigned twist_extent_of(const Lie& lie) {
  switch (lie.twist) {
    case Twist::kOmit: return 0;
    case Twist::kSeen: return 2U + lie.argument;
    case Twist::kOwn: return 20U + lie.argument;
    case Twist::kSet: return 30U + is_set(lie.argument != 0);
    default: return 1;
  }
}

void add_faults(Size& size, const Scenario& scenario, const Cluster& cluster) {
  size[kFaults] = static_cast<unsigned>(scenario.rules.size() + scenario.crashes.size() + scenario.outages.size() +
                                        scenario.lies.size()) +
                  is_set(scenario.lies_go_on);
  for (const Lie& lie : scenario.lies) {
    size[kReceivers] += static_cast<unsigned>(lie.to.size());
    size[kTwists] += twist_extent_of(lie);
  }
  for (const Outage& outage : scenario.outages) size[kBlocks] += outage.partition.block_count(cluster.seat_count);
  size[kLiars] = static_cast<unsigned>(scenario.liars.size());
  for (const Crash& crash : scenario.crashes) {
    size[kRoundsDown] += static_cast<unsigned>(crash.up_from.number - crash.down_from.number);
    size[kLostMemories] += is_set(!crash.keeps_memory);
  }
  for (const Rule& rule : scenario.rules) {
    size[kExtent] += extent_of(rule, scenario, cluster);
    size[kDisturbing] += is_set(rule.action != Action::kDeliver);
    size[kDelays] += rule.delay_ticks + rule.delay_rounds;
  }
}

void add_steps(Size& size, const std::vector<Step>& steps) {
  size[kSteps] = static_cast<unsigned>(steps.size());
  for (std::size_t i = 1; i < steps.size(); ++i) size[kTurns] += is_set(steps[i].to != steps[i - 1].to);
}

void add_round(Size& size, const RoundPlan& plan, unsigned seat_count) {
  size[kEarlyTimers] += static_cast<unsigned>(plan.gives_up.size());
  size[kReceiverOrders] += static_cast<unsigned>(plan.receiver_orders.size());
  size[kBlocks] += plan.partition.block_count(seat_count);
  size[kOrders] += is_set(plan.order != Order::fifo());
  for (const ReceiverOrder& own : plan.receiver_orders) size[kOrders] += is_set(own.order != Order::fifo());
  size[kLeaders] += static_cast<unsigned>(plan.leaders.size());
  for (Identity id : plan.leaders) size[kLateNames] += index_of(id);
}

}  // namespace

Size size_of(const Scenario& scenario) {
  const Cluster cluster = sound_cluster_of(scenario);
  Size size{};
  size[kHealRounds] = scenario.heal_rounds;
  size[kRounds] = static_cast<unsigned>(scenario.rounds.size());
  size[kNodes] = scenario.node_count;
  size[kSeats] = cluster.seat_count;
  if (scenario.steps) add_steps(size, *scenario.steps);
  if (scenario.timing) size[kEarlyTimers] = static_cast<unsigned>(scenario.timing->timers_first.size());
  add_faults(size, scenario, cluster);
  for (const std::string& input : scenario.inputs) size[kInputs] += is_set(!input.empty());
  size[kOrders] = is_set(scenario.heal_order != Order::fifo());
  size[kLeaders] = static_cast<unsigned>(scenario.heal_leaders.size());
  for (std::size_t r = 0; r < scenario.rounds.size(); ++r) {
    const RoundPlan& plan = scenario.rounds[r];
    add_round(size, plan, cluster.seat_count);
    if (r == 0) continue;
    size[kPartitionChanges] += is_set(plan.partition != scenario.rounds[r - 1].partition);
    size[kLeaderChanges] += is_set(plan.leaders != scenario.rounds[r - 1].leaders);
  }
  return size;
}

}  // namespace nika::shrink
