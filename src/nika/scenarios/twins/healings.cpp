#include "nika/scenarios/twins/healings.hpp"

#include <algorithm>

#include "nika/base/require.hpp"

namespace nika::twins {
namespace {

IdentitySet honest_of(const Cluster& cluster) { return cluster.identities() - cluster.compromised; }

// Those who take turns, but for the compromised ones between honest ones.
IdentitySet taking_turns(const Settings& settings, const Cluster& cluster, IdentitySet leading) {
  return settings.heal_leaders == HealLeaders::kLeading ? leading : honest_of(cluster);
}

bool alternates(const Settings& settings, const Cluster& cluster) {
  const bool asked = settings.heal_leaders == HealLeaders::kAlternating || settings.heal_leaders == HealLeaders::kBoth;
  return asked && !cluster.compromised.empty();
}
bool does_not_alternate(const Settings& settings, const Cluster& cluster) {
  return settings.heal_leaders != HealLeaders::kAlternating || cluster.compromised.empty();
}

// Whose proposals can be on their way while the network heals.
SeatSet proposing(const Settings& settings, const Cluster& cluster, IdentitySet leading) {
  IdentitySet anyone = leading | taking_turns(settings, cluster, leading);
  if (alternates(settings, cluster)) anyone |= cluster.compromised;
  return proposing_seats(cluster, anyone);
}

std::vector<Identity> with_compromised_between(const std::vector<Identity>& turns, const Cluster& cluster) {
  std::vector<Identity> result;
  for (Identity id : turns) {
    result.push_back(id);
    for (Identity compromised : cluster.compromised) result.push_back(compromised);
  }
  return result;
}

mpz_class factorial(int number) { return mpz_class::factorial(mpz_class(static_cast<unsigned long>(number))); }

}  // namespace

Order order_from(const Cluster& cluster, std::span<const Seat> proposing, bool own_first) {
  Order order;
  order.own_first = own_first;
  std::uint8_t rank = 0;
  SeatSet placed;
  for (Seat seat : proposing) {
    order.rank[index_of(seat)] = rank++;
    placed.insert(seat);
  }
  for (Seat seat : cluster.seats() - placed) order.rank[index_of(seat)] = rank++;
  return order;
}

std::vector<Order> all_orders(const Cluster& cluster, SeatSet proposing) {
  std::vector<Order> orders;
  std::vector<Seat> seats;
  for (Seat seat : proposing) seats.push_back(seat);
  do {
    for (const bool own_first : {true, false}) orders.push_back(order_from(cluster, seats, own_first));
  } while (std::ranges::next_permutation(seats).found);
  return orders;
}

mpz_class Healings::count(const Settings& settings, const Cluster& cluster, IdentitySet leading) {
  if (settings.heal_rounds == 0) return 1;
  mpz_class rotations = 1;
  if (settings.heal_rotations == HealRotations::kAll)
    rotations = factorial(taking_turns(settings, cluster, leading).size());
  if (alternates(settings, cluster) && does_not_alternate(settings, cluster)) rotations *= 2;
  mpz_class orders = settings.heal_orders == HealOrders::kBoth ? 2 : 1;
  if (settings.heal_orders == HealOrders::kAll) orders = 2 * factorial(proposing(settings, cluster, leading).size());
  return rotations * orders;
}

Healings::Healings(const Settings& settings, const Cluster& cluster, IdentitySet leading) {
  NIKA_REQUIRE(count(settings, cluster, leading) <= kMost);
  rotations_.clear();
  for (const bool alternating : {false, true}) {
    if (!(alternating ? alternates(settings, cluster) : does_not_alternate(settings, cluster))) continue;
    std::vector<Identity> turns;
    for (Identity id : taking_turns(settings, cluster, leading)) turns.push_back(id);
    do {
      rotations_.push_back(alternating ? with_compromised_between(turns, cluster) : turns);
    } while (settings.heal_rotations == HealRotations::kAll && std::ranges::next_permutation(turns).found);
  }
  if (settings.heal_orders == HealOrders::kAll) {
    orders_ = all_orders(cluster, proposing(settings, cluster, leading));
  } else {
    orders_.clear();
    if (settings.heal_orders != HealOrders::kReversed) orders_.push_back(Order::fifo());
    if (settings.heal_orders != HealOrders::kFifo) orders_.push_back(Order::reversed(cluster.seat_count));
  }
  if (settings.heal_rounds == 0) {
    rotations_.resize(1);
    orders_.resize(1);
    return;
  }
  are_open_to_renaming_ = settings.heal_rotations == HealRotations::kAll && settings.heal_orders == HealOrders::kAll;
}

}  // namespace nika::twins
