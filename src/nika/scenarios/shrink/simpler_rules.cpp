#include "nika/scenarios/shrink/simpler_rules.hpp"

#include <algorithm>
#include <bit>

namespace nika::shrink {
namespace {

constexpr unsigned kAllKinds = 33;

// A rule without a last round ends with the scheduled ones, but in a timed scenario it is about all views; what lies
// beyond the run does not count.
unsigned last_round_of(const Rule& rule, const Scenario& scenario) {
  const bool ends_by_healing = rule.last_round == Round(kMaxRound) && !scenario.timing;
  if (ends_by_healing) return static_cast<unsigned>(scenario.rounds.size());
  return std::min<unsigned>(rule.last_round.number, scenario.horizon());
}

unsigned round_count(const Rule& rule, const Scenario& scenario) {
  const unsigned last = last_round_of(rule, scenario);
  return last < rule.first_round.number ? 0 : last - rule.first_round.number + 1;
}

// Links that carry nothing for a rule about links, links that are named for any other.
unsigned link_count(const Rule& rule, const Cluster& cluster) {
  unsigned count = 0;
  for (Seat from : cluster.seats() & rule.from) {
    SeatSet touched = (cluster.seats() & rule.to) - SeatSet::single(from);
    if (rule.action == Action::kLinks) touched = touched - rule.reach[index_of(from)];
    count += static_cast<unsigned>(touched.size());
  }
  return count;
}

class Simplifier {
 public:
  Simplifier(const Rule& rule, const Scenario& scenario, const Cluster& cluster)
      : rule_(rule), scenario_(scenario), cluster_(cluster) {}

  std::vector<Rule> run() {
    fewer_rounds();
    fewer_kinds();
    if (rule_.action == Action::kLinks) {
      more_links();
    } else {
      fewer_seats(&Rule::from);
      fewer_seats(&Rule::to);
    }
    deliver();
    if (rule_.delay_ticks > 1) {
      propose([](Rule& rule) { rule.delay_ticks = 1; });
      propose([](Rule& rule) { --rule.delay_ticks; });
    }
    less_late();
    return std::move(proposals_);
  }

 private:
  template <class Change>
  void propose(const Change& change) {
    proposals_.push_back(rule_);
    change(proposals_.back());
  }

  void fewer_rounds() {
    if (round_count(rule_, scenario_) < 2) return;
    propose([](Rule& rule) { rule.first_round = rule.first_round.next(); });
    propose([&](Rule& rule) { rule.last_round = Round(last_round_of(rule_, scenario_) - 1); });
  }

  void fewer_kinds() {
    if (rule_.kinds == Rule{}.kinds || std::popcount(rule_.kinds) < 2) return;
    for (unsigned kind = 0; kind < 32; ++kind) {
      if ((rule_.kinds >> kind & 1U) != 0) propose([&](Rule& rule) { rule.kinds &= ~(1U << kind); });
    }
  }

  // What is late comes at once, and what comes twice comes once.
  void deliver() {
    if (rule_.action != Action::kLate && rule_.action != Action::kTwice) return;
    propose([](Rule& rule) {
      rule.action = Action::kDeliver;
      rule.delay_ticks = rule.delay_rounds = 0;
    });
  }

  // A repetition may come in the round itself; what is late comes a round later at least.
  void less_late() {
    const unsigned least = rule_.action == Action::kTwice ? 0 : 1;
    if (rule_.delay_rounds <= least) return;
    propose([&](Rule& rule) { rule.delay_rounds = static_cast<std::uint8_t>(least); });
    propose([](Rule& rule) { --rule.delay_rounds; });
  }

  // "Anyone" is as short as it gets, though it is many.
  void fewer_seats(SeatSet Rule::* seats) {
    if (rule_.*seats == Rule{}.*seats || (rule_.*seats).size() < 2) return;
    for (Seat seat : rule_.*seats) propose([&](Rule& rule) { (rule.*seats).erase(seat); });
  }

  // Blocks are merged and stay blocks; one-way links come back one by one.
  void more_links() {
    const auto partition = partition_of(rule_.reach, cluster_);
    if (!partition) return add_links();
    const unsigned blocks = partition->block_count(cluster_.seat_count);
    for (unsigned one = 0; one < blocks; ++one) {
      for (unsigned other = one + 1; other < blocks; ++other) {
        const SeatSet merged =
            partition->block(one, cluster_.seat_count) | partition->block(other, cluster_.seat_count);
        propose([&](Rule& rule) {
          for (Seat seat : merged) rule.reach[index_of(seat)] |= merged;
        });
      }
    }
  }

  void add_links() {
    for (Seat from : cluster_.seats()) {
      for (Seat to : cluster_.seats() - rule_.reach[index_of(from)]) {
        propose([&](Rule& rule) { rule.reach[index_of(from)].insert(to); });
      }
    }
  }

  const Rule& rule_;
  const Scenario& scenario_;
  const Cluster& cluster_;
  std::vector<Rule> proposals_;
};

}  // namespace

unsigned extent_of(const Rule& rule, const Scenario& scenario, const Cluster& cluster) {
  const unsigned kinds = rule.kinds == Rule{}.kinds ? kAllKinds : static_cast<unsigned>(std::popcount(rule.kinds));
  return round_count(rule, scenario) * kinds * link_count(rule, cluster);
}

std::vector<Rule> simpler_rules(const Rule& rule, const Scenario& scenario, const Cluster& cluster) {
  return Simplifier(rule, scenario, cluster).run();
}

}  // namespace nika::shrink
