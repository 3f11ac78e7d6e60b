#include "nika/scenarios/shrink/candidates.hpp"

#include <algorithm>

#include "nika/scenarios/shrink/reseat.hpp"
#include "nika/scenarios/shrink/simpler_rules.hpp"

namespace nika::shrink {
namespace {

unsigned excess_of(const Scenario& scenario) {
  const auto compromised = std::ranges::count_if(scenario.copies, [](std::uint8_t copies) { return copies > 1; });
  return static_cast<unsigned>(std::max<std::ptrdiff_t>(0, compromised - scenario.fault_count));
}

bool keeps_thresholds(const Scenario& smaller, const Scenario& scenario) {
  // Synchronous protocols tolerate half of the nodes.
  const auto resilient = [](const Scenario& s) { return s.node_count > (s.timing ? 2 : 3) * s.fault_count; };
  if (resilient(scenario) && !resilient(smaller)) return false;
  if (scenario.fault_count > 0 && smaller.fault_count == 0) return false;
  return excess_of(smaller) <= excess_of(scenario);
}

class Proposer {
 public:
  explicit Proposer(const Scenario& scenario)
      : scenario_(scenario), cluster_(sound_cluster_of(scenario)), size_(size_of(scenario)) {}

  std::vector<Scenario> run(Property property) {
    if (property != Property::kTermination) fewer_healing_rounds();
    for (std::size_t r = scenario_.rounds.size(); r > 0; --r) drop_round(r - 1);
    for (Identity id : cluster_.identities()) drop_node(id);
    for (Seat seat : cluster_.seats() - cluster_.honest_seats()) drop_twin(seat);
    drop_faults();
    for (std::size_t i = 0; i < scenario_.rules.size(); ++i) simplify_rule(i);
    fewer_inputs();
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) merge_blocks(r);
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) plain_order(r);
    propose_with([](Scenario& s) { s.heal_order = Order::fifo(); });
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) simpler_leaders(r);
    for (std::size_t r = 1; r < scenario_.rounds.size(); ++r) same_partition(r);
    return std::move(proposals_);
  }

 private:
  void propose(Scenario smaller) {
    if (!(size_of(smaller) < size_) || !keeps_thresholds(smaller, scenario_)) return;
    if (!check_healing(smaller)) return;  // a seat that became honest may not be kept apart
    if (std::ranges::find(proposals_, smaller) == proposals_.end()) proposals_.push_back(std::move(smaller));
  }

  template <class Change>
  void propose_with(const Change& change) {
    Scenario smaller = scenario_;
    change(smaller);
    propose(std::move(smaller));
  }

  // What happened in later rounds now happens one round earlier.
  void drop_round(std::size_t r) {
    if (scenario_.rounds.size() == 1) return;
    propose_with([&](Scenario& s) {
      const Round dropped(static_cast<unsigned>(r + 1));
      s.rounds.erase(s.rounds.begin() + static_cast<std::ptrdiff_t>(r));
      for (Crash& crash : s.crashes) {
        if (crash.down_from > dropped) crash.down_from = crash.down_from.previous();
        if (crash.up_from > dropped) crash.up_from = crash.up_from.previous();
      }
      std::erase_if(s.crashes, [](const Crash& crash) { return crash.down_from >= crash.up_from; });
      for (Rule& rule : s.rules) {
        if (rule.first_round > dropped) rule.first_round = rule.first_round.previous();
        if (rule.last_round >= dropped && rule.last_round != Round(kMaxRound))
          rule.last_round = rule.last_round.previous();
      }
      std::erase_if(s.rules, [](const Rule& rule) { return rule.first_round > rule.last_round; });
    });
  }

  // Healing rounds are fully connected; as scheduled ones they can be dropped one by one.
  static void schedule_healing(Scenario& s) {
    for (unsigned h = 0; h < s.heal_rounds; ++h) {
      s.rounds.push_back({IdentitySet::single(s.heal_leaders[h % s.heal_leaders.size()]), {}, s.heal_order});
    }
    s.heal_rounds = 0;
  }

  void fewer_healing_rounds() {
    if (scenario_.heal_rounds > 0 && !scenario_.heal_leaders.empty()) {
      propose_with([](Scenario& s) { s.heal_rounds = 0; });
      propose_with([](Scenario& s) { --s.heal_rounds; });
      propose_with(schedule_healing);
    }
    if (scenario_.heal_leaders.size() > 1) propose_with([](Scenario& s) { s.heal_leaders.resize(1); });
  }

  // Seats that stay keep their order among those of their identity.
  Reseating without(SeatSet gone) const {
    Reseating reseating;
    unsigned next = 0;
    for (Identity id : cluster_.identities()) {
      const SeatSet left = cluster_.seats_of_identity(id) - gone;
      if (left.empty()) continue;
      reseating.identity[index_of(id)] = static_cast<Identity>(next++);
      reseating.copies.push_back(static_cast<std::uint8_t>(left.size()));
    }
    reseating.node_count = static_cast<std::uint8_t>(next);
    reseating.fault_count = scenario_.fault_count;
    const Cluster to = make_cluster(next, reseating.copies).value();
    for (Identity id : cluster_.identities()) {
      const auto moved = reseating.identity[index_of(id)];
      if (!moved) continue;
      auto place = to.seats_of_identity(*moved).begin();
      for (Seat seat : cluster_.seats_of_identity(id) - gone) {
        reseating.seat[index_of(seat)] = *place;
        ++place;
      }
    }
    return reseating;
  }

  void drop_node(Identity id) {
    if (scenario_.node_count == 1) return;
    Reseating reseating = without(cluster_.seats_of_identity(id));
    propose(reseated(scenario_, reseating));
    // Fewer nodes may tolerate fewer faults.
    if (reseating.fault_count == 0) return;
    --reseating.fault_count;
    propose(reseated(scenario_, reseating));
  }

  void drop_twin(Seat seat) { propose(reseated(scenario_, without(SeatSet::single(seat)))); }

  void drop_faults() {
    for (std::size_t i = 0; i < scenario_.rules.size(); ++i) {
      propose_with([&](Scenario& s) { s.rules.erase(s.rules.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    for (std::size_t i = 0; i < scenario_.crashes.size(); ++i) {
      propose_with([&](Scenario& s) { s.crashes.erase(s.crashes.begin() + static_cast<std::ptrdiff_t>(i)); });
      const Crash& crash = scenario_.crashes[i];
      if (crash.up_from.number <= crash.down_from.number + 1) continue;
      propose_with([&](Scenario& s) { s.crashes[i].up_from = crash.up_from.previous(); });
      propose_with([&](Scenario& s) { s.crashes[i].down_from = crash.down_from.next(); });
    }
  }

  void simplify_rule(std::size_t i) {
    for (const Rule& simpler : simpler_rules(scenario_.rules[i], scenario_, cluster_)) {
      propose_with([&](Scenario& s) { s.rules[i] = simpler; });
    }
  }

  void fewer_inputs() {
    if (scenario_.inputs.empty()) return;
    propose_with([](Scenario& s) { s.inputs.clear(); });
    for (std::size_t i = 0; i < scenario_.inputs.size(); ++i) {
      if (scenario_.inputs[i].empty()) continue;
      propose_with([&](Scenario& s) {
        s.inputs[i].clear();
        if (std::ranges::all_of(s.inputs, &std::string::empty)) s.inputs.clear();
      });
    }
  }

  void merge_blocks(std::size_t r) {
    const unsigned blocks = scenario_.rounds[r].partition.block_count(cluster_.seat_count);
    for (unsigned one = 0; one < blocks; ++one) {
      for (unsigned other = one + 1; other < blocks; ++other) {
        propose_with([&](Scenario& s) {
          Partition& partition = s.rounds[r].partition;
          for (Seat seat : cluster_.seats()) {
            if (partition.block_of[index_of(seat)] == other)
              partition.block_of[index_of(seat)] = static_cast<std::uint8_t>(one);
          }
          partition.normalize(cluster_.seat_count);
        });
      }
    }
  }

  void plain_order(std::size_t r) {
    propose_with([&](Scenario& s) { s.rounds[r].order = Order::fifo(); });
  }

  void simpler_leaders(std::size_t r) {
    if (r > 0) propose_with([&](Scenario& s) { s.rounds[r].leaders = s.rounds[r - 1].leaders; });
    for (Identity id : cluster_.identities()) {
      propose_with([&](Scenario& s) { s.rounds[r].leaders = IdentitySet::single(id); });
    }
  }

  void same_partition(std::size_t r) {
    propose_with([&](Scenario& s) { s.rounds[r].partition = s.rounds[r - 1].partition; });
  }

  const Scenario& scenario_;
  Cluster cluster_;
  Size size_;
  std::vector<Scenario> proposals_;
};

}  // namespace

Size size_of(const Scenario& scenario) {
  const Cluster cluster = sound_cluster_of(scenario);
  Size size{};
  size[0] = scenario.heal_rounds;
  size[1] = static_cast<unsigned>(scenario.rounds.size());
  size[2] = scenario.node_count;
  size[3] = cluster.seat_count;
  size[4] = static_cast<unsigned>(scenario.rules.size() + scenario.crashes.size());
  for (const Crash& crash : scenario.crashes)
    size[5] += static_cast<unsigned>(crash.up_from.number - crash.down_from.number);
  for (const Rule& rule : scenario.rules) {
    size[6] += extent_of(rule, scenario, cluster);
    size[7] += rule.delay_ticks;
  }
  for (const std::string& input : scenario.inputs) size[8] += input.empty() ? 0 : 1;
  size[10] = scenario.heal_order == Order::fifo() ? 0 : 1;
  size[11] = static_cast<unsigned>(scenario.heal_leaders.size());
  for (std::size_t r = 0; r < scenario.rounds.size(); ++r) {
    const RoundPlan& plan = scenario.rounds[r];
    size[9] += plan.partition.block_count(cluster.seat_count);
    size[10] += plan.order == Order::fifo() ? 0 : 1;
    size[11] += static_cast<unsigned>(plan.leaders.size());
    if (r > 0) {
      size[12] += plan.partition == scenario.rounds[r - 1].partition ? 0 : 1;
      size[13] += plan.leaders == scenario.rounds[r - 1].leaders ? 0 : 1;
    }
    for (Identity id : plan.leaders) size[14] += index_of(id);
  }
  return size;
}

std::vector<Scenario> candidates(const Scenario& scenario, Property property) {
  return Proposer(scenario).run(property);
}

}  // namespace nika::shrink
