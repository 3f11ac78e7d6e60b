// Algorithm 1 of ByzzFuzz as a generator: the fault configuration with number i is drawn, and is a pure function of the
// settings and i. Who lies is given and the rotation of leaders is drawn, which is the same as drawing the liars for
// one rotation, but for names; where nodes count different nodes, only these liars are tried.
#pragma once

#include "nika/base/bounded_vector.hpp"
#include "nika/scenarios/byzzfuzz/lie_list.hpp"
#include "nika/scenarios/generator.hpp"

namespace nika::byzzfuzz {

// All that is drawn for one run.
struct Draw {
  std::array<Identity, kMaxSeats> rotation{};
  Order order{};  // of arrival, in all rounds
  BoundedVector<Outage, kMaxOutages> outages{};
  std::vector<Lie> lies{};  // each drawn fault as one lie for each kind of message
};

class FuzzGenerator final : public Generator {
 public:
  // The settings are sound.
  explicit FuzzGenerator(const Settings& settings);

  const Settings& settings() const { return settings_; }
  const Cluster& cluster() const override { return cluster_; }
  std::optional<Wide> size() const override { return settings_.runs; }
  std::unique_ptr<IndexedSchedule> schedule() const override;
  Scenario scenario(Wide index) const override;
  Scenario scenario(const Draw& drawn) const;

  unsigned heal_rounds() const { return heal_rounds_; }
  std::span<const LieList> lies() const { return lies_; }  // by kind of message
  // The liars, then their twins.
  unsigned liar_count() const { return static_cast<unsigned>(liars_.size()); }
  Seat liar_numbered(unsigned number) const { return liars_[number]; }
  // Allocates nothing once `draw` has room.
  void draw(Wide index, Draw& draw) const;
  // Its parts: the order of leaders; one more outage, and one more lie for each kind of message, of a protocol round.
  void draw_rotation(Random& random, Draw& draw) const;
  // Algorithm 1 has no order of arrival: where it is not drawn it is fifo.
  void draw_order(Random& random, Draw& draw) const;
  void draw_outage(Random& random, unsigned protocol_round, Draw& draw) const;
  void draw_lies(Random& random, unsigned protocol_round, Draw& draw) const;
  // Who leads a scheduled round.
  Identity leader_of(const Draw& draw, Round round) const;
  // Who leads while the network heals, in turn: everybody, unless the protocol needs more honest leaders in a row.
  BoundedVector<Identity, kMaxSeats> heal_turns(const Draw& draw) const;

 private:
  std::vector<LieList> lie_lists() const;
  SeatSet draw_receivers(Random& random) const;
  bool only_honest_heal() const;
  unsigned count_heal_rounds() const;

  const Settings settings_;
  Cluster cluster_;
  unsigned heal_rounds_ = 0;
  std::vector<Seat> liars_;
  std::vector<LieList> lies_;  // by kind of message
};

}  // namespace nika::byzzfuzz
