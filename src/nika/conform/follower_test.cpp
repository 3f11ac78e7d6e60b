// Following moves in a small automaton: what rules explain, in which order, and what they do not.
#include "nika/conform/follower.hpp"

#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"

namespace nika::conform {
namespace {

// Whoever has sent goes on when as many have sent as the guard asks for.
constexpr const char* kText = R"(thresholdAutomaton Small {
  local pc;
  shared sent, done;
  parameters n, t, f;
  assumptions { n > 3 * t; t >= f; }
  locations { start: [0]; waits: [1]; ends: [2]; late: [3]; }
  inits { start + late == n - f; waits == 0; ends == 0; sent == 0; done == 0; }
  rules {
    1: start -> waits when (true) do { sent' == sent + 1; };
    2: waits -> ends when (sent + f >= 2 * t + 1) do { done' == done + 1; };
    3: late -> ends when (done + f >= t + 1) do {};
  }
  specifications { nothing: [](done >= 0); }
})";
enum : std::uint32_t { kStart, kWaits, kEnds, kLate };

class Following : public testing::Test {
 protected:
  Following() : automaton(automata::parse_automaton({"small.ta", kText}).value()) {
    const std::array<std::int64_t, 3> values{4, 1, 1};
    what = followed(automaton, values, 1).value();
    follower.begin(what, {LocationSet{kStart, kLate}}, 3);
  }
  bool move(unsigned replica, LocationSet after, std::vector<std::uint8_t> sent, LocationSet through = {}) {
    Move move;
    move.seen.through[0] = through;
    move.seen.after[0] = after;
    move.sent = std::move(sent);
    return follower.take(what, replica, move);
  }

  automata::Automaton automaton;
  Followed what;
  Follower follower;
};

TEST_F(Following, OneStepMayTakeSeveralRules) {
  EXPECT_TRUE(move(0, {kWaits}, {1, 0}));
  EXPECT_TRUE(move(1, {kEnds}, {1, 1})) << "its own message and a liar's make three";
  EXPECT_EQ(what.taken, (std::vector<std::uint64_t>{2, 1, 0}));
}

TEST_F(Following, AGuardThatDoesNotHoldIsTold) {
  EXPECT_TRUE(move(0, {kWaits}, {1, 0}));
  EXPECT_FALSE(move(0, {kEnds}, {0, 1}));
  EXPECT_EQ(follower.objection(),
            "no rules lead from waits to ends (rule 2 wants f + sent >= 2 * t + 1) and done + 1 with n = 4, t = 1, "
            "f = 1, sent = 1, done = 0");
}

TEST_F(Following, WhatIsSentMustBeAccountedFor) {
  EXPECT_FALSE(move(0, {kWaits}, {0, 0})) << "it moved and sent nothing";
  follower.begin(what, {LocationSet{kStart, kLate}}, 3);
  EXPECT_FALSE(move(0, {kStart, kLate}, {1, 0})) << "it sent and did not move";
  follower.begin(what, {LocationSet{kStart, kLate}}, 3);
  EXPECT_FALSE(move(0, {kWaits}, {2, 0})) << "it sent twice";
}

TEST_F(Following, AWayMayHaveToPassALocation) {
  EXPECT_TRUE(move(0, {kWaits}, {1, 0}));
  EXPECT_TRUE(move(1, {kEnds}, {1, 1}, {kWaits}));
  EXPECT_FALSE(move(2, {kEnds}, {0, 0}, {kWaits})) << "who is late does not wait";
}

// Where it began is seen later: then what it does must fit one of the places.
TEST_F(Following, AReplicaMayBeInSeveralPlaces) {
  EXPECT_TRUE(move(2, {kStart, kLate}, {0, 0}));
  EXPECT_TRUE(move(0, {kWaits}, {1, 0}));
  EXPECT_TRUE(move(1, {kEnds}, {1, 1}));
  EXPECT_TRUE(move(2, {kEnds}, {0, 0}));
  EXPECT_EQ(what.taken, (std::vector<std::uint64_t>{2, 1, 1}));
  EXPECT_FALSE(move(2, {kWaits}, {1, 0})) << "no rule leads back";
}

TEST_F(Following, ClustersThatTheAutomatonDoesNotDescribeAreRefused) {
  const std::array<std::int64_t, 3> many{4, 1, 2};
  EXPECT_EQ(followed(automaton, many, 1).error().message, "n = 4, t = 1, f = 2 do not satisfy the assumption t >= f");
  EXPECT_TRUE(check_start(what, {LocationSet{kStart}}, 3));
  EXPECT_EQ(check_start(what, {LocationSet{kStart, kLate}}, 4).error().message,
            "its inits do not let 4 replicas begin where the map says");
  EXPECT_FALSE(check_start(what, {LocationSet{kWaits}}, 3));
}

}  // namespace
}  // namespace nika::conform
