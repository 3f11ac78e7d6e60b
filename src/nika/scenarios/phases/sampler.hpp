// Draws scenarios in which every kind of message has a partition of its own in every round, so that a phase of a round
// can be cut off. There are far too many to count through: scenario i of a seed is drawn, and is a pure function of the
// settings and i, so that any part of a sample can be run anywhere and told again.
#pragma once

#include "nika/base/bounded_vector.hpp"
#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika::phases {

// Scheduled rounds: a leader and, for each kind of message, in one half of all cases everybody hears everybody, in the
// other a partition, uniformly from those of the settings. With one_way, half of the kinds also get a set of deaf
// seats, which hear nobody. Healing rounds: where the settings ask for honest leaders, some of them are drawn to take
// turns, each after the other in a drawn order; half of the time the others follow, so that many healings are fair. The
// order of arrival is drawn with them. What compromised seats send and receive is drawn link by link for each kind,
// while honest seats hear each other; it is the same whenever the same turn comes again, since what goes on for ever
// must repeat itself. Otherwise all links work.
class Sampler final : public Generator {
 public:
  // `kind_count`: of the protocol's messages. The settings say in step3 how many scenarios there are: random:X.
  static Result<Sampler> make(const twins::Settings& settings, unsigned kind_count);

  const twins::Settings& settings() const { return settings_; }
  // The cast, the partitions and the leaders, without a selection in step 3.
  const twins::Space& space() const { return space_; }
  const Cluster& cluster() const override { return space_.cluster(); }
  std::optional<Wide> size() const override { return settings_.step3.count; }
  std::unique_ptr<IndexedSchedule> schedule() const override;

  // What is drawn for a round, counted from 0. Nothing of it allocates.
  IdentitySet leaders(twins::RoundOf where) const;
  Order order(twins::RoundOf where) const;
  void draw_links(twins::RoundOf where, KindLinks& links) const;
  // What the settings' disturbances do in the round; replaces what is in `drawn`.
  struct Disturbance {
    std::vector<Rule> rules;
    std::vector<ReceiverOrder> receiver_orders;
    SeatSet gives_up;
  };
  void disturb(twins::RoundOf where, Disturbance& drawn) const;
  // The settings' own, and drawn ones.
  void draw_crashes(Wide index, std::vector<Crash>& crashes) const;

  bool draws_healing() const { return settings_.heal_leaders != twins::HealLeaders::kLeading; }
  // They take turns in this order.
  using HealLeaders = BoundedVector<Identity, kMaxSeats * kMaxSeats / 2>;
  HealLeaders heal_leaders(Wide index) const;
  static unsigned turn_of(unsigned heal_round, const HealLeaders& leaders) {
    return leaders.empty() ? 0 : heal_round % static_cast<unsigned>(leaders.size());
  }
  Order heal_order(Wide index) const;
  // `where.round` is a turn of the leaders.
  void draw_heal_links(twins::RoundOf where, KindLinks& links) const;

  // The same as a scenario, with rules on links where links are missing.
  Scenario scenario(Wide index) const override;
  // The rules that make up the links of a round; none where everybody hears everybody.
  void add_rules(Scenario& scenario, Round round, const KindLinks& links) const;

 private:
  Sampler(const twins::Settings& settings, twins::Space space, unsigned kind_count);

  twins::Settings settings_;
  twins::Space space_;
  unsigned kind_count_;
  Reach full_;
  std::vector<Reach> reaches_;  // of each partition
};

}  // namespace nika::phases
