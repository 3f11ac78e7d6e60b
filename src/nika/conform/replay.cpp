#include "nika/conform/replay.hpp"

#include <fmt/format.h>

namespace nika::conform {

Result<std::vector<std::uint32_t>> firings_of(const automata::Counterexample& counterexample) {
  constexpr std::size_t kMostFirings = 10'000;
  if (!counterexample.loop.empty()) return bad_input("its counterexample goes round a loop, which cannot be replayed");
  std::vector<std::uint32_t> firings;
  for (const automata::Step& step : counterexample.steps) {
    if (firings.size() + static_cast<std::size_t>(step.count) > kMostFirings)
      return bad_input(fmt::format("its counterexample has more than {} steps", kMostFirings));
    firings.insert(firings.end(), static_cast<std::size_t>(step.count), step.rule);
  }
  return firings;
}

Result<std::vector<Roles>> begins_of(const automata::Automaton& automaton, const Roles& start, unsigned role_count,
                                     const automata::Configuration& initial, unsigned honest) {
  std::vector<Roles> begins(honest);
  for (unsigned role = 0; role < role_count; ++role) {
    unsigned seat = 0;
    for (std::uint32_t location = 0; location < automaton.locations.size(); ++location) {
      if (!start[role].contains(location)) continue;
      for (std::int64_t i = 0; i < initial[automaton.location_begin() + location]; ++i, ++seat) {
        if (seat < honest) begins[seat][role] = LocationSet{location};
      }
    }
    if (seat != honest)
      return bad_input(fmt::format("its counterexample has {} processes where {} replicas begin", seat, honest));
  }
  return begins;
}

Casting binary_casting(std::vector<Roles> begins, std::uint32_t start_1, unsigned nodes, unsigned rounds) {
  Casting casting{std::move(begins), {}, {}};
  const auto honest = static_cast<unsigned>(casting.begins.size());
  const IdentitySet liars = IdentitySet::first(nodes) - IdentitySet::first(honest);
  IdentitySet ones;
  for (unsigned seat = 0; seat < honest; ++seat) {
    if (casting.begins[seat][0].contains(start_1)) ones.insert(static_cast<Identity>(seat));
  }
  const IdentitySet others = liars.empty() ? IdentitySet::single(static_cast<Identity>(nodes - 1)) : liars;
  if (ones.empty() && liars.empty()) casting.inputs.assign(nodes, "0");  // all have that of A, who does not lead
  casting.leaders.push_back(ones.empty() ? others : ones);
  while (casting.leaders.size() < rounds) casting.leaders.push_back(others);
  return casting;
}

}  // namespace nika::conform
