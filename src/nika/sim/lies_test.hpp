// What lies never make, whatever the protocol that keeps blocks in a tree; the protocols are in several files because
// each takes long to compile.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/sim/fuzz_settings_test.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {

template <class P>
struct Played {
  Cluster cluster;
  RoundNetwork<P> network;
  World<P> world{};
  Outcome outcome{};
  Trace trace{};

  explicit Played(const Cluster& cast) : cluster(cast), network(cast, only(kAgreement)) {}
};

// Whoever holds a certificate holds one for a block that f+1 honest seats voted for, and a name is of one block only.
template <class P>
class WhatLiesNeverMake : public testing::Test {
 public:
  static void check(const byzzfuzz::Settings& settings) {
    const byzzfuzz::FuzzGenerator generator(settings);
    const auto schedule = generator.schedule();
    Played<P> played(generator.cluster());
    played.network.trace = &played.trace;
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < settings.runs; ++i) {
      schedule->seek(i);
      played.trace.clear();
      run(played.network, played.world, *schedule, played.outcome);
      ASSERT_EQ(played.outcome.verdict(), Verdict::kHolds) << "run " << i;
      check_run(played, i);
      changed += played.outcome.faults.changed;
    }
    EXPECT_GT(changed, settings.runs / 10);
  }

 private:
  static void check_run(const Played<P>& played, std::uint64_t number) {
    std::map<ValueId, SeatSet> voters;
    std::map<ValueId, ValueId> parents;
    const SeatSet honest = played.cluster.honest_seats();
    for (const Event& event : played.trace) {
      if (event.kind == EventKind::kVoted && honest.contains(event.seat)) voters[event.value].insert(event.seat);
    }
    const int needed = played.network.context_of(Seat{0}).quorum() - played.cluster.fault_count;
    for (Seat seat : honest) {
      const auto& state = played.world.states[index_of(seat)];
      const Progress held = progress<P>(state, played.network.context_of(seat));
      for (const Held& block : {held.prepared, held.locked}) {
        ASSERT_TRUE(block.is_genesis() || voters[block.value].size() >= needed) << "run " << number;
      }
      for (const auto& block : state.tree.blocks()) {
        const auto known = parents.try_emplace(block.id, block.parent).first;
        ASSERT_EQ(known->second, block.parent) << "run " << number;
      }
    }
  }
};

TYPED_TEST_SUITE_P(WhatLiesNeverMake);

TYPED_TEST_P(WhatLiesNeverMake, CertificatesWithoutAQuorumOrTwoBlocksOfOneName) {
  for (const auto scope : {byzzfuzz::Scope::kSmall, byzzfuzz::Scope::kAny, byzzfuzz::Scope::kBaseline}) {
    TestFixture::check(many_faults_of<TypeParam>(scope, 2000));
  }
}

REGISTER_TYPED_TEST_SUITE_P(WhatLiesNeverMake, CertificatesWithoutAQuorumOrTwoBlocksOfOneName);

}  // namespace nika
