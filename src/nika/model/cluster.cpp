#include "nika/model/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nika {

SeatSet Cluster::honest_seats() const { return seats() - seats_of_identities(compromised); }

bool Cluster::has_unls() const {
  return std::ranges::any_of(unl_of, [](IdentitySet unl) { return !unl.empty(); });
}

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

Result<void> set_unls(Cluster& cluster, std::span<const IdentitySet> unls) {
  if (unls.size() > cluster.node_count) {
    return bad_input(fmt::format("read {} unique node lists, expected at most one for each of the {} nodes",
                                 unls.size(), cluster.node_count));
  }
  for (std::size_t i = 0; i < unls.size(); ++i) {
    const auto owner = static_cast<Identity>(i);
    for (Identity stranger : unls[i] - cluster.identities()) {
      return bad_input(fmt::format("the unique node list of {} names {}, who is none of the {} nodes", name_of(owner),
                                   name_of(stranger), cluster.node_count));
    }
    if (!unls[i].empty() && !unls[i].contains(owner)) {
      return bad_input(fmt::format("the unique node list of {} leaves out {}, expected one with itself in it",
                                   name_of(owner), name_of(owner)));
    }
    cluster.unl_of[i] = unls[i] == cluster.identities() ? IdentitySet{} : unls[i];
  }
  return {};
}

namespace {

// "A-C" and "AC-E"; nothing if it is none of these.
IdentitySet parse_nodes(std::string_view text) {
  const auto number = [](char name) { return static_cast<unsigned>(name - 'A'); };
  IdentitySet nodes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_range = i + 2 < text.size() && text[i + 1] == '-';
    const unsigned first = number(text[i]);
    const unsigned last = number(text[is_range ? i + 2 : i]);
    if (first >= kMaxSeats || last >= kMaxSeats || last < first) return {};
    for (unsigned n = first; n <= last; ++n) nodes.insert(static_cast<Identity>(n));
    if (is_range) i += 2;
  }
  return nodes;
}

// "ABC" as "A-C".
std::string nodes_text(IdentitySet nodes) {
  std::string text;
  for (Identity id : nodes) {
    const bool follows = !text.empty() && text.back() + 1 == name_of(id)[0];
    const bool in_range = follows && text.size() > 1 && text[text.size() - 2] == '-';
    const bool begins_range = follows && text.size() > 1 && text[text.size() - 2] + 1 == text.back();
    if (in_range) text.pop_back();
    if (begins_range) text.back() = '-';
    text += name_of(id);
  }
  return text;
}

}  // namespace

Result<std::vector<IdentitySet>> parse_unls(std::string_view text) {
  std::vector<IdentitySet> unls;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t colon = std::min(part.find(':'), part.size());
    const IdentitySet owners = parse_nodes(part.substr(0, colon));
    const IdentitySet trusted = parse_nodes(part.substr(std::min(colon + 1, part.size())));
    if (owners.empty() || trusted.empty()) {
      return bad_input(
          fmt::format("read unique node list \"{}\", expected who counts whom, such as A-D:A-E or ABC:A-CE", part));
    }
    for (Identity owner : owners) {
      if (unls.size() <= index_of(owner)) unls.resize(index_of(owner) + 1);
      if (!unls[index_of(owner)].empty()) {
        return bad_input(fmt::format("\"{}\" gives {} two unique node lists", text, name_of(owner)));
      }
      unls[index_of(owner)] = trusted;
    }
    begin = end + 1;
  }
  return unls;
}

std::string unls_text(std::span<const IdentitySet> unls) {
  std::string text;
  IdentitySet told;
  for (std::size_t i = 0; i < unls.size(); ++i) {
    if (unls[i].empty() || told.contains(static_cast<Identity>(i))) continue;
    IdentitySet owners;
    for (std::size_t j = i; j < unls.size(); ++j) {
      if (unls[j] == unls[i]) owners.insert(static_cast<Identity>(j));
    }
    told |= owners;
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", nodes_text(owners), nodes_text(unls[i]));
  }
  return text;
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

namespace {

std::string in_base_four(unsigned number) {
  const std::string last(1, static_cast<char>('0' + number % 4));
  return number < 4 ? last : in_base_four(number / 4) + last;
}

}  // namespace

std::string name_of(const Cluster& cluster, ValueId value) {
  if (value.is_genesis()) return "genesis";
  // What is agreed on where there is nothing to agree on, as PBFT's null request.
  if (value == ValueId::nameless(Round(0), 0)) return "null";
  // What binary protocols agree on or deliver, by the numbers of {0}, {1} and {0, 1} as sets.
  constexpr std::array<std::string_view, 3> kSetsOfBits{"0", "1", "0+1"};
  for (unsigned i = 0; i < kSetsOfBits.size(); ++i) {
    if (value == ValueId::nameless(Round(0), i + 1)) return std::string(kSetsOfBits[i]);
  }
  if (value.is_nameless())
    return "#" + in_base_four(static_cast<unsigned>(value.packed >> 8U << 7U | (value.packed & 127U)));
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
