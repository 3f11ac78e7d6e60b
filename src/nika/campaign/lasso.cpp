#include "nika/campaign/lasso.hpp"

#include <algorithm>
#include <limits>

namespace nika {
namespace {

using Transition = TransitionGraph::Transition;
constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();

// Successors of each state, one state's behind the other's.
struct Successors {
  std::vector<std::size_t> first;  // where those of each state begin; one more at the end
  std::vector<std::uint32_t> all;
};

// Tarjan's algorithm without recursion: graphs are deeper than stacks.
class Components {
 public:
  explicit Components(const Successors& successors)
      : successors_(successors), next_(successors.first.begin(), successors.first.end() - 1) {
    const std::size_t size = next_.size();
    component_.assign(size, kUnset);
    order_.assign(size, kUnset);
    low_.assign(size, 0);
    for (std::uint32_t root = 0; root < size; ++root) {
      if (order_[root] == kUnset) visit_from(root);
    }
  }
  std::vector<std::uint32_t> take() { return std::move(component_); }

 private:
  void visit_from(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::uint32_t state = path_.back();
      if (next_[state] < successors_.first[state + 1]) {
        const std::uint32_t successor = successors_.all[next_[state]++];
        if (order_[successor] == kUnset) {
          enter(successor);
        } else if (component_[successor] == kUnset) {
          low_[state] = std::min(low_[state], order_[successor]);
        }
      } else {
        leave(state);
      }
    }
  }
  void enter(std::uint32_t state) {
    order_[state] = low_[state] = visited_++;
    path_.push_back(state);
    open_.push_back(state);
  }
  void leave(std::uint32_t state) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[state]);
    if (low_[state] != order_[state]) return;
    while (component_[state] == kUnset) {
      component_[open_.back()] = count_;
      open_.pop_back();
    }
    ++count_;
  }

  const Successors& successors_;
  std::vector<std::size_t> next_;  // successor to look at
  std::vector<std::uint32_t> component_, order_, low_, path_, open_;
  std::uint32_t visited_ = 0;
  std::uint32_t count_ = 0;
};

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
  // Transitions are in the order of where they begin, so the successors of a state follow each other.
  Successors successors;
  successors.first.assign(states_.size() + 1, 0);
  for (const Transition& transition : transitions) {
    ++successors.first[position_of(transition.from) + 1];
    successors.all.push_back(position_of(transition.to));
  }
  for (std::size_t i = 1; i < successors.first.size(); ++i) successors.first[i] += successors.first[i - 1];
  component_of_ = Components(successors).take();
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
