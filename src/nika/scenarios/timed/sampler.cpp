#include "nika/scenarios/timed/sampler.hpp"

#include <algorithm>

namespace nika::timed {
namespace {

class Sampler {
 public:
  Sampler(Scenario& scenario, const Adversary& adversary, Random& random)
      : scenario_(scenario),
        cluster_(make_cluster(scenario.node_count, scenario.copies, scenario.client_count).value()),
        adversary_(adversary),
        random_(random) {}

  void run() {
    Timing& timing = scenario_.timing.value();
    timing.delay_ticks = static_cast<std::uint8_t>(random_.below(timing.delta_ticks + 1U));
    const SeatSet compromised = cluster_.seats() - cluster_.honest_seats();
    if (!adversary_.leaders.empty()) {
      for (RoundPlan& plan : scenario_.rounds)
        plan.leaders = adversary_.leaders[random_.below(adversary_.leaders.size())];
    }
    if (!adversary_.longest_of_kind.empty()) return delay_each();
    for (unsigned view = 1; view <= adversary_.views; ++view) {
      for (unsigned kind = 0; kind < adversary_.kinds; ++kind) {
        Rule rule;
        rule.first_round = Round(view);
        rule.last_round = Round(adversary_.goes_on && view == adversary_.views ? kMaxRound : view);
        rule.kinds = 1U << kind;
        for (Seat from : compromised) send_in_two_halves(rule, from);
        for (Seat to : compromised) delay_to_compromised(rule, to);
        for (Seat from : cluster_.honest_seats()) delay_between_honest(rule, from);
      }
    }
    // What takes Δ is in time for an honest seat's timer of Δ: that is what synchronous protocols build on.
    if (random_.below(2) == 0) timing.timers_first = some_of(compromised);
    if (adversary_.goes_on) draw_turns();
  }

 private:
  void delay_each() {
    for (unsigned view = 1; view <= adversary_.views; ++view) {
      for (unsigned kind = 0; kind < adversary_.longest_of_kind.size(); ++kind) {
        Rule rule;
        rule.first_round = rule.last_round = Round(view);
        rule.kinds = 1U << kind;
        for (Seat from : cluster_.seats()) delay_one_sender(rule, from, adversary_.longest_of_kind[kind]);
      }
    }
  }

  // What goes on for ever must repeat itself: some honest nodes, drawn with their order, take turns.
  void draw_turns() {
    std::vector<Identity>& turns = scenario_.heal_leaders;
    turns.clear();
    for (Identity id : cluster_.identities() - cluster_.compromised) turns.push_back(id);
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) std::swap(turns[i], turns[i + random_.below(turns.size() - i)]);
    if (!turns.empty()) turns.resize(1 + random_.below(turns.size()));
  }

  // One rule for all receivers with one delay. Between honest seats nothing takes longer than Δ.
  void delay_one_sender(Rule rule, Seat from, unsigned longest_ticks) {
    rule.from = SeatSet::single(from);
    std::vector<SeatSet> with_delay(longest_ticks + 1);
    for (Seat to : cluster_.seats() - rule.from) {
      const bool is_bound = cluster_.is_honest(from) && cluster_.is_honest(to);
      const unsigned most = is_bound ? std::min<unsigned>(longest_ticks, scenario_.timing->delta_ticks) : longest_ticks;
      with_delay[random_.below(most + 1U)].insert(to);
    }
    for (unsigned delay = 0; delay <= longest_ticks; ++delay) {
      rule.to = with_delay[delay];
      rule.action = delay == 0 ? Action::kDeliver : Action::kDelay;
      rule.delay_ticks = static_cast<std::uint8_t>(delay);
      if (!rule.to.empty()) scenario_.rules.push_back(rule);
    }
  }

  // Some receivers hear a compromised seat at one time, the others at another, or not at all.
  void send_in_two_halves(Rule rule, Seat from) {
    rule.from = SeatSet::single(from);
    const SeatSet first = some_of(cluster_.seats());
    for (const SeatSet half : {first, cluster_.seats() - first}) {
      rule.to = half;
      add(rule, any_delay());
    }
  }

  void delay_to_compromised(Rule rule, Seat to) {
    if (random_.below(2) == 0) return;
    rule.from = cluster_.honest_seats();
    rule.to = SeatSet::single(to);
    add(rule, any_delay());
  }

  void delay_between_honest(Rule rule, Seat from) {
    if (random_.below(4) != 0) return;
    rule.from = SeatSet::single(from);
    rule.to = some_of(cluster_.honest_seats());
    add(rule, static_cast<unsigned>(random_.below(scenario_.timing->delta_ticks + 1U)));
  }

  void add(Rule rule, unsigned delay_ticks) {
    if (rule.to.empty()) return;
    rule.action = Action::kDelay;
    if (delay_ticks == 0) rule.action = Action::kDeliver;
    if (delay_ticks > adversary_.longest_ticks) rule.action = Action::kDrop;
    if (rule.action == Action::kDelay) rule.delay_ticks = static_cast<std::uint8_t>(delay_ticks);
    scenario_.rules.push_back(rule);
  }

  // At once and never are the extremes that attacks are made of: each is as likely as all that lies between.
  unsigned any_delay() {
    const auto choice = random_.below(3);
    if (choice == 0) return 0;
    if (choice == 1) return adversary_.longest_ticks + 1;
    return 1 + static_cast<unsigned>(random_.below(adversary_.longest_ticks));
  }

  SeatSet some_of(SeatSet seats) {
    return seats & SeatSet::from_bits(static_cast<std::uint32_t>(random_.below(1U << cluster_.seat_count)));
  }

  Scenario& scenario_;
  const Cluster cluster_;
  const Adversary& adversary_;
  Random& random_;
};

}  // namespace

std::vector<IdentitySet> anybody(unsigned node_count) {
  std::vector<IdentitySet> leaders;
  for (Identity id : IdentitySet::first(node_count)) leaders.push_back(IdentitySet::single(id));
  return leaders;
}

Scenario sample(Scenario scenario, const Adversary& adversary, Random& random) {
  Sampler(scenario, adversary, random).run();
  return scenario;
}

}  // namespace nika::timed
