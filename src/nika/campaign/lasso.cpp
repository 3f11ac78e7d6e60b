#include "nika/campaign/lasso.hpp"

#include <algorithm>

#include "nika/base/strong_components.hpp"

namespace nika {
namespace {

using Transition = TransitionGraph::Transition;

}  // namespace

bool TransitionGraph::add(std::span<const PartialSystemState> trail) {
  bool any = false;
  for (std::size_t i = 1; i < trail.size(); ++i) {
    if (!trail[i - 1].is_hot || !trail[i].is_hot) continue;
    insert({trail[i - 1].digest, trail[i].digest});
    any = true;
  }
  return any;
}

void TransitionGraph::add(const TransitionGraph& other) {
  is_full_ = is_full_ || other.is_full_;
  for (const Transition& transition : other.transitions_) insert(transition);
}

void TransitionGraph::insert(const Transition& transition) {
  if (transitions_.size() < limit_) {
    transitions_.insert(transition);
  } else if (!transitions_.contains(transition)) {
    is_full_ = true;
  }
}

std::vector<Transition> TransitionGraph::transitions() const {
  std::vector<Transition> all(transitions_.begin(), transitions_.end());
  std::ranges::sort(all);
  return all;
}

HotCycles::HotCycles(const TransitionGraph& graph) {
  NIKA_REQUIRE(!graph.is_full());
  const std::vector<Transition> transitions = graph.transitions();
  for (const Transition& transition : transitions) {
    states_.push_back(transition.from);
    states_.push_back(transition.to);
  }
  std::ranges::sort(states_);
  states_.erase(std::ranges::unique(states_).begin(), states_.end());
  StrongComponents components(static_cast<std::uint32_t>(states_.size()));
  for (const Transition& transition : transitions)
    components.add_edge(position_of(transition.from), position_of(transition.to));
  component_of_ = components.find();
  transitions_on_cycles_ =
      static_cast<std::size_t>(std::ranges::count_if(transitions, [&](const Transition& t) { return has(t); }));
}

std::uint32_t HotCycles::position_of(std::uint64_t state) const {
  const auto found = std::ranges::lower_bound(states_, state);
  const bool is_there = found != states_.end() && *found == state;
  return static_cast<std::uint32_t>((is_there ? found : states_.end()) - states_.begin());
}

bool HotCycles::has(const Transition& transition) const {
  const std::uint32_t from = position_of(transition.from);
  const std::uint32_t to = position_of(transition.to);
  if (from == states_.size() || to == states_.size()) return false;
  return component_of_[from] == component_of_[to];
}

unsigned HotCycles::rounds_until_lasso(std::span<const PartialSystemState> trail) const {
  for (unsigned i = 1; i < trail.size(); ++i) {
    if (trail[i - 1].is_hot && trail[i].is_hot && has({trail[i - 1].digest, trail[i].digest})) return i + 1;
  }
  return 0;
}

}  // namespace nika
