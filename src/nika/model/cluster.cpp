#include "nika/model/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika {

SeatSet Cluster::honest_seats() const { return seats() - seats_of_identities(compromised); }

Result<Cluster> make_cluster(unsigned node_count, std::span<const std::uint8_t> copies, unsigned client_count) {
  if (node_count < 1 || node_count > kMaxSeats) {
    return bad_input(fmt::format("a cluster has 1 to {} nodes, not {}", kMaxSeats, node_count));
  }
  if (copies.size() > node_count) {
    return bad_input(fmt::format("{} identities have copies, but there are only {} nodes", copies.size(), node_count));
  }
  Cluster cluster;
  cluster.node_count = static_cast<std::uint8_t>(node_count);
  cluster.fault_count = static_cast<std::uint8_t>(default_fault_count(node_count));
  unsigned seat = 0;
  const auto sit = [&](unsigned identity) {
    cluster.identity_of[seat] = static_cast<Identity>(identity);
    cluster.input_of[seat] = static_cast<Seat>(seat);
    cluster.seats_of[identity].insert(static_cast<Seat>(seat++));
  };
  const unsigned extra = [&] {
    unsigned sum = 0;
    for (const auto c : copies) sum += c > 0 ? c - 1U : 0U;
    return sum;
  }();
  if (const unsigned seats = node_count + extra + client_count; seats > kMaxSeats) {
    const std::string clients = client_count == 0 ? "" : fmt::format(" and {} clients", client_count);
    return bad_input(fmt::format("{} nodes and {} twins{} need {} seats; at most {} are supported", node_count, extra,
                                 clients, seats, kMaxSeats));
  }
  for (unsigned i = 0; i < node_count; ++i) sit(i);
  const unsigned most = copies.empty() ? 1U : *std::ranges::max_element(copies);
  for (unsigned copy = 1; copy < most; ++copy) {
    for (unsigned i = 0; i < copies.size(); ++i) {
      if (copies[i] > copy) sit(i);
    }
  }
  for (unsigned i = 0; i < copies.size(); ++i) {
    if (copies[i] > 1) cluster.compromised.insert(static_cast<Identity>(i));
  }
  // A client's identity is the number of its seat, behind those of all replicas and twins: see seats_of_identities().
  for (unsigned i = 0; i < client_count; ++i) {
    cluster.clients.insert(static_cast<Identity>(seat));
    sit(seat);
  }
  cluster.seat_count = static_cast<std::uint8_t>(seat);
  return cluster;
}

std::string name_of(Identity identity) { return std::string(1, static_cast<char>('A' + index_of(identity))); }

std::string name_of(const Cluster& cluster, Seat seat) {
  if (index_of(seat) >= cluster.seat_count) return fmt::format("seat{}", index_of(seat));
  if (cluster.is_client(seat)) return fmt::format("c{}", index_of(seat) - cluster.replica_seat_count() + 1);
  const Identity identity = cluster.identity(seat);
  std::string name = name_of(identity);
  for (Seat other : cluster.seats_of_identity(identity)) {
    if (other < seat) name += '\'';
  }
  return name;
}

std::string name_of(const Cluster& cluster, ValueId value) {
  if (value.is_genesis()) return "genesis";
  // Of no seat and no round: what is agreed on where there is nothing to agree on, as PBFT's null request.
  if (value.is_nameless() && value.round() == Round(0)) return "null";
  std::string name = fmt::format("{}{}{}", name_of(cluster, value.seat()), cluster.is_client(value.seat()) ? "." : "",
                                 value.round().number);
  // After a loss of memory a seat can propose in an old round again: b, c, … tell those values apart.
  if (value.incarnation() > 0) name += static_cast<char>('a' + value.incarnation());
  return name;
}

Result<Seat> seat_named(const Cluster& cluster, std::string_view name) {
  std::string known;
  for (Seat seat : cluster.seats()) {
    if (name_of(cluster, seat) == name) return seat;
    known += (known.empty() ? "" : " ") + name_of(cluster, seat);
  }
  return bad_input(fmt::format("there is no seat \"{}\"; the seats are {}", name, known));
}

Result<Identity> identity_named(const Cluster& cluster, std::string_view name) {
  for (Identity identity : cluster.identities()) {
    if (name_of(identity) == name) return identity;
  }
  return bad_input(fmt::format("there is no node \"{}\"; the nodes are A to {}", name,
                               name_of(static_cast<Identity>(cluster.node_count - 1))));
}

}  // namespace nika
