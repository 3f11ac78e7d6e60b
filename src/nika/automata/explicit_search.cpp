#include "nika/automata/explicit_search.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "nika/base/strong_components.hpp"

namespace nika::automata {
namespace {

using Bits = std::uint32_t;  // the guessed truth of each temporal subformula at a position

// A run violates the formula if its positions can be labelled with the truth of all temporal subformulas, consistently
// from each position to the next, fairly in the long run, and such that the formula is false at the start.
class Labels {
 public:
  explicit Labels(const Formula& formula) : formula_(formula) { collect(formula); }

  Bits count() const { return static_cast<Bits>(temporal_.size()); }

  bool satisfies_formula(const Configuration& configuration, Bits bits) const {
    return holds(formula_, configuration, bits);
  }

  bool consistent(const Configuration& configuration, Bits bits, Bits next) const {
    for (Bits i = 0; i < count(); ++i) {
      const bool now = body_holds(i, configuration, bits);
      const bool later = (next >> i & 1U) != 0;
      const bool expected = temporal_[i]->kind == Formula::Kind::always ? now && later : now || later;
      if (expected != ((bits >> i & 1U) != 0)) return false;
    }
    return true;
  }

  // "Eventually" that is promised must be kept, "always" that is denied must be broken: again and again.
  bool fulfils(Bits i, const Configuration& configuration, Bits bits) const {
    const bool labelled = (bits >> i & 1U) != 0;
    const bool now = body_holds(i, configuration, bits);
    return temporal_[i]->kind == Formula::Kind::always ? labelled || !now : !labelled || now;
  }

 private:
  void collect(const Formula& formula) {
    for (const FormulaPtr& child : formula.children) collect(*child);
    if (formula.kind != Formula::Kind::always && formula.kind != Formula::Kind::eventually) return;
    index_[&formula] = count();
    temporal_.push_back(&formula);
  }

  bool body_holds(Bits i, const Configuration& configuration, Bits bits) const {
    return holds(*temporal_[i]->children.front(), configuration, bits);
  }

  bool holds(const Formula& formula, const Configuration& configuration, Bits bits) const {
    const auto child_holds = [&](const FormulaPtr& child) { return holds(*child, configuration, bits); };
    switch (formula.kind) {
      case Formula::Kind::constant:
      case Formula::Kind::comparison: return satisfies(formula, configuration);
      case Formula::Kind::negation: return !child_holds(formula.children[0]);
      case Formula::Kind::implication: return !child_holds(formula.children[0]) || child_holds(formula.children[1]);
      case Formula::Kind::conjunction:
        return std::all_of(formula.children.begin(), formula.children.end(), child_holds);
      case Formula::Kind::disjunction:
        return std::any_of(formula.children.begin(), formula.children.end(), child_holds);
      case Formula::Kind::eventually:
      case Formula::Kind::always: break;
    }
    return (bits >> index_.at(&formula) & 1U) != 0;
  }

  const Formula& formula_;
  std::vector<const Formula*> temporal_;
  std::map<const Formula*, Bits> index_;
};

// The configurations that are reachable from the given ones, with their successors. A configuration follows itself if a
// rule leads there, if no rule can fire, or if the automaton leaves out the rules for staying.
struct Graph {
  std::vector<Configuration> configurations;
  std::vector<std::vector<std::uint32_t>> successors;
  bool truncated = false;
};

Graph explore(const Automaton& automaton, const std::vector<Configuration>& initial, std::size_t limit,
              const smt::Budget& budget) {
  constexpr std::uint32_t kBetweenLooksAtTheClock = 1'024;
  Graph graph;
  std::map<Configuration, std::uint32_t> known;
  const auto number_of = [&](const Configuration& configuration) {
    const auto [place, is_new] = known.emplace(configuration, static_cast<std::uint32_t>(graph.configurations.size()));
    if (is_new) graph.configurations.push_back(configuration);
    return place->second;
  };
  for (const Configuration& configuration : initial) number_of(configuration);
  for (std::uint32_t i = 0; i < graph.configurations.size(); ++i) {
    if (i % kBetweenLooksAtTheClock == 0 && budget.exhausted()) limit = 0;
    std::set<std::uint32_t> next;
    if (may_rest(automaton, graph.configurations[i])) next.insert(i);
    for (const Rule& rule : automaton.rules) {
      if (!is_enabled(rule, graph.configurations[i])) continue;
      if (graph.configurations.size() >= limit) {
        graph.truncated = true;
        continue;
      }
      Configuration after = graph.configurations[i];
      fire(rule, after);
      next.insert(number_of(after));
    }
    graph.successors.emplace_back(next.begin(), next.end());
  }
  return graph;
}

class Search {
 public:
  Search(const Automaton& automaton, const Formula& formula, const ExplicitLimits& limits)
      : automaton_(automaton), labels_(formula), limits_(limits) {}

  ExplicitResult run() {
    Configuration configuration(automaton_.variable_count(), 0);
    choose_parameters(configuration, 0);
    return result_;
  }

 private:
  void choose_parameters(Configuration& configuration, std::uint32_t index) {
    if (result_.answer == ExplicitAnswer::violated) return;
    if (limits_.budget.exhausted()) result_.answer = ExplicitAnswer::gave_up;
    if (limits_.budget.exhausted()) return;
    if (index == automaton_.parameter_count()) {
      const auto holds = [&](const FormulaPtr& f) { return satisfies(*f, configuration); };
      if (std::all_of(automaton_.assumptions.begin(), automaton_.assumptions.end(), holds)) check(configuration);
      return;
    }
    for (configuration[index] = 0; configuration[index] <= limits_.max_parameter; ++configuration[index]) {
      choose_parameters(configuration, index + 1);
    }
    configuration[index] = 0;
  }

  void choose_start(Configuration& configuration, std::uint32_t index, std::vector<Configuration>& starts) const {
    if (index == automaton_.variable_count()) {
      const auto holds = [&](const FormulaPtr& f) { return satisfies(*f, configuration); };
      const bool starts_here = has_processes(automaton_, configuration) &&
                               std::all_of(automaton_.inits.begin(), automaton_.inits.end(), holds);
      if (starts_here) starts.push_back(configuration);
      return;
    }
    const bool fixed = is_fixed_to_zero(index);
    for (configuration[index] = 0; configuration[index] <= (fixed ? 0 : limits_.max_initial); ++configuration[index]) {
      choose_start(configuration, index + 1, starts);
    }
    configuration[index] = 0;
  }

  // Initial conditions such as "x == 0" spare most of the enumeration.
  bool is_fixed_to_zero(std::uint32_t variable) const {
    const Expression alone = smt::IntVariable{variable};
    return std::any_of(automaton_.inits.begin(), automaton_.inits.end(), [&](const FormulaPtr& init) {
      return init->kind == Formula::Kind::comparison && init->comparison == Comparison::equal &&
             init->left.terms() == alone.terms() && init->left.constant() == 0 && init->right.is_constant() &&
             init->right.constant() == 0;
    });
  }

  void check(Configuration& configuration) {
    std::vector<Configuration> starts;
    choose_start(configuration, automaton_.parameter_count(), starts);
    // Every configuration comes with every guess.
    constexpr std::size_t kMostNodes = 4'000'000;
    const std::size_t most = std::min(limits_.max_configurations, kMostNodes >> labels_.count());
    const Graph graph = explore(automaton_, starts, most, limits_.budget);
    if (!limits_.budget.exhausted() && find_fair_run(graph, starts.size())) return;
    if (graph.truncated) result_.answer = ExplicitAnswer::gave_up;
  }

  std::uint32_t node_of(std::uint32_t configuration, Bits bits) const {
    return (configuration << labels_.count()) + bits;
  }

  bool find_fair_run(const Graph& graph, std::size_t start_count) {
    const Bits label_count = Bits{1} << labels_.count();
    const auto node_count = static_cast<std::uint32_t>(graph.configurations.size()) * label_count;
    std::vector<std::vector<std::uint32_t>> edges(node_count);
    StrongComponents components(node_count);
    for (std::uint32_t i = 0; i < graph.configurations.size(); ++i) {
      for (Bits from = 0; from < label_count; ++from) {
        for (Bits to = 0; to < label_count; ++to) {
          if (!labels_.consistent(graph.configurations[i], from, to)) continue;
          for (const std::uint32_t next : graph.successors[i]) {
            components.add_edge(node_of(i, from), node_of(next, to));
            edges[node_of(i, from)].push_back(node_of(next, to));
          }
        }
      }
    }
    const std::vector<std::uint32_t> component = components.find();
    const std::vector<bool> fair = fair_components(graph, edges, component, components.count());
    for (std::uint32_t i = 0; i < start_count; ++i) {
      for (Bits bits = 0; bits < label_count; ++bits) {
        if (labels_.satisfies_formula(graph.configurations[i], bits)) continue;
        const auto is_fair = [&](std::uint32_t node) { return fair[component[node]]; };
        const Path path = shortest_path(node_of(i, bits), edges, is_fair);
        if (path.empty()) continue;
        result_.answer = ExplicitAnswer::violated;
        result_.run.initial = graph.configurations[i];
        result_.run.steps = steps_along(graph, path);
        result_.run.loop = steps_along(graph, fair_loop(graph, edges, component, path.back()));
        return true;
      }
    }
    return false;
  }

  std::vector<bool> fair_components(const Graph& graph, const std::vector<std::vector<std::uint32_t>>& edges,
                                    const std::vector<std::uint32_t>& component, std::uint32_t count) const {
    std::vector<bool> has_edge(count, false);
    std::vector<Bits> fulfilled(count, 0);
    const Bits mask = (Bits{1} << labels_.count()) - 1U;
    for (std::uint32_t node = 0; node < edges.size(); ++node) {
      for (const std::uint32_t next : edges[node]) {
        if (component[next] == component[node]) has_edge[component[node]] = true;
      }
      for (Bits i = 0; i < labels_.count(); ++i) {
        if (labels_.fulfils(i, graph.configurations[node >> labels_.count()], node & mask))
          fulfilled[component[node]] |= Bits{1} << i;
      }
    }
    std::vector<bool> fair(count);
    for (std::uint32_t i = 0; i < count; ++i) fair[i] = has_edge[i] && fulfilled[i] == mask;
    return fair;
  }

  using Path = std::vector<std::uint32_t>;  // of nodes

  // From the start to the nearest wanted node, both included; empty if there is none.
  template <class Wanted>
  static Path shortest_path(std::uint32_t start, const std::vector<std::vector<std::uint32_t>>& edges, Wanted wanted) {
    std::map<std::uint32_t, std::uint32_t> parent{{start, start}};
    std::deque<std::uint32_t> open{start};
    while (!open.empty()) {
      const std::uint32_t node = open.front();
      open.pop_front();
      if (wanted(node)) {
        Path path{node};
        while (path.back() != start) path.push_back(parent[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
      }
      for (const std::uint32_t next : edges[node]) {
        if (parent.emplace(next, node).second) open.push_back(next);
      }
    }
    return {};
  }

  // Around inside the component of the start, past a fulfilment of each temporal subformula, and back.
  Path fair_loop(const Graph& graph, const std::vector<std::vector<std::uint32_t>>& edges,
                 const std::vector<std::uint32_t>& component, std::uint32_t start) const {
    const Bits mask = (Bits{1} << labels_.count()) - 1U;
    const auto inside = [&](std::uint32_t node) { return component[node] == component[start]; };
    Path loop{start};
    const auto go_to = [&](auto wanted) {
      const Path way =
          shortest_path(loop.back(), edges, [&](std::uint32_t node) { return inside(node) && wanted(node); });
      loop.insert(loop.end(), way.begin() + 1, way.end());
    };
    for (Bits i = 0; i < labels_.count(); ++i) {
      go_to([&](std::uint32_t node) {
        return labels_.fulfils(i, graph.configurations[node >> labels_.count()], node & mask);
      });
    }
    // One step at least, then home.
    const auto& next = edges[loop.back()];
    loop.push_back(*std::find_if(next.begin(), next.end(), inside));
    go_to([&](std::uint32_t node) { return node == start; });
    return loop;
  }

  // The rules that lead along the path. Where nothing changes, somebody's self-loop, or no rule at all.
  std::vector<Step> steps_along(const Graph& graph, const Path& path) const {
    std::vector<Step> steps;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Configuration& before = graph.configurations[path[i] >> labels_.count()];
      const Configuration& after = graph.configurations[path[i + 1] >> labels_.count()];
      for (std::uint32_t rule = 0; rule < automaton_.rules.size(); ++rule) {
        if (!is_enabled(automaton_.rules[rule], before)) continue;
        Configuration reached = before;
        fire(automaton_.rules[rule], reached);
        if (reached != after) continue;
        steps.push_back({rule, 1});
        break;
      }
    }
    return steps;
  }

  const Automaton& automaton_;
  Labels labels_;
  const ExplicitLimits& limits_;
  ExplicitResult result_;
};

}  // namespace

ExplicitResult search_explicitly(const Automaton& automaton, const Formula& formula, const ExplicitLimits& limits) {
  constexpr Bits kMaxTemporalParts = 8;
  if (Labels(formula).count() > kMaxTemporalParts) return {ExplicitAnswer::gave_up, {}};
  return Search(automaton, formula, limits).run();
}

}  // namespace nika::automata
