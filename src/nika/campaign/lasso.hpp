// Lasso detection (Algorithm 2 and section V-C of "Liveness Checking of the HotStuff Protocol Family"): one graph of
// the transitions between partial states over all executions of a campaign, and its cycles of hot states. A cycle is
// seldom gone through by one execution alone; so it is a candidate, and no proof, that the system can stay hot for
// ever.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"
#include "nika/properties/partial_trail.hpp"

namespace nika {

// Keeps different transitions between hot states only: no other can be on a cycle of hot states. For one thread; the
// graphs of several add up to the same whatever the threads did.
class TransitionGraph {
 public:
  static constexpr std::size_t kUsualLimit = std::size_t{1} << 22U;

  struct Transition {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    auto operator<=>(const Transition&) const = default;
  };

  explicit TransitionGraph(std::size_t limit = kUsualLimit) : limit_(limit) {}

  // The states of one execution after each of its rounds. False if it has no transition between hot states.
  bool add(std::span<const PartialSystemState> trail);
  void add(const TransitionGraph& other);

  std::size_t size() const { return transitions_.size(); }
  // More different transitions than the limit were seen: the graph is incomplete, and says nothing.
  bool is_full() const { return is_full_; }
  // In ascending order.
  std::vector<Transition> transitions() const;

 private:
  void insert(const Transition& transition);

  struct Hash {
    std::size_t operator()(const Transition& t) const { return mix64(t.from ^ mix64(t.to)); }
  };
  std::unordered_set<Transition, Hash> transitions_;
  std::size_t limit_;
  bool is_full_ = false;
};

// The cycles of a graph: a transition is on one exactly if both its states are in one strongly connected component
// (Tarjan 1972, in time linear in states and transitions); a state that is its own successor is a cycle.
class HotCycles {
 public:
  // The graph must not be full.
  explicit HotCycles(const TransitionGraph& graph);

  bool has(const TransitionGraph::Transition& transition) const;
  // After how many rounds the execution has first gone along a cycle; 0 if never.
  unsigned rounds_until_lasso(std::span<const PartialSystemState> trail) const;

  std::size_t state_count() const { return states_.size(); }
  std::size_t transition_count() const { return transitions_on_cycles_; }  // on cycles

 private:
  std::uint32_t position_of(std::uint64_t state) const;  // state_count() if there is no such state

  std::vector<std::uint64_t> states_;  // ascending
  std::vector<std::uint32_t> component_of_;
  std::size_t transitions_on_cycles_ = 0;
};

}  // namespace nika
