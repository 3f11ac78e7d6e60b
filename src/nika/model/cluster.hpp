// The cast of a run: how many nodes there are, how many of them may lie, which identities sit on several seats, and the
// clients. Seats are numbered as the papers list them: A B C D, then the twins A' B' …, then the clients c1 c2 …
// A client is no replica: it counts for no quorum, never leads and has no twin.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/base/ids.hpp"
#include "nika/base/result.hpp"

namespace nika {

struct Cluster {
  std::uint8_t node_count = 0;
  std::uint8_t fault_count = 0;  // f: what the protocol is told to tolerate
  std::uint8_t seat_count = 0;
  std::uint32_t bugs = 0;  // one bit for each of the protocol's flags, in the order of its kBugs
  IdentitySet compromised;
  bool are_lies_told = false;  // the compromised may say what no correct code says, not only be several
  IdentitySet clients;         // each has the number of its seat
  std::array<Identity, kMaxSeats> identity_of{};
  std::array<SeatSet, kMaxSeats> seats_of{};
  std::array<Seat, kMaxSeats> input_of{};  // the first seat with the same input: usually the seat itself
  // Whom each identity counts, its unique node list, where trust is subjective; nobody: everybody.
  std::array<IdentitySet, kMaxSeats> unl_of{};

  SeatSet seats() const { return SeatSet::first(seat_count); }
  SeatSet client_seats() const { return SeatSet::from_bits(clients.bits()); }
  bool is_client(Seat seat) const { return client_seats().contains(seat); }
  unsigned client_count() const { return static_cast<unsigned>(clients.size()); }
  unsigned replica_seat_count() const { return seat_count - client_count(); }  // replicas and their twins come first
  IdentitySet identities() const { return IdentitySet::first(node_count); }
  Identity identity(Seat seat) const { return identity_of[index_of(seat)]; }
  SeatSet seats_of_identity(Identity identity) const { return seats_of[index_of(identity)]; }
  bool is_honest(Seat seat) const { return !compromised.contains(identity(seat)); }
  SeatSet honest_seats() const;
  // Liars without a twin: in an asynchronous run they run no code, and say what the schedule has them say.
  SeatSet puppets() const {
    SeatSet result;
    for (Identity id : compromised) {
      if (seats_of[index_of(id)].size() == 1) result |= seats_of[index_of(id)];
    }
    return result;
  }
  bool has_unls() const;  // not everybody counts everybody
  SeatSet seats_of_identities(IdentitySet identities) const {
    SeatSet result = SeatSet::from_bits(identities.bits());  // the first seat of an identity has its number
    const IdentitySet copied = identities & compromised;
    for (Identity id : copied) result |= seats_of[index_of(id)];
    return result;
  }
};

// copies[i] is the number of seats of identity i; 1 is an honest node, 2 a node with a twin. Missing entries count 1.
Result<Cluster> make_cluster(unsigned node_count, std::span<const std::uint8_t> copies, unsigned client_count = 0);

// Gives the identities their unique node lists, by number; an empty one stands for everybody, and so does a missing
// one. An error if a list names nobody of the cluster, or leaves out whose it is.
Result<void> set_unls(Cluster& cluster, std::span<const IdentitySet> unls);
// "A-D:A-E,E-G:C-G": A to D count A to E, and E to G count C to G. "AC-E" is A and C to E.
Result<std::vector<IdentitySet>> parse_unls(std::string_view text);
std::string unls_text(std::span<const IdentitySet> unls);

// f for n = 3f + 1, rounded down.
constexpr unsigned default_fault_count(unsigned node_count) { return (node_count - 1) / 3; }

std::string name_of(const Cluster& cluster, Seat seat);  // "A", "A'", "A''", "c1"
std::string name_of(Identity identity);                  // "A"
// "A'3": made by A' in round 3; "c1.2": the second request of c1; "genesis"; "#12": of nobody, told by its number.
std::string name_of(const Cluster& cluster, ValueId value);

// The seat with that name, or an error that lists the seats.
Result<Seat> seat_named(const Cluster& cluster, std::string_view name);
Result<Identity> identity_named(const Cluster& cluster, std::string_view name);

}  // namespace nika
