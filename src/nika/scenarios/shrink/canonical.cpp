#include "nika/scenarios/shrink/canonical.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "nika/scenarios/shrink/reseat.hpp"

namespace nika::shrink {
namespace {

std::uint64_t factorial(std::size_t n) {
  std::uint64_t result = 1;
  for (std::size_t i = 2; i <= n; ++i) result *= i;
  return result;
}

// A total order on scenarios of one cluster; any will do.
std::vector<std::uint32_t> key_of(const Scenario& scenario) {
  std::vector<std::uint32_t> key;
  for (const RoundPlan& plan : scenario.rounds) {
    key.push_back(plan.leaders.bits());
    key.insert(key.end(), plan.partition.block_of.begin(), plan.partition.block_of.end());
    key.insert(key.end(), plan.order.rank.begin(), plan.order.rank.end());
    key.push_back(plan.order.own_first ? 1 : 0);
  }
  for (Identity id : scenario.heal_leaders) key.push_back(index_of(id));
  key.insert(key.end(), scenario.heal_order.rank.begin(), scenario.heal_order.rank.end());
  // Inputs are compared by who shares them.
  for (const std::string& input : scenario.inputs) {
    const auto first = std::ranges::find(scenario.inputs, input) - scenario.inputs.begin();
    key.push_back(input.empty() ? kMaxSeats : static_cast<std::uint32_t>(first));
  }
  for (const Rule& rule : scenario.rules) {
    key.push_back(rule.from.bits());
    key.push_back(rule.to.bits());
    for (const SeatSet seats : rule.reach) key.push_back(seats.bits());
  }
  for (const Crash& crash : scenario.crashes) key.push_back(index_of(crash.seat));
  return key;
}

class Search {
 public:
  explicit Search(const Scenario& scenario) : scenario_(scenario), cluster_(sound_cluster_of(scenario)) {
    for (Identity id : cluster_.identities()) groups_[cluster_.seats_of_identity(id).size()].push_back(id);
    for (const auto& [copies, members] : groups_) {
      for (Identity id : members) original_.push_back(id);
    }
  }

  Scenario run() {
    best_ = scenario_;
    sort_crashes(best_);
    if (count() > kMaxRenamings) return best_;
    best_key_ = key_of(best_);
    for (Identity id : cluster_.identities()) {
      seats_.emplace_back();
      for (Seat seat : cluster_.seats_of_identity(id)) seats_.back().push_back(seat);
    }
    permute_groups(groups_.begin());
    return best_;
  }

 private:
  using Groups = std::map<int, std::vector<Identity>>;

  std::uint64_t count() const {
    std::uint64_t renamings = 1;
    for (const auto& [copies, members] : groups_) {
      const auto mul = [&](std::uint64_t factor) {
        renamings = std::min<std::uint64_t>(renamings * factor, kMaxRenamings + 1);
      };
      mul(std::min<std::uint64_t>(factorial(members.size()), kMaxRenamings + 1));
      for (std::size_t i = 0; i < members.size(); ++i) {
        mul(std::min<std::uint64_t>(factorial(static_cast<std::size_t>(copies)), kMaxRenamings + 1));
      }
    }
    return renamings;
  }

  void permute_groups(Groups::iterator group) {
    if (group == groups_.end()) return permute_seats(0);
    do {
      permute_groups(std::next(group));
    } while (std::ranges::next_permutation(group->second).found);
  }

  void permute_seats(std::size_t identity) {
    if (identity == seats_.size()) return consider();
    do {
      permute_seats(identity + 1);
    } while (std::ranges::next_permutation(seats_[identity]).found);
  }

  void consider() {
    Reseating reseating;
    reseating.copies = scenario_.copies;
    reseating.node_count = scenario_.node_count;
    reseating.fault_count = scenario_.fault_count;
    auto from = original_.begin();
    for (const auto& [copies, members] : groups_) {
      for (Identity to : members) {
        reseating.identity[index_of(*from)] = to;
        auto place = seats_[index_of(to)].begin();
        for (Seat seat : cluster_.seats_of_identity(*from)) reseating.seat[index_of(seat)] = *place++;
        ++from;
      }
    }
    Scenario renamed = reseated(scenario_, reseating);
    sort_crashes(renamed);
    auto key = key_of(renamed);
    if (key >= best_key_) return;
    best_ = std::move(renamed);
    best_key_ = std::move(key);
  }

  static void sort_crashes(Scenario& scenario) {
    std::ranges::sort(scenario.crashes, {}, [](const Crash& crash) {
      return std::tuple(crash.down_from, crash.up_from, crash.keeps_memory, crash.seat);
    });
  }

  const Scenario& scenario_;
  Cluster cluster_;
  Groups groups_;
  std::vector<Identity> original_;
  std::vector<std::vector<Seat>> seats_;  // of each identity, permuted
  Scenario best_;
  std::vector<std::uint32_t> best_key_;
};

}  // namespace

// Notes and the names of inputs tell nothing apart.
Scenario canonical_form(const Scenario& scenario) {
  const Scenario plain = without_notes(scenario);
  Scenario form = Search(plain).run();
  const std::vector<std::string> old = form.inputs;
  for (std::size_t s = 0; s < old.size(); ++s) {
    const auto first = std::ranges::find(old, old[s]) - old.begin();
    if (!old[s].empty()) form.inputs[s] = "v" + std::to_string(first + 1);
  }
  return form;
}

}  // namespace nika::shrink
