// How the network of a space can heal: who takes turns to lead, in which rotation, and in which order what arrives
// together is handled. A healing is one of these with one of those, for all healing rounds alike; they are numbered by
// rotation, then by order. A network that never heals does so in one way.
#pragma once

#include <gmpxx.h>

#include <span>
#include <vector>

#include "nika/model/cluster.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

// The seats that can propose come first, as given; the others keep their own order behind them, since nothing is ever
// about their proposals.
Order order_from(const Cluster& cluster, std::span<const Seat> proposing, bool own_first);
// Every order of these, own proposals first or not.
std::vector<Order> all_orders(const Cluster& cluster, SeatSet proposing);

class Healings {
 public:
  static constexpr std::uint32_t kMost = 1U << 20U;

  Healings() = default;
  // `leading`: whoever leads a scheduled round. There must not be more than kMost.
  Healings(const Settings& settings, const Cluster& cluster, IdentitySet leading);
  static mpz_class count(const Settings& settings, const Cluster& cluster, IdentitySet leading);

  std::uint32_t size() const { return static_cast<std::uint32_t>(rotations_.size() * orders_.size()); }
  // Who leads, in turn: the first leads the first healing round.
  const std::vector<std::vector<Identity>>& rotations() const { return rotations_; }
  const std::vector<Order>& orders() const { return orders_; }
  std::size_t rotation_number(std::uint32_t healing) const { return healing / orders_.size(); }
  std::size_t order_number(std::uint32_t healing) const { return healing % orders_.size(); }
  std::uint32_t number(std::size_t rotation, std::size_t order) const {
    return static_cast<std::uint32_t>(rotation * orders_.size() + order);
  }
  const std::vector<Identity>& rotation(std::uint32_t healing) const { return rotations_[rotation_number(healing)]; }
  const Order& order(std::uint32_t healing) const { return orders_[order_number(healing)]; }

  // Whether a healing is still one of these when honest nodes are renamed that lead none of the scheduled rounds.
  bool are_open_to_renaming() const { return are_open_to_renaming_; }

 private:
  std::vector<std::vector<Identity>> rotations_{{}};
  std::vector<Order> orders_{Order::fifo()};
  bool are_open_to_renaming_ = false;
};

}  // namespace nika::twins
