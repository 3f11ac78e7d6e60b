#include "nika/explore/arrival_orders.hpp"

#include <gtest/gtest.h>

#include "nika/scenarios/twins/healings.hpp"

namespace nika {
namespace {

constexpr unsigned kSeats = 4;

std::vector<Order> all_orders() { return twins::all_orders(make_cluster(kSeats, {}).value(), SeatSet::first(kSeats)); }

TEST(ArrivalOrders, NothingThatMetLeavesAllOrdersAlike) {
  const auto orders = all_orders();
  const ArrivalOrders sets(orders, kSeats);
  EXPECT_EQ(sets.all().size(), 48U);
  EXPECT_EQ(sets.alike(7, Rivals{}, sets.all()).size(), 48U);
}

// Exactly those that rank what met in the same way, and treat own proposals alike if one of them was.
TEST(ArrivalOrders, OrdersAreAlikeIfTheyDecideAlike) {
  const auto orders = all_orders();
  const ArrivalOrders sets(orders, kSeats);
  Rivals met;
  met.add({Seat{0}}, Seat{0});  // alone: nothing to decide
  EXPECT_TRUE(met.sets.empty());
  met.add({Seat{0}, Seat{2}}, Seat{1});
  met.add({Seat{0}, Seat{2}}, Seat{3});
  ASSERT_EQ(met.sets.size(), 1U);
  EXPECT_EQ(sets.alike(5, met, sets.all()).size(), 24U);
  met.add({Seat{1}, Seat{2}, Seat{3}}, Seat{3});
  const auto decides = [&](const Order& o) {
    return std::tuple(o.own_first, o.rank[0] < o.rank[2], o.rank[1] < o.rank[2], o.rank[2] < o.rank[3],
                      o.rank[1] < o.rank[3]);
  };
  for (std::size_t number = 0; number < orders.size(); ++number) {
    const OrderSet alike = sets.alike(number, met, sets.all());
    for (std::size_t o = 0; o < orders.size(); ++o)
      EXPECT_EQ(alike.contains(o), decides(orders[o]) == decides(orders[number])) << number << " and " << o;
  }
}

TEST(ArrivalOrders, SetsAreTakenApartFromTheFirst) {
  OrderSet left(130);
  for (const std::size_t number : {std::size_t{3}, std::size_t{64}, std::size_t{129}}) left.insert(number);
  OrderSet one(130);
  one.insert(3);
  EXPECT_EQ(left.first(), 3U);
  left.remove(one);
  EXPECT_EQ(left.first(), 64U);
  EXPECT_EQ(left.size(), 2U);
  left.keep(one);
  EXPECT_TRUE(left.empty());
}

// More sets than there is room for become one that contains them.
TEST(ArrivalOrders, RivalsThatFindNoRoomAreJoined) {
  Rivals met;
  unsigned added = 0;
  for (unsigned a = 0; a < 8; ++a) {
    for (unsigned b = a + 1; b < 8; ++b, ++added)
      met.add({static_cast<Seat>(a), static_cast<Seat>(b)}, static_cast<Seat>(9));
  }
  EXPECT_EQ(added, 28U);
  EXPECT_EQ(met.sets.size(), Rivals::kMost);
  EXPECT_TRUE(met.sets[Rivals::kMost - 1].contains(Seat{7}));
  EXPECT_FALSE(met.has_own);
}

}  // namespace
}  // namespace nika
