// The space of scenarios that some settings describe: a scenario is an index into it, made when it is asked for.
// Plain and immutable after make(); it never runs anything and never stores a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nika/model/cluster.hpp"
#include "nika/model/scenario.hpp"
#include "nika/scenarios/twins/counts.hpp"
#include "nika/scenarios/twins/healings.hpp"
#include "nika/scenarios/twins/keyed_permutation.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

// What one round can be: positions in partitions() and orders(), and who leads.
struct Configuration {
  std::uint32_t partition = 0;
  IdentitySet leaders;
  std::uint32_t order = 0;

  bool operator==(const Configuration&) const = default;
};

// A round of a scenario: the scenario's index in its space, and the round counted from 0.
struct RoundOf {
  Wide index = 0;
  unsigned round = 0;
};

class Space {
 public:
  // Configurations are held in memory; step selections keep their number down.
  static constexpr std::uint32_t kMaxConfigurations = 1U << 24U;

  static Result<Space> make(const Settings& settings);

  const Settings& settings() const { return settings_; }
  const Cluster& cluster() const { return cluster_; }
  const Counts& counts() const { return counts_; }
  const std::vector<Partition>& partitions() const { return partitions_; }
  const std::vector<IdentitySet>& leader_sets() const { return leader_sets_; }
  // Neighbours in number have nothing in common: they were drawn.
  bool is_shuffled() const { return shuffle_.has_value() || draws_rounds_; }
  const std::vector<Order>& orders() const { return orders_; }
  const std::vector<Configuration>& configurations() const { return configurations_; }
  // Every identity that leads in some configuration.
  IdentitySet leading() const { return leading_; }
  // How the network heals after the rounds: each scenario of rounds comes with each of them.
  const Healings& healings() const { return healings_; }
  unsigned rounds() const { return settings_.rounds; }

  // The number of scenarios after the selection of step 3; nothing if it is 2^128 or more.
  std::optional<Wide> size() const { return size_; }

  // The configuration of each round; O(rounds), never allocates. Indices follow the lexicographic order of the
  // sequences of configurations, unless step 3 selects at random.
  void unrank(Wide index, std::span<std::uint32_t> configuration_of_round) const;
  // How it heals; indices next to each other differ by that alone, unless step 3 selects at random.
  std::uint32_t healing_of(Wide index) const;
  // The inverse. Nothing if the sequence is not in the space.
  std::optional<Wide> rank(std::span<const std::uint32_t> configuration_of_round, std::uint32_t healing = 0) const;

  RoundPlan plan(const Configuration& configuration) const;
  // The order of delivery of one round. Only a sampled order depends on more than the configuration.
  Order order(const Configuration& configuration, RoundOf where) const;
  // Calls nothing, allocates one vector: the whole scenario, ready to run or to save.
  Scenario scenario(Wide index) const;
  Scenario scenario(Wide index, std::span<const std::uint32_t> configuration_of_round, std::uint32_t healing = 0) const;
  Result<Wide> rank(const Scenario& scenario) const;

 private:
  Space() = default;
  void fill_partitions();
  void fill_orders();
  void fill_configurations();
  Result<std::uint32_t> configuration_of(const RoundPlan& plan, unsigned round) const;
  bool before(const Configuration& a, const Configuration& b) const;
  std::size_t leader_position(IdentitySet leaders) const;
  void draw_rounds(Wide index, std::span<std::uint32_t> configuration_of_round) const;
  // In the order of the whole space, before step 3.
  Wide position_of(Wide index) const { return shuffle_ ? (*shuffle_)(index) : index; }
  std::optional<std::uint32_t> healing_of(const Scenario& scenario) const;
  Order sampled_order(RoundOf where) const;

  Settings settings_;
  Cluster cluster_;
  Counts counts_;
  std::vector<Partition> partitions_;
  std::vector<IdentitySet> leader_sets_;
  std::vector<Order> orders_;
  std::vector<Configuration> configurations_;
  IdentitySet leading_;
  Healings healings_;
  std::optional<Wide> size_;
  std::optional<KeyedPermutation> shuffle_;  // for a random selection in step 3
  bool draws_rounds_ = false;                // the same where there are too many scenarios to shuffle
};

}  // namespace nika::twins
