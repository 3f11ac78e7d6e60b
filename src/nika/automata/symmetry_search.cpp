#include "nika/automata/symmetry_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "nika/base/random.hpp"

namespace nika::automata {
namespace {

// For all properties of an automaton together: a tenth of a second or so.
constexpr std::uint64_t kMaxEdgeVisits = 20'000'000;

using Colours = std::vector<std::uint64_t>;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mix64(mix64(a) + b); }

// The automaton and one property as a graph: its first nodes are the variables, the others are formulas, updates and
// rules, equal ones only once. A renaming is a symmetry that maps one property to another if and only if it can be
// extended to an isomorphism of their graphs. Colours are comparable between graphs.
class Graph {
 public:
  Graph(const NormalAutomaton& normal, const Normal& property) {
    const Automaton& automaton = normal.automaton;
    for (std::uint32_t i = 0; i < automaton.variable_count(); ++i) {
      colours_.push_back(automaton.is_parameter(i)  ? mixed(kParameter, i)
                         : automaton.is_location(i) ? mix64(kLocation)
                                                    : mix64(kShared));
    }
    add_node("start", kStart, {{formula(*normal.start), kPart}});
    add_node("property", kProperty, {{formula(property), kPart}});
    for (const NormalRule& rule : normal.rules) add(rule);
    link();
  }

  const Colours& colours() const { return colours_; }

  // Tells nodes apart by the colours of their neighbours until that tells nothing new.
  void refine(Colours& colours, std::uint64_t& edge_visits) const {
    for (std::size_t before = 0, now = distinct(colours); now > before;) {
      Colours finer(colours.size());
      for (std::size_t node = 0; node < finer.size(); ++node) {
        std::uint64_t around = 0;
        for (const Edge& edge : edges_[node]) around += mixed(edge.label, colours[edge.to]);
        finer[node] = mixed(colours[node], around);
        edge_visits += edges_[node].size();
      }
      colours = std::move(finer);
      before = now;
      now = distinct(colours);
    }
  }

 private:
  enum Kind : std::uint64_t { kParameter = 1, kShared, kLocation, kStart, kProperty, kSum, kRule, kUpdate, kFormula };
  enum Role : std::int64_t { kPart, kSource, kTarget, kUpdated };
  struct Edge {
    std::uint32_t to = 0;
    std::uint64_t label = 0;
  };
  using Part = Expression::Term;  // a node below, and its role or factor

  static std::size_t distinct(Colours colours) {
    std::sort(colours.begin(), colours.end());
    return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
  }

  std::uint32_t add_node(const std::string& key, std::uint64_t colour, const std::vector<Part>& parts) {
    const auto [place, is_new] = known_.emplace(key, static_cast<std::uint32_t>(colours_.size()));
    if (!is_new) return place->second;
    colours_.push_back(mix64(colour));
    for (const Part& part : parts) downward_.emplace_back(place->second, part);
    return place->second;
  }

  std::uint32_t sum(const std::string& what, const Expression& expression) {
    return add_node(what + key_of(expression), mixed(kSum, static_cast<std::uint64_t>(expression.constant())),
                    expression.terms());
  }

  std::uint32_t formula(const Normal& normal) {
    if (normal.kind == Normal::Kind::atom) {
      return sum("atom", normal.atom);
    }
    std::vector<std::uint32_t> children;
    children.reserve(normal.children.size());
    for (const NormalPtr& child : normal.children) children.push_back(formula(*child));
    std::sort(children.begin(), children.end());
    children.erase(std::unique(children.begin(), children.end()), children.end());
    const std::uint64_t kind = static_cast<std::uint64_t>(normal.kind) * 2 + (normal.value ? 1 : 0);
    std::vector<Part> parts;
    parts.reserve(children.size());
    for (const std::uint32_t child : children) parts.push_back({child, kPart});
    return add_node(fmt::format("formula{}:{}", kind, fmt::join(children, ",")), mixed(kFormula, kind), parts);
  }

  std::uint32_t update(const Update& update) {
    const std::uint32_t value = sum("value", update.value);
    return add_node(fmt::format("update{}:={}", update.variable, value), kUpdate,
                    {{update.variable, kUpdated}, {value, kPart}});
  }

  void add(const NormalRule& rule) {
    std::vector<Part> parts{{rule.source, kSource}, {rule.target, kTarget}, {formula(*rule.guard), kPart}};
    for (const Update& each : rule.updates) parts.push_back({update(each), kUpdated});
    std::sort(parts.begin() + 3, parts.end());
    std::string key = "rule";
    for (const Part& part : parts) key += fmt::format(" {}", part.first);
    add_node(key, kRule, parts);
  }

  void link() {
    edges_.resize(colours_.size());
    for (const auto& [from, part] : downward_) {
      const auto role = static_cast<std::uint64_t>(part.second);
      edges_[from].push_back({part.first, mixed(1, role)});
      edges_[part.first].push_back({from, mixed(2, role)});
    }
  }

  Colours colours_;
  std::map<std::string, std::uint32_t> known_;
  std::vector<std::pair<std::uint32_t, Part>> downward_;
  std::vector<std::vector<Edge>> edges_;
};

bool may_be_isomorphic(Colours first, Colours second) {
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  return first == second;
}

class ImageSearch {
 public:
  explicit ImageSearch(const Automaton& automaton) : automaton_(automaton), normal_(automaton), check_(normal_) {
    for (const Specification& specification : automaton.specifications) {
      properties_.push_back(normal_form(*specification.formula));
    }
  }

  std::vector<std::optional<PropertyImage>> run() {
    const std::size_t count = properties_.size();
    std::vector<std::optional<PropertyImage>> images(count);
    const std::vector<std::string> shapes = shapes_of_properties();
    graphs_.resize(count);
    stable_.resize(count);
    for (std::size_t to = 1; to < count; ++to) {
      for (std::size_t from = 0; from < to && !images[to]; ++from) {
        if (images[from] || shapes[from] != shapes[to]) continue;
        if (auto symmetry = symmetry_between(from, to)) images[to] = PropertyImage{from, std::move(*symmetry)};
      }
    }
    return images;
  }

 private:
  std::vector<std::string> shapes_of_properties() const {
    Renaming sorts = no_renaming(automaton_);
    for (std::uint32_t i = automaton_.shared_begin(); i < sorts.size(); ++i) {
      sorts[i] = automaton_.is_location(i) ? automaton_.location_begin() : automaton_.shared_begin();
    }
    std::vector<std::string> shapes;
    shapes.reserve(properties_.size());
    for (const NormalPtr& property : properties_) shapes.push_back(renamed_key(*property, sorts));
    return shapes;
  }

  void colour(std::size_t property) {
    if (graphs_[property]) return;
    graphs_[property] = std::make_unique<const Graph>(normal_, *properties_[property]);
    stable_[property] = graphs_[property]->colours();
    graphs_[property]->refine(stable_[property], edge_visits_);
  }

  std::optional<Symmetry> symmetry_between(std::size_t from, std::size_t to) {
    colour(from);
    colour(to);
    from_ = from;
    to_ = to;
    return extend(stable_[from], stable_[to]);
  }

  // Both colourings are stable. Where one colour is left to several variables, each choice for the first is tried.
  std::optional<Symmetry> extend(const Colours& from, const Colours& to) {
    if (!may_be_isomorphic(from, to)) return std::nullopt;
    const std::uint32_t chosen = first_ambiguous(from);
    if (chosen == automaton_.variable_count()) return accepted(from, to);
    for (std::uint32_t image = automaton_.shared_begin(); image < automaton_.variable_count(); ++image) {
      if (to[image] != from[chosen]) continue;
      if (edge_visits_ > kMaxEdgeVisits) return std::nullopt;
      Colours finer_from = from;
      Colours finer_to = to;
      finer_from[chosen] = finer_to[image] = mixed(from[chosen], 1);
      graphs_[from_]->refine(finer_from, edge_visits_);
      graphs_[to_]->refine(finer_to, edge_visits_);
      if (auto symmetry = extend(finer_from, finer_to)) return symmetry;
    }
    return std::nullopt;
  }

  std::uint32_t first_ambiguous(const Colours& colours) const {
    const auto end = colours.begin() + automaton_.variable_count();
    std::uint32_t variable = automaton_.shared_begin();
    while (variable < automaton_.variable_count() && std::count(colours.begin(), end, colours[variable]) == 1) {
      ++variable;
    }
    return variable;
  }

  std::optional<Symmetry> accepted(const Colours& from, const Colours& to) const {
    Renaming renaming;
    for (std::uint32_t i = 0; i < automaton_.variable_count(); ++i) {
      const auto image = std::find(to.begin(), to.begin() + automaton_.variable_count(), from[i]);
      renaming.push_back(static_cast<std::uint32_t>(image - to.begin()));
    }
    std::optional<Symmetry> symmetry = check_.symmetry_by(renaming);
    if (!symmetry) return std::nullopt;
    const bool maps =
        renamed_key(*properties_[from_], renaming) == renamed_key(*properties_[to_], no_renaming(automaton_));
    return maps ? symmetry : std::nullopt;
  }

  const Automaton& automaton_;
  NormalAutomaton normal_;
  SymmetryCheck check_;
  std::vector<NormalPtr> properties_;
  std::vector<std::unique_ptr<const Graph>> graphs_;  // by property, made when it is needed
  std::vector<Colours> stable_;
  std::uint64_t edge_visits_ = 0;
  std::size_t from_ = 0, to_ = 0;
};

}  // namespace

std::vector<std::optional<PropertyImage>> find_images(const Automaton& automaton) {
  return ImageSearch(automaton).run();
}

}  // namespace nika::automata
