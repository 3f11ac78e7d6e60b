// Each property in each network model: a planted run that it must flag and one that it must not, or the reason why it
// says nothing there. A property that has no row here fails the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "nika/properties/agreement.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/deadlock.hpp"
#include "nika/properties/integrity.hpp"
#include "nika/properties/lasso.hpp"
#include "nika/properties/planted_run.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/temperature.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"
#include "nika/properties/validity.hpp"

namespace nika {
namespace {

enum class Network : std::uint8_t { kRounds, kTicks, kSteps };
constexpr std::array<Network, 3> kNetworks{Network::kRounds, Network::kTicks, Network::kSteps};

// B, C and D lead. On the clock the protocol decides within four Δ of two ticks.
PlantedRun run_in(Network network, const Property& property) {
  PlantedRun run(property);
  run.all_lead();
  if (network == Network::kTicks) run.delta_ticks = 2;
  if (network == Network::kTicks) run.promises.decision_deltas = 4;
  run.is_asynchronous = network == Network::kSteps;
  return run;
}
Network network_of(const PlantedRun& run) {
  if (run.is_asynchronous) return Network::kSteps;
  return run.delta_ticks > 0 ? Network::kTicks : Network::kRounds;
}

// Until something can be asked of progress: two rounds of healing, the time of a decision, or all has arrived.
void end(PlantedRun& run) {
  switch (network_of(run)) {
    case Network::kRounds:
      run.pass(1);
      run.heal(2);
      break;
    case Network::kTicks:
      run.pass(1);
      run.heal(1);
      run.tick(9);
      break;
    case Network::kSteps: run.tick(); run.promises.is_single_shot = run.is_quiet = true;
  }
}
// So many rounds, ticks or steps.
void spend(PlantedRun& run, unsigned time) { network_of(run) == Network::kRounds ? run.pass(time) : run.tick(time); }
// One that heals, of an honest leader in whose view all are.
void lead_in_step(PlantedRun& run) {
  for (PlantedSeat& seat : run.seats) seat.view = Round(run.now.number + 2U);
  run.pass(1);
  if (run.is_asynchronous) return;
  run.healing_since = run.now.next();
}
// Two locks that exclude each other, for so many rounds or views.
void heat(PlantedRun& run, unsigned times) {
  run.pass(2);
  run.seats[1].progress.locked = {kFirst, Height(1)};
  run.seats[3].progress.locked = {kSecond, Height(1)};
  run.pass(times);
}

using Plant = void (*)(PlantedRun&);
struct Row {
  const Property* property;
  Plant flagged;
  Plant fine;
  Judgement found;                        // what flags it
  Unjudged in_steps = Unjudged::kJudged;  // why it is not judged there
};

Judgement broken() { return Judgement::violated({}); }

constexpr auto two_values = [](PlantedRun& run) {
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{2}, 1, kSecond);
};
constexpr auto one_value = [](PlantedRun& run) { run.commit_all(1); };
constexpr auto nobodys_value = [](PlantedRun& run) {
  run.cluster.compromised = {};
  run.commit(Seat{1}, 1, ValueId(Round(3), Seat{2}, 0));
};
constexpr auto twice = [](PlantedRun& run) {
  run.commit(Seat{1}, 1, kFirst);
  run.commit(Seat{1}, 2, kFirst);
};
constexpr auto new_decisions = [](PlantedRun& run) {
  end(run);
  run.commit_all(1);
};
constexpr auto one_alone = [](PlantedRun& run) {
  run.commit(Seat{1}, 1, kFirst);
  end(run);
};
constexpr auto all_catch_up = [](PlantedRun& run) {
  run.commit(Seat{1}, 1, kFirst);
  end(run);
  run.commit_all(1);
};
constexpr auto idle_leader = [](PlantedRun& run) {
  lead_in_step(run);
  lead_in_step(run);
  spend(run, network_of(run) == Network::kTicks ? 9 : 0);
};
constexpr auto busy_leader = [](PlantedRun& run) {
  run.commit_all(1);
  lead_in_step(run);
  run.commit_all(2);
  lead_in_step(run);
  spend(run, network_of(run) == Network::kTicks ? 8 : 0);
};
constexpr auto at_rest = [](PlantedRun& run) {
  run.is_at_rest = run.promises.is_single_shot = true;
  spend(run, 3);
};
constexpr auto done = [](PlantedRun& run) {
  run.commit_all(1);
  run.is_at_rest = run.promises.is_single_shot = true;
  spend(run, 3);
};
constexpr auto late = [](PlantedRun& run) { spend(run, 4); };
constexpr auto in_time = [](PlantedRun& run) {
  spend(run, 3);
  run.commit(Seat{3}, 1, kFirst);
  spend(run, 1);
};
constexpr auto hot = [](PlantedRun& run) { heat(run, 5); };
constexpr auto nearly_hot = [](PlantedRun& run) { heat(run, 4); };
constexpr auto states_that_differ = [](PlantedRun& run) { heat(run, 2); };

std::vector<Row> rows() {
  const Judgement candidate = Judgement::unknown(Unjudged::kUnconfirmed);
  return {{&kAgreement, two_values, one_value, broken()},
          {&kTermination, end, new_decisions, broken()},
          {&kTotality, one_alone, all_catch_up, broken()},
          {&kValidity, nobodys_value, one_value, broken()},
          {&kIntegrity, twice, one_value, broken()},
          {&kResponsiveness, idle_leader, busy_leader, broken(), Unjudged::kNoHealing},
          {&kTemperature, hot, nearly_hot, broken(), Unjudged::kNoRounds},
          {&limited_to(kBoundedTime, 4), late, in_time, broken(), Unjudged::kNoRounds},
          {&kDeadlock, at_rest, done, broken()},
          {&kLasso, hot, states_that_differ, candidate, Unjudged::kNoRounds},
          {&kConfirmedLasso, hot, states_that_differ, candidate, Unjudged::kNoRounds}};
}

TEST(EveryNetwork, EachPropertyFlagsAPlantedRunAndLeavesAnotherAlone) {
  for (const Row& row : rows()) {
    for (const Network network : kNetworks) {
      SCOPED_TRACE(std::string(row.property->name) + " in network " + std::to_string(static_cast<int>(network)));
      PlantedRun flagged = run_in(network, *row.property);
      row.flagged(flagged);
      PlantedRun fine = run_in(network, *row.property);
      row.fine(fine);
      const Unjudged why = network == Network::kSteps ? row.in_steps : Unjudged::kJudged;
      if (why != Unjudged::kJudged) {
        EXPECT_EQ(flagged.unjudged(), why);
        EXPECT_EQ(fine.unjudged(), why);
        continue;
      }
      EXPECT_EQ(flagged.verdict(), row.found.verdict);
      EXPECT_EQ(flagged.unjudged(), row.found.unjudged);
      EXPECT_EQ(fine.verdict(), Verdict::kHolds);
    }
  }
}

TEST(EveryNetwork, NoPropertyIsMissing) {
  const std::vector<Row> all = rows();
  for (const Property* property : built_in_properties()) {
    EXPECT_TRUE(std::ranges::any_of(all, [&](const Row& row) { return row.property->name == property->name; }))
        << property->name;
  }
  EXPECT_EQ(all.size(), built_in_properties().size());
}

}  // namespace
}  // namespace nika
