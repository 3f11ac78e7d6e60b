#include "nika/scenarios/shrink/candidates.hpp"

#include <algorithm>
#include <map>

#include "nika/base/fingerprint.hpp"
#include "nika/scenarios/shrink/key.hpp"
#include "nika/scenarios/shrink/reseat.hpp"
#include "nika/scenarios/shrink/simpler_rules.hpp"

namespace nika::shrink {
namespace {

// Who forgets what it promised is as good as a liar.
unsigned excess_of(const Scenario& scenario) {
  const Cluster cluster = sound_cluster_of(scenario);
  IdentitySet faulty = cluster.compromised;
  for (const Crash& crash : scenario.crashes) {
    if (!crash.keeps_memory) faulty.insert(cluster.identity(crash.seat));
  }
  return static_cast<unsigned>(std::max(0, faulty.size() - scenario.fault_count));
}

// A message that waits while a round goes by waits one round less if that round is gone.
void arrive_without(Round dropped, Rule& rule) {
  const bool waits = rule.action == Action::kLate || rule.action == Action::kTwice;
  const bool goes_by = rule.last_round < dropped && rule.first_round.number + rule.delay_rounds > dropped.number;
  if (waits && goes_by) --rule.delay_rounds;
}

bool keeps_thresholds(const Scenario& smaller, const Scenario& scenario) {
  // Synchronous protocols tolerate half of the nodes.
  const auto resilient = [](const Scenario& s) { return s.node_count > (s.timing ? 2 : 3) * s.fault_count; };
  if (resilient(scenario) && !resilient(smaller)) return false;
  if (smaller.fault_count > smaller.node_count && scenario.fault_count <= scenario.node_count) return false;
  if (scenario.fault_count > 0 && smaller.fault_count == 0) return false;
  return excess_of(smaller) <= excess_of(scenario);
}

class Proposer {
 public:
  explicit Proposer(const Scenario& scenario)
      : scenario_(scenario), cluster_(sound_cluster_of(scenario)), size_(size_of(scenario)) {}

  std::vector<Scenario> run(bool keeps_healing) {
    if (!keeps_healing) fewer_healing_rounds();
    for (std::size_t r = scenario_.rounds.size(); r > 0; --r) drop_round(r - 1);
    for (Identity id : cluster_.identities()) drop_node(id);
    for (Seat seat : cluster_.seats() - cluster_.honest_seats()) drop_twin(seat);
    fewer_steps();
    drop_faults();
    fewer_lies();
    fewer_early_timers();
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) fewer_receiver_orders(r);
    for (std::size_t i = 0; i < scenario_.rules.size(); ++i) simplify_rule(i);
    fewer_inputs();
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) merge_blocks(r);
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) plain_order(r);
    propose_with([](Scenario& s) { s.heal_order = Order::fifo(); });
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) simpler_leaders(r);
    for (std::size_t r = 1; r < scenario_.rounds.size(); ++r) same_partition(r);
    for (std::size_t r = 1; r < scenario_.rounds.size(); ++r) same_round(r);
    fewer_turns();
    return std::move(proposals_);
  }

 private:
  void propose(Scenario smaller) {
    if (!(size_of(smaller) < size_) || !keeps_thresholds(smaller, scenario_)) return;
    if (!check_healing(smaller) || !check_synchrony(smaller)) return;
    if (!check_lies(smaller, sound_cluster_of(smaller))) return;
    if (is_new(smaller)) proposals_.push_back(std::move(smaller));
  }

  // There are thousands of long scenarios, so only those with equal fingerprints are compared.
  bool is_new(const Scenario& smaller) {
    const auto key = key_of(smaller);
    const Fingerprint fingerprint = fingerprint_of(key.data(), key.size() * sizeof(key[0]));
    const auto [first, last] = positions_.equal_range(fingerprint);
    const auto same = std::find_if(first, last, [&](const auto& known) { return proposals_[known.second] == smaller; });
    if (same != last) return false;
    positions_.emplace(fingerprint, proposals_.size());
    return true;
  }

  template <class Change>
  void propose_with(const Change& change) {
    Scenario smaller = scenario_;
    change(smaller);
    propose(std::move(smaller));
  }

  // A seat that became honest is heard, and in time: the rules that would keep it apart go.
  void propose_sound(Scenario smaller) {
    const Cluster cluster = sound_cluster_of(smaller);
    std::vector<Rule> sound;
    for (const Rule& rule : smaller.rules) {
      if (!check_healing(rule, smaller, cluster)) continue;
      if (smaller.timing && !check_synchrony(rule, *smaller.timing, cluster)) continue;
      sound.push_back(rule);
    }
    smaller.rules = std::move(sound);
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
        arrive_without(dropped, rule);
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
    propose_sound(reseated(scenario_, reseating));
    // Fewer nodes may tolerate fewer faults.
    if (reseating.fault_count == 0) return;
    --reseating.fault_count;
    propose_sound(reseated(scenario_, reseating));
  }

  void drop_twin(Seat seat) { propose_sound(reseated(scenario_, without(SeatSet::single(seat)))); }

  // Halves, quarters, … down to single steps, the last ones first: a shorter prefix is what most often still fits.
  void fewer_steps() {
    if (!scenario_.steps) return;
    const std::size_t count = scenario_.steps->size();
    for (std::size_t length = count; length > 0; length /= 2) {
      for (std::size_t end = count; end > 0; end -= std::min(end, length)) {
        const std::size_t begin = end - std::min(end, length);
        propose_with([&](Scenario& s) {
          s.steps->erase(s.steps->begin() + static_cast<std::ptrdiff_t>(begin),
                         s.steps->begin() + static_cast<std::ptrdiff_t>(end));
        });
      }
    }
  }

  // All that happens to a seat before anything else does, as far as that can be: its next turn at once, or its last one
  // later.
  void fewer_turns() {
    if (!scenario_.steps) return;
    const std::vector<Step>& steps = *scenario_.steps;
    const auto turn_end = [&](std::size_t begin) {
      std::size_t end = begin;
      while (end < steps.size() && steps[end].to == steps[begin].to) ++end;
      return end;
    };
    for (std::size_t begin = 0; begin < steps.size(); begin = turn_end(begin)) {
      const std::size_t end = turn_end(begin);
      std::size_t next = end;
      while (next < steps.size() && steps[next].to != steps[begin].to) ++next;
      if (next == steps.size()) continue;
      const auto rotate = [&](std::size_t first, std::size_t middle, std::size_t last) {
        propose_with([&](Scenario& s) {
          const auto at = [&](std::size_t i) { return s.steps->begin() + static_cast<std::ptrdiff_t>(i); };
          std::rotate(at(first), at(middle), at(last));
        });
      };
      rotate(end, next, turn_end(next));
      rotate(begin, end, next);
    }
  }

  void drop_faults() {
    for (std::size_t i = 0; i < scenario_.rules.size(); ++i) {
      propose_with([&](Scenario& s) { s.rules.erase(s.rules.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    for (std::size_t i = 0; i < scenario_.outages.size(); ++i) {
      propose_with([&](Scenario& s) { s.outages.erase(s.outages.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    for (std::size_t i = 0; i < scenario_.lies.size(); ++i) {
      propose_with([&](Scenario& s) { s.lies.erase(s.lies.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    propose_with([](Scenario& s) { s.lies_go_on = false; });
    for (std::size_t i = 0; i < scenario_.crashes.size(); ++i) {
      propose_with([&](Scenario& s) { s.crashes.erase(s.crashes.begin() + static_cast<std::ptrdiff_t>(i)); });
      const Crash& crash = scenario_.crashes[i];
      propose_with([&](Scenario& s) { s.crashes[i].keeps_memory = true; });
      if (crash.up_from.number <= crash.down_from.number + 1) continue;
      propose_with([&](Scenario& s) { s.crashes[i].up_from = crash.up_from.previous(); });
      propose_with([&](Scenario& s) { s.crashes[i].down_from = crash.down_from.next(); });
    }
  }

  // Fewer receivers, smaller lies, fewer liars, and outages that part fewer.
  void fewer_lies() {
    for (std::size_t i = 0; i < scenario_.lies.size(); ++i) {
      const Lie& lie = scenario_.lies[i];
      for (Seat seat : lie.to) {
        if (lie.to.size() > 1) propose_with([&](Scenario& s) { s.lies[i].to.erase(seat); });
      }
      const auto say = [&](Twist twist, std::uint16_t argument) {
        propose_with([&](Scenario& s) {
          s.lies[i].twist = twist;
          s.lies[i].argument = argument;
        });
      };
      for (const Twist twist :
           {Twist::kOmit, Twist::kRepeat, Twist::kLeaveOut, Twist::kRaise, Twist::kLower, Twist::kSeen})
        say(twist, 0);
      if (lie.argument > 0) say(lie.twist, 0);
      if (lie.argument > 0) say(lie.twist, static_cast<std::uint16_t>(lie.argument - 1));
    }
    for (Identity id : scenario_.liars) {
      const SeatSet seats = cluster_.seats_of_identity(id);
      propose_with([&](Scenario& s) {
        s.liars.erase(id);
        if (seats.size() == 1) std::erase_if(s.lies, [&](const Lie& lie) { return seats.contains(lie.from); });
      });
    }
    for (std::size_t i = 0; i < scenario_.outages.size(); ++i) merge_outage(i);
  }

  void merge_outage(std::size_t i) {
    const unsigned blocks = scenario_.outages[i].partition.block_count(cluster_.seat_count);
    for (unsigned other = 1; other < blocks; ++other) {
      for (unsigned one = 0; one < other; ++one) {
        propose_with([&](Scenario& s) {
          Partition& partition = s.outages[i].partition;
          for (std::uint8_t& block : partition.block_of) {
            if (block == other) block = static_cast<std::uint8_t>(one);
          }
          partition.normalize(cluster_.seat_count);
        });
      }
    }
  }

  void fewer_early_timers() {
    if (scenario_.timing) {
      propose_with([](Scenario& s) { s.timing->timers_first = {}; });
      for (Seat seat : scenario_.timing->timers_first) {
        propose_with([&](Scenario& s) { s.timing->timers_first.erase(seat); });
      }
    }
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) {
      propose_with([&](Scenario& s) { s.rounds[r].gives_up = {}; });
      for (Seat seat : scenario_.rounds[r].gives_up) {
        propose_with([&](Scenario& s) { s.rounds[r].gives_up.erase(seat); });
      }
    }
  }

  // A receiver handles what arrives as all do, or all as it does.
  void fewer_receiver_orders(std::size_t r) {
    propose_with([&](Scenario& s) { s.rounds[r].receiver_orders.clear(); });
    for (std::size_t i = 0; i < scenario_.rounds[r].receiver_orders.size(); ++i) {
      const auto drop = [&](RoundPlan& plan) {
        plan.receiver_orders.erase(plan.receiver_orders.begin() + static_cast<std::ptrdiff_t>(i));
      };
      propose_with([&](Scenario& s) { drop(s.rounds[r]); });
      propose_with([&](Scenario& s) {
        s.rounds[r].order = s.rounds[r].receiver_orders[i].order;
        drop(s.rounds[r]);
      });
      propose_with([&](Scenario& s) { s.rounds[r].receiver_orders[i].order = Order::fifo(); });
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

  // All of it at once, so that a loop of several rounds can become one of a single round.
  void same_round(std::size_t r) {
    propose_with([&](Scenario& s) { s.rounds[r] = s.rounds[r - 1]; });
  }

  const Scenario& scenario_;
  Cluster cluster_;
  Size size_;
  std::vector<Scenario> proposals_;
  std::multimap<Fingerprint, std::size_t> positions_;  // of the proposals
};

}  // namespace

std::vector<Scenario> candidates(const Scenario& scenario, bool keeps_healing) {
  return Proposer(scenario).run(keeps_healing);
}

}  // namespace nika::shrink
