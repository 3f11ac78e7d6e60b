#include "nika/model/block_names.hpp"

#include <gtest/gtest.h>

#include "nika/model/protocol.hpp"

namespace nika {
namespace {

// A replica on a seat of its own, with the input of seat 0.
Context context_of(Seat seat, BlockNames* names) {
  Context context;
  context.fresh = ValueId(Round(0), Seat{0}, 0);
  context.own = ValueId(Round(0), seat, 0);
  context.block_names = names;
  return context;
}

TEST(BlockNames, OnePayloadOnOneParentIsOneBlock) {
  BlockNames names;
  const Context a = context_of(Seat{0}, &names);
  const Context twin = context_of(Seat{4}, &names);
  const ValueId parent(Round(1), Seat{2}, 0);
  EXPECT_EQ(twin.fresh_block(Round(2), parent), ValueId(Round(2), Seat{4}, 0));
  EXPECT_EQ(a.fresh_block(Round(2), parent), ValueId(Round(2), Seat{4}, 0));
}

TEST(BlockNames, OnePayloadOnTwoParentsIsTwoBlocks) {
  BlockNames names;
  const Context a = context_of(Seat{0}, &names);
  const Context twin = context_of(Seat{4}, &names);
  EXPECT_EQ(twin.fresh_block(Round(2), kGenesis), ValueId(Round(2), Seat{4}, 0));
  EXPECT_EQ(a.fresh_block(Round(2), ValueId(Round(1), Seat{2}, 0)), ValueId(Round(2), Seat{0}, 0));
  EXPECT_EQ(a.fresh_block(Round(3), kGenesis), ValueId(Round(3), Seat{0}, 0));
}

TEST(BlockNames, WithoutSharedInputsTheRoundAndTheSeatAreTheName) {
  const Context a = context_of(Seat{0}, nullptr);
  EXPECT_EQ(a.fresh_block(Round(2), kGenesis), a.fresh_value(Round(2)));
}

TEST(BlockNames, WhatHasNoRoomIsGenesis) {
  BlockNames names;
  for (unsigned i = 1; i <= BlockNames::kCapacity; ++i) {
    const ValueId payload(Round(i / 4), Seat{1}, i % 4);
    EXPECT_EQ(names.name_of({payload, kGenesis}, payload), payload);
  }
  EXPECT_EQ(names.name_of({ValueId(Round(249), Seat{2}, 0), kGenesis}, ValueId(Round(249), Seat{2}, 0)), kGenesis);
}

}  // namespace
}  // namespace nika
