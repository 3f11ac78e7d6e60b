// Sets of orders of arrival. A healing network is run once for all orders that decide alike between the proposals that
// met in it, whatever they say of others.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/model/scenario.hpp"
#include "nika/sim/mail.hpp"

namespace nika {

// By their numbers.
class OrderSet {
 public:
  OrderSet() = default;
  explicit OrderSet(std::size_t size) : words_((size + 63) / 64) {}

  void insert(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << (number % 64); }
  bool contains(std::size_t number) const { return (words_[number / 64] >> (number % 64) & 1U) != 0; }
  bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  std::uint32_t size() const {
    int count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return static_cast<std::uint32_t>(count);
  }
  // Of a set that is not empty.
  std::size_t first() const {
    std::size_t at = 0;
    while (words_[at] == 0) ++at;
    return at * 64 + static_cast<std::size_t>(std::countr_zero(words_[at]));
  }
  void keep(const OrderSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= others.words_[i];
  }
  void remove(const OrderSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~others.words_[i];
  }
  Fingerprint fingerprint() const { return fingerprint_of(words_.data(), words_.size() * sizeof(std::uint64_t)); }

 private:
  std::vector<std::uint64_t> words_;
};

class ArrivalOrders {
 public:
  ArrivalOrders(std::span<const Order> orders, unsigned seat_count)
      : orders_(orders), seat_count_(seat_count), all_(orders.size()), own_first_(orders.size()) {
    before_.assign(std::size_t{seat_count} * seat_count, OrderSet(orders.size()));
    for (std::size_t o = 0; o < orders.size(); ++o) {
      all_.insert(o);
      if (orders[o].own_first) own_first_.insert(o);
      for (unsigned a = 0; a < seat_count; ++a) {
        for (unsigned b = 0; b < seat_count; ++b) {
          if (orders[o].rank[a] < orders[o].rank[b]) before_[a * seat_count + b].insert(o);
        }
      }
    }
  }

  const OrderSet& all() const { return all_; }
  // Those of `among` under which a run goes as it went under the order of this number.
  OrderSet alike(std::size_t number, const Rivals& met, OrderSet among) const {
    const auto& rank = orders_[number].rank;
    for (const SeatSet set : met.sets) {
      for (Seat a : set) {
        for (Seat b : set) {
          if (rank[index_of(a)] < rank[index_of(b)]) among.keep(before_[index_of(a) * seat_count_ + index_of(b)]);
        }
      }
    }
    if (!met.has_own) return among;
    if (own_first_.contains(number)) {
      among.keep(own_first_);
    } else {
      among.remove(own_first_);
    }
    return among;
  }

 private:
  std::span<const Order> orders_;
  unsigned seat_count_;
  OrderSet all_;
  OrderSet own_first_;
  std::vector<OrderSet> before_;  // those that rank one seat before another
};

}  // namespace nika
