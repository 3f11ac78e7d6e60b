#include "nika/scenarios/shrink/canonical.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "nika/scenarios/shrink/key.hpp"
#include "nika/scenarios/shrink/reseat.hpp"

namespace nika::shrink {
namespace {

std::uint64_t factorial(std::size_t n) {
  std::uint64_t result = 1;
  for (std::size_t i = 2; i <= n; ++i) result *= i;
  return result;
}

// What keeps its own name under any names of seats: fifo, reversed, turns by name. A renaming must not make one of them
// of an order that is given seat by seat: it would then be taken for the other.
std::vector<std::uint8_t> named_orders(const Scenario& scenario, const Cluster& cluster) {
  std::vector<std::uint8_t> names{std::uint8_t{std::ranges::is_sorted(scenario.heal_leaders)}};
  const auto add = [&](const Order& order) {
    names.push_back(order == Order::fifo() ? 0 : order == Order::reversed(cluster.seat_count) ? 1 : 2);
  };
  add(scenario.heal_order);
  for (const RoundPlan& plan : scenario.rounds) {
    add(plan.order);
    // In the order of the list, which only the names of receivers decide later.
    for (const ReceiverOrder& own : plan.receiver_orders) add(own.order);
  }
  return names;
}

class Search {
 public:
  explicit Search(const Scenario& scenario)
      : scenario_(scenario), cluster_(sound_cluster_of(scenario)), named_orders_(named_orders(scenario, cluster_)) {
    for (Identity id : cluster_.identities()) groups_[cluster_.seats_of_identity(id).size()].push_back(id);
    for (const auto& [copies, members] : groups_) {
      for (Identity id : members) original_.push_back(id);
    }
  }

  Scenario run() {
    for (Identity id : cluster_.identities()) {
      seats_.emplace_back();
      for (Seat seat : cluster_.seats_of_identity(id)) seats_.back().push_back(seat);
    }
    consider();
    if (count() <= kMaxRenamings) permute_groups(groups_.begin());
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
    Reseating reseating = unmoved(scenario_);
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
    if (named_orders(renamed, cluster_) != named_orders_) return;
    sort_lists(renamed);
    auto key = key_of(renamed);
    if (!best_key_.empty() && key >= best_key_) return;
    best_ = std::move(renamed);
    best_key_ = std::move(key);
  }

  // Lists whose order says nothing.
  static void sort_lists(Scenario& scenario) {
    std::ranges::sort(scenario.crashes, {}, [](const Crash& crash) {
      return std::tuple(crash.down_from, crash.up_from, crash.keeps_memory, crash.seat);
    });
    std::ranges::stable_sort(scenario.outages, {}, &Outage::protocol_round);
    std::ranges::stable_sort(scenario.lies, {},
                             [](const Lie& lie) { return std::tuple(lie.protocol_round, lie.from, lie.kind); });
    for (RoundPlan& plan : scenario.rounds) {
      std::ranges::stable_sort(plan.receiver_orders, {}, &ReceiverOrder::receiver);
    }
  }

  const Scenario& scenario_;
  Cluster cluster_;
  std::vector<std::uint8_t> named_orders_;
  Groups groups_;
  std::vector<Identity> original_;
  std::vector<std::vector<Seat>> seats_;  // of each identity, permuted
  Scenario best_;
  std::vector<std::uint32_t> best_key_;
};

}  // namespace

// Notes, the names of inputs and the numbers of blocks and ranks tell nothing apart.
Scenario canonical_form(const Scenario& scenario) {
  const Scenario plain = reseated(without_notes(scenario), unmoved(scenario));
  Scenario form = Search(plain).run();
  const std::vector<std::string> old = form.inputs;
  for (std::size_t s = 0; s < old.size(); ++s) {
    const auto first = std::ranges::find(old, old[s]) - old.begin();
    if (!old[s].empty()) form.inputs[s] = "v" + std::to_string(first + 1);
  }
  return form;
}

}  // namespace nika::shrink
