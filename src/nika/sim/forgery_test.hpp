// Nobody forges: what replicas hold as the word of a quorum was said by as many, under lies of all scopes. The
// protocols are in a file each because each takes long to compile.
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
class Forgery : public testing::Test {
 protected:
  // Looks at what a replica holds when a run has ended.
  virtual void check_state(const typename P::State& state, const Context& context) = 0;

  void check_all_scopes() {
    for (const auto scope : {byzzfuzz::Scope::kSmall, byzzfuzz::Scope::kAny, byzzfuzz::Scope::kBaseline}) {
      byzzfuzz::Settings settings = many_faults_of<P>(scope, 1000);
      settings.nodes = resilience_of<P>() + 1;
      check(settings);
    }
  }

  // How many honest seats did this about a value in a round, at a height.
  int honest_seats_of(EventKind kind, Round round, ValueId value, Height height = Height(0)) {
    ++certificates;
    return deeds_[{kind, round, value, height}].size();
  }

  const World<P>* world = nullptr;
  IdentitySet compromised{};
  std::uint64_t certificates = 0;
  bool counts_heights = false;

 private:
  using Deed = std::tuple<EventKind, Round, ValueId, Height>;

  void check(const byzzfuzz::Settings& settings) {
    const byzzfuzz::FuzzGenerator generator(settings);
    const auto schedule = generator.schedule();
    const auto network = std::make_unique<RoundNetwork<P>>(generator.cluster(), only(kAgreement));
    const auto ended = std::make_unique<World<P>>();
    world = ended.get();
    network->trace = &trace_;
    Outcome outcome;
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < settings.runs; ++i) {
      schedule->seek(i);
      trace_.clear();
      run(*network, *ended, *schedule, outcome);
      ASSERT_EQ(outcome.verdict(), Verdict::kHolds) << "run " << i;
      changed += outcome.faults.changed;
      collect(generator.cluster());
      for (Seat seat : generator.cluster().honest_seats()) {
        if (index_of(seat) < settings.nodes) check_state(ended->states[index_of(seat)], network->context_of(seat));
        ASSERT_FALSE(HasFailure()) << "run " << i;
      }
    }
    EXPECT_GT(changed, settings.runs / 10);
    EXPECT_GT(certificates, settings.runs);
  }

  void collect(const Cluster& cluster) {
    deeds_.clear();
    const SeatSet honest = cluster.honest_seats();
    for (const Event& event : trace_) {
      if (!honest.contains(event.seat)) continue;
      if (event.kind != EventKind::kVoted && event.kind != EventKind::kCertified) continue;
      const Height height = counts_heights ? event.height : Height(0);
      deeds_[{event.kind, event.round, event.value, height}].insert(event.seat);
    }
    compromised = cluster.compromised;
  }

  Trace trace_;
  std::map<Deed, SeatSet> deeds_;
};

}  // namespace nika
