#include "nika/conform/follower.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "nika/automata/printer.hpp"

namespace nika::conform {
namespace {

using automata::Automaton;
using automata::Configuration;
using automata::Formula;
using automata::Rule;

bool names_location(const Automaton& automaton, const automata::Expression& expression) {
  return std::ranges::any_of(expression.terms(), [&](const auto& term) { return automaton.is_location(term.first); });
}
bool names_location(const Automaton& automaton, const Formula& formula) {
  if (formula.kind == Formula::Kind::comparison)
    return names_location(automaton, formula.left) || names_location(automaton, formula.right);
  return std::ranges::any_of(formula.children, [&](const auto& child) { return names_location(automaton, *child); });
}

std::string values_text(const Automaton& automaton, const Configuration& now) {
  std::vector<std::string> values;
  for (std::uint32_t v = 0; v < automaton.location_begin(); ++v)
    values.push_back(fmt::format("{} = {}", automaton.variable_name(v), now[v]));
  return fmt::format("{}", fmt::join(values, ", "));
}

// Distributes the replicas over the locations of one role after the other, until the inits are satisfied.
bool can_start(const Followed& followed, const Roles& start, unsigned replicas, unsigned role, std::uint32_t location,
               unsigned left, Configuration& now) {
  const Automaton& automaton = *followed.automaton;
  if (role == followed.role_count)
    return std::ranges::all_of(automaton.inits, [&](const auto& init) { return satisfies(*init, now); });
  if (location == automaton.locations.size())
    return left == 0 && can_start(followed, start, replicas, role + 1, 0, replicas, now);
  const unsigned most = start[role].contains(location) ? left : 0;
  for (unsigned count = 0; count <= most; ++count) {
    now[automaton.location_begin() + location] += count;
    const bool can = can_start(followed, start, replicas, role, location + 1, left - count, now);
    now[automaton.location_begin() + location] -= count;
    if (can) return true;
  }
  return false;
}

}  // namespace

Result<Followed> followed(const Automaton& automaton, std::span<const std::int64_t> parameters, unsigned role_count) {
  if (automaton.locations.size() > LocationSet::kMost)
    return bad_input(
        fmt::format("has {} locations, expected at most {}", automaton.locations.size(), LocationSet::kMost));
  for (const Rule& rule : automaton.rules) {
    if (names_location(automaton, *rule.guard))
      return bad_input(fmt::format("rule {} looks at a location, which cannot be followed", rule.id));
  }
  Followed result{&automaton, Configuration(automaton.variable_count(), 0), role_count,
                  std::vector<std::uint64_t>(automaton.rules.size(), 0)};
  std::ranges::copy(parameters, result.parameters.begin());
  for (const auto& assumption : automaton.assumptions) {
    if (satisfies(*assumption, result.parameters)) continue;
    std::vector<std::string> values;
    for (std::uint32_t p = 0; p < automaton.parameter_count(); ++p)
      values.push_back(fmt::format("{} = {}", automaton.parameters[p], parameters[p]));
    return bad_input(fmt::format("{} do not satisfy the assumption {}", fmt::join(values, ", "),
                                 automata::printed(automaton, *assumption)));
  }
  return result;
}

Result<void> check_start(const Followed& followed, const Roles& start, unsigned replicas) {
  Configuration now = followed.parameters;
  if (can_start(followed, start, replicas, 0, 0, replicas, now)) return {};
  return bad_input(fmt::format("its inits do not let {} replicas begin where the map says", replicas));
}

std::vector<Follower::Place> Follower::places_in(const Followed& followed, const Roles& start) {
  std::vector<Place> places{Place{}};
  for (unsigned role = 0; role < followed.role_count; ++role) {
    std::vector<Place> longer;
    for (Place place : places) {
      for (std::uint32_t location = 0; location < followed.automaton->locations.size(); ++location) {
        if (!start[role].contains(location)) continue;
        place[role] = static_cast<std::uint8_t>(location);
        longer.push_back(place);
      }
    }
    places = std::move(longer);
  }
  return places;
}

void Follower::begin(const Followed& followed, const Roles& start, unsigned replicas) {
  now_ = followed.parameters;
  places_.assign(replicas, places_in(followed, start));
}

void Follower::begin(const Followed& followed, std::span<const Roles> starts) {
  now_ = followed.parameters;
  places_.clear();
  for (const Roles& start : starts) places_.push_back(places_in(followed, start));
}

bool Follower::may_be_in(const Followed& followed, unsigned replica, std::uint32_t location) const {
  return std::ranges::any_of(places_[replica], [&](const Place& place) {
    return std::ranges::find(place.begin(), place.begin() + followed.role_count, location) !=
           place.begin() + followed.role_count;
  });
}

bool Follower::is_in(const Followed& followed, const Place& place, const Roles& sets) {
  for (unsigned role = 0; role < followed.role_count; ++role) {
    if (!sets[role].contains(place[role])) return false;
  }
  return true;
}

bool Follower::stays(const Followed& followed, const std::vector<Place>& places, const Move& move) const {
  if (std::ranges::any_of(move.sent, [](std::uint8_t count) { return count > 0; })) return false;
  return std::ranges::all_of(places, [&](const Place& place) {
    return is_in(followed, place, move.seen.before) && is_in(followed, place, move.seen.after);
  });
}

bool Follower::explains(const Followed& followed, const Way& way, const Move& move) const {
  if (way.sent != move.sent || !is_in(followed, way.place, move.seen.after)) return false;
  for (unsigned role = 0; role < followed.role_count; ++role) {
    const LocationSet through = move.seen.through[role];
    const bool has_moved = way.visited[role] != LocationSet{way.place[role]};
    if (has_moved && !through.empty() && !through.intersects(way.visited[role])) return false;
  }
  return true;
}

bool Follower::take(Followed& followed, unsigned replica, const Move& move) {
  std::vector<Place>& places = places_[replica];
  rules_taken_.clear();
  if (stays(followed, places, move)) return true;
  ways_.clear();
  for (const Place& place : places) {
    if (!is_in(followed, place, move.seen.before)) continue;
    Way way{place, {}, std::vector<std::uint8_t>(move.sent.size(), 0), 0, kNone};
    for (unsigned role = 0; role < followed.role_count; ++role) way.visited[role].insert(place[role]);
    add_way(std::move(way));
  }
  for (std::size_t way = 0; way < ways_.size(); ++way) extend(followed, way, move);
  std::vector<Place> reached;
  for (const Way& way : ways_) {
    if (!explains(followed, way, move)) continue;
    const bool is_first = reached.empty();
    if (std::ranges::find(reached, way.place) == reached.end()) reached.push_back(way.place);
    for (const Way* at = &way; is_first && at->previous != kNone; at = &ways_[at->previous])
      rules_taken_.insert(rules_taken_.begin(), at->rule);
  }
  for (const std::uint32_t rule : rules_taken_) ++followed.taken[rule];
  if (reached.empty()) {
    object(followed, places, move);
    return false;
  }
  places = std::move(reached);
  for (std::size_t v = 0; v < move.sent.size(); ++v) now_[followed.automaton->shared_begin() + v] += move.sent[v];
  return true;
}

bool Follower::add_way(Way way) {
  const auto is_same = [&](const Way& other) {
    return other.place == way.place && other.visited == way.visited && other.sent == way.sent;
  };
  if (std::ranges::any_of(ways_, is_same)) return false;
  ways_.push_back(std::move(way));
  return true;
}

// What others send in the meantime has not reached the replica: guards see what was there before, and its own.
void Follower::extend(const Followed& followed, std::size_t way, const Move& move) {
  const Automaton& automaton = *followed.automaton;
  Configuration seen = now_;
  for (std::size_t v = 0; v < move.sent.size(); ++v) seen[automaton.shared_begin() + v] += ways_[way].sent[v];
  for (std::uint32_t r = 0; r < automaton.rules.size(); ++r) {
    const Rule& rule = automaton.rules[r];
    if (rule.is_stay()) continue;
    for (unsigned role = 0; role < followed.role_count; ++role) {
      if (ways_[way].place[role] + automaton.location_begin() != rule.source || !satisfies(*rule.guard, seen)) continue;
      Way longer{ways_[way].place, ways_[way].visited, ways_[way].sent, r, way};
      longer.place[role] = static_cast<std::uint8_t>(rule.target - automaton.location_begin());
      longer.visited[role].insert(longer.place[role]);
      bool fits = true;
      for (const automata::Update& update : rule.updates) {
        const std::size_t v = update.variable - automaton.shared_begin();
        const std::int64_t added = automata::value_of(update.value, seen) - seen[update.variable];
        fits = fits && added >= 0 && longer.sent[v] + added <= move.sent[v];
        if (fits) longer.sent[v] = static_cast<std::uint8_t>(longer.sent[v] + added);
      }
      if (fits) add_way(std::move(longer));
    }
  }
}

void Follower::object(const Followed& followed, const std::vector<Place>& places, const Move& move) {
  const Automaton& automaton = *followed.automaton;
  const auto names_in = [&](const auto& contains) {
    std::vector<std::string> names;
    for (std::uint32_t l = 0; l < automaton.locations.size(); ++l) {
      if (contains(l)) names.push_back(automaton.locations[l].name);
    }
    return fmt::format("{}", fmt::join(names, " or "));
  };
  std::vector<std::string> ways;
  for (unsigned role = 0; role < followed.role_count; ++role) {
    const auto was = [&](std::uint32_t l) {
      return move.seen.before[role].contains(l) &&
             std::ranges::any_of(places, [&](const Place& place) { return place[role] == l; });
    };
    const auto is = [&](std::uint32_t l) { return move.seen.after[role].contains(l); };
    const LocationSet through = move.seen.through[role];
    const std::string passed =
        through.empty() ? ""
                        : fmt::format(" through {}", names_in([&](std::uint32_t l) { return through.contains(l); }));
    ways.push_back(fmt::format("from {}{} to {}", names_in(was), passed, names_in(is)));
    for (const Rule& rule : automaton.rules) {
      const std::uint32_t source = rule.source - automaton.location_begin();
      if (rule.is_stay() || !was(source) || is(source) || satisfies(*rule.guard, now_)) continue;
      ways.back() += fmt::format(" (rule {} wants {})", rule.id, automata::printed(automaton, *rule.guard));
    }
  }
  std::vector<std::string> sent;
  for (std::size_t v = 0; v < move.sent.size(); ++v) {
    if (move.sent[v] > 0) sent.push_back(fmt::format("{} + {}", automaton.shared[v], move.sent[v]));
  }
  objection_ =
      fmt::format("no rules lead {}{} with {}", fmt::join(ways, ", "),
                  sent.empty() ? "" : fmt::format(" and {}", fmt::join(sent, ", ")), values_text(automaton, now_));
}

}  // namespace nika::conform
