#include "nika/model/coin.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

TEST(Coins, ShowTheParityOfARoundUnlessSomethingIsSaidOfIt) {
  Coins coins;
  EXPECT_TRUE(coins.of(Round(1)));
  EXPECT_FALSE(coins.of(Round(2)));
  EXPECT_TRUE(coins.of(Round(255)));
  coins.show_all({0, 0, 1});
  EXPECT_FALSE(coins.of(Round(1)));
  EXPECT_FALSE(coins.of(Round(2)));
  EXPECT_TRUE(coins.of(Round(3)));
  EXPECT_FALSE(coins.of(Round(4)));
  coins.show_from(Round(3), false);
  EXPECT_FALSE(coins.of(Round(3)));
  EXPECT_FALSE(coins.of(Round(255)));
  coins.show(Round(3), true);
  EXPECT_TRUE(coins.of(Round(3)));
}

TEST(Coins, ItIsKnownWhoAskedForWhichRound) {
  const Coins coins;
  const Coin coin{&coins};
  EXPECT_EQ(coin.latest_asked, 0U);
  EXPECT_TRUE(coin(Round(5)));
  EXPECT_FALSE(coin(Round(2)));
  EXPECT_EQ(coin.latest_asked, 5U);
}

}  // namespace
}  // namespace nika
