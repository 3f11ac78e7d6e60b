#include "nika/model/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika {

unsigned Partition::block_count(unsigned seat_count) const {
  unsigned count = 0;
  for (unsigned s = 0; s < seat_count; ++s) count = std::max(count, block_of[s] + 1U);
  return count;
}

SeatSet Partition::block(unsigned number, unsigned seat_count) const {
  SeatSet seats;
  for (unsigned s = 0; s < seat_count; ++s) {
    if (block_of[s] == number) seats.insert(static_cast<Seat>(s));
  }
  return seats;
}

void Partition::normalize(unsigned seat_count) {
  std::array<int, 256> renamed{};
  renamed.fill(-1);
  int next = 0;
  for (unsigned s = 0; s < seat_count; ++s) {
    int& name = renamed[block_of[s]];
    if (name < 0) name = next++;
    block_of[s] = static_cast<std::uint8_t>(name);
  }
  for (unsigned s = seat_count; s < kMaxSeats; ++s) block_of[s] = 0;
}

Order Order::reversed(unsigned seat_count) {
  Order order;
  for (unsigned s = 0; s < seat_count; ++s) order.rank[s] = static_cast<std::uint8_t>(seat_count - 1 - s);
  order.own_first = false;
  return order;
}

Result<std::uint32_t> bug_bits(std::span<const std::string> bugs, std::span<const std::string_view> known,
                               std::string_view protocol) {
  std::uint32_t bits = 0;
  for (const std::string& bug : bugs) {
    const auto found = std::ranges::find(known, bug);
    if (found == known.end()) {
      return bad_input(fmt::format("protocol {} has no bug \"{}\"; it has: {}", protocol, bug,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    bits |= 1U << (found - known.begin());
  }
  return bits;
}

Result<Cluster> cluster_of(const Scenario& scenario, std::span<const std::string_view> known_bugs) {
  auto cluster = make_cluster(scenario.node_count, scenario.copies);
  if (!cluster) return cluster;
  cluster->fault_count = scenario.fault_count;
  const auto bugs = bug_bits(scenario.bugs, known_bugs, scenario.protocol);
  if (!bugs) return tl::unexpected(bugs.error());
  cluster->bugs = *bugs;
  return cluster;
}

std::string to_text(const Cluster& cluster, const RoundPlan& plan) {
  std::string text = "{";
  for (unsigned b = 0; b < plan.partition.block_count(cluster.seat_count); ++b) {
    if (b > 0) text += " |";
    for (Seat seat : plan.partition.block(b, cluster.seat_count)) {
      text += (text.size() > 1 ? " " : "") + name_of(cluster, seat);
      if (plan.leaders.contains(cluster.identity(seat))) text += '*';
    }
  }
  return text + "}";
}

}  // namespace nika
