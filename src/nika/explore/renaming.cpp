#include "nika/explore/renaming.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace nika {

namespace {

// A configuration as a value that can be looked up.
using Key = std::tuple<std::array<std::uint8_t, kMaxSeats>, std::uint16_t, std::uint32_t>;

Key key_of(const Partition& partition, IdentitySet leaders, std::uint32_t order) {
  return {partition.block_of, leaders.bits(), order};
}

Partition with_names_changed(const Partition& partition, const Relabelling& map, unsigned seat_count) {
  Partition result;
  for (unsigned s = 0; s < seat_count; ++s) result.block_of[index_of(map.seat[s])] = partition.block_of[s];
  result.normalize(seat_count);
  return result;
}

bool is_open_to_renaming(const twins::Space& space) {
  const auto& settings = space.settings();
  return settings.assignment == twins::Assignment::kReplacement &&
         settings.step1.kind == twins::Selection::Kind::kAll && settings.step2.kind == twins::Selection::Kind::kAll &&
         settings.step3.kind == twins::Selection::Kind::kAll;
}

}  // namespace

Renamings::Renamings(const twins::Space& space, bool enabled) {
  const Cluster& cluster = space.cluster();
  // Nobody can take the place of a client, whose requests are told apart by it.
  SeatSet fixed = cluster.seats_of_identities(cluster.compromised | space.leading() | cluster.clients);
  if (!space.healings().are_open_to_renaming()) {
    for (const auto& rotation : space.healings().rotations()) {
      for (const Identity leader : rotation) fixed |= cluster.seats_of_identity(leader);
    }
  }
  for (const Crash& crash : space.settings().crashes) fixed.insert(crash.seat);
  // Where nodes count different nodes, none of them can take the place of another.
  if (enabled && is_open_to_renaming(space) && !cluster.has_unls()) {
    for (Seat seat : space.cluster().seats() - fixed) interchangeable_.push_back(seat);
  }
  if (interchangeable_.size() > 6) interchangeable_.resize(6);  // 720 renamings are enough
  for (Seat seat : interchangeable_) identities_.insert(space.cluster().identity(seat));
  std::vector<std::uint8_t> order;
  for (std::size_t i = 0; i < interchangeable_.size(); ++i) order.push_back(static_cast<std::uint8_t>(i));
  do {
    add(space, order);
  } while (std::next_permutation(order.begin(), order.end()));
}

void Renamings::add(const twins::Space& space, std::span<const std::uint8_t> order) {
  Relabelling map = Relabelling::identity_map();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Seat from = interchangeable_[order[i]];
    map.seat[index_of(from)] = interchangeable_[i];
    map.identity[index_of(from)] = static_cast<Identity>(index_of(interchangeable_[i]));
  }
  relabellings_.push_back(map);
  std::map<Key, std::uint32_t> positions;
  const auto& configurations = space.configurations();
  for (std::uint32_t i = 0; i < configurations.size(); ++i) {
    positions[key_of(space.partitions()[configurations[i].partition], configurations[i].leaders,
                     configurations[i].order)] = i;
  }
  std::vector<std::uint32_t>& images = configurations_.emplace_back();
  for (const twins::Configuration& c : configurations) {
    const Partition partition = with_names_changed(space.partitions()[c.partition], map, space.cluster().seat_count);
    images.push_back(positions.at(key_of(partition, c.leaders, c.order)));
  }
}

std::size_t Renamings::number_of(std::span<const std::uint8_t> order) const {
  std::size_t number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t smaller = 0;
    for (std::size_t j = i + 1; j < order.size(); ++j) smaller += order[j] < order[i] ? 1U : 0U;
    number = number * (order.size() - i) + smaller;
  }
  return number;
}

}  // namespace nika
