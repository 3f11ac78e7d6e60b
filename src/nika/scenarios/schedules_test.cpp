// A generator tells each of its schedules again as a scenario. Both must answer alike, whatever a run may ask: compared
// here fate by fate against the recorded schedule, which has tests of its own.
#include <gtest/gtest.h>

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/base/sanitized.hpp"
#include "nika/scenarios/guided/draws.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"
#include "nika/scenarios/timed/timed_generator.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

constexpr unsigned kKinds = 3;

constexpr unsigned kScenarios = kSanitized ? 100 : 1'000;

// What becomes of a message: of the rule that decides, or of the links.
struct Fate {
  Action action = Action::kDeliver;
  unsigned delay_ticks = 0;
  unsigned delay_rounds = 0;

  bool operator==(const Fate&) const = default;
};

struct Link {
  unsigned kind = 0;
  Seat from{};
  Seat to{};
};

Fate fate_of(const RoundAnswers& answers, Round round, const Link& link) {
  const auto by_links = [&](const Reach& reach) {
    return Fate{reach[index_of(link.from)].contains(link.to) ? Action::kDeliver : Action::kDrop, 0, 0};
  };
  for (const Rule& rule : answers.rules) {
    const bool is_about = rule.first_round <= round && round <= rule.last_round &&
                          (rule.kinds >> link.kind & 1U) != 0 && rule.from.contains(link.from) &&
                          rule.to.contains(link.to);
    if (!is_about) continue;
    if (rule.action == Action::kLinks) return by_links(rule.reach);
    return {rule.action, rule.delay_ticks, rule.delay_rounds};
  }
  return by_links(answers.kind_links != nullptr ? (*answers.kind_links)[link.kind] : answers.links->reach);
}

Order order_of(const RoundAnswers& answers, Seat receiver) {
  const auto own = std::ranges::find(answers.receiver_orders, receiver, &ReceiverOrder::receiver);
  return own == answers.receiver_orders.end() ? *answers.order : own->order;
}

// The first thing that two schedules answer differently in a round; nothing if they agree.
std::string difference_in(Round round, const RoundAnswers& one, const RoundAnswers& other, SeatSet seats) {
  if (one.heals != other.heals) return "healing";
  if (one.links->components != other.links->components) return "components";
  if (one.gives_up != other.gives_up) return "who gives up";
  if (one.crashes != other.crashes || one.recovers != other.recovers || one.forgets != other.forgets) return "crashes";
  for (Seat seat : seats) {
    if (order_of(one, seat) != order_of(other, seat)) return "the order of a receiver";
    for (Seat to : seats - SeatSet::single(seat)) {
      for (unsigned kind = 0; kind < kKinds; ++kind) {
        if (fate_of(one, round, {kind, seat, to}) != fate_of(other, round, {kind, seat, to})) return "a fate";
      }
    }
  }
  return {};
}

std::string difference(Schedule& one, Schedule& other, SeatSet seats) {
  if (one.scheduled_rounds() != other.scheduled_rounds() || one.heal_rounds() != other.heal_rounds()) return "rounds";
  if (one.leaders() != other.leaders()) return "leaders";
  for (Round round(1); round <= one.last_round(); round = round.next()) {
    const auto differs = difference_in(round, one.round(round), other.round(round), seats);
    if (!differs.empty()) return differs + " in round " + std::to_string(round.number);
  }
  return {};
}

// One schedule is sought again and again, forwards and anywhere, as a campaign does.
void expect_alike(const Generator& generator, Wide size) {
  const auto schedule = generator.schedule();
  Random random(7);
  for (unsigned i = 0; i < kScenarios; ++i) {
    const Wide index = i % 2 == 0 ? i / 2 % size : random.below(static_cast<std::uint64_t>(size));
    const Scenario scenario = generator.scenario(index);
    ASSERT_EQ(generator.scenario(index), scenario);
    schedule->seek(index);
    RecordedSchedule recorded(scenario);
    ASSERT_EQ(difference(*schedule, recorded, generator.cluster().seats()), "") << "scenario " << to_string(index);
  }
}

twins::Settings phase_settings() {
  twins::Settings settings{.rounds = 4, .heal_rounds = 5};
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.step3 = {twins::Selection::Kind::kRandom, 1'000'000};
  settings.granularity = twins::Granularity::kPhase;
  settings.one_way = true;
  settings.disturbances = {
      .late_rounds = 3, .repeats = true, .early_timeouts = true, .receiver_orders = true, .crashes = 2};
  return settings;
}

std::vector<twins::Settings> all_phase_settings() {
  std::vector<twins::Settings> all;
  for (const auto healing :
       {twins::HealLeaders::kLeading, twins::HealLeaders::kHonest, twins::HealLeaders::kAlternating}) {
    for (const auto order : {twins::OrderChoice::kFifo, twins::OrderChoice::kReversed, twins::OrderChoice::kSampled}) {
      twins::Settings settings = phase_settings();
      settings.heal_leaders = healing;
      settings.order = order;
      all.push_back(settings);
    }
  }
  twins::Settings all_orders = phase_settings();
  all_orders.order = twins::OrderChoice::kAll;
  all_orders.leaders = {};
  twins::Settings large = phase_settings();
  large.nodes = 7;
  large.twins = 2;
  large.partitions = 3;
  large.at_most = true;
  large.heal_leaders = twins::HealLeaders::kAlternating;
  large.crashes = {{Seat{3}, Round(2), Round(7), false}};
  twins::Settings calm = phase_settings();
  calm.disturbances = {};
  all.insert(all.end(), {all_orders, large, calm});
  return all;
}

// What compares must see what differs.
TEST(Schedules, ThatDifferInOneAnswerAreToldApart) {
  const auto sampler = phases::Sampler::make(phase_settings(), kKinds).value();
  Scenario scenario = sampler.scenario(5);
  scenario.crashes = {{Seat{1}, Round(1), Round(3), true}};
  const auto told = [&](const auto& change) {
    Scenario changed = scenario;
    change(changed);
    RecordedSchedule one(scenario);
    RecordedSchedule other(changed);
    return difference(one, other, sampler.cluster().seats());
  };
  const Rule late{.last_round = Round(1), .kinds = 1, .from = {Seat{2}}, .to = {Seat{3}}, .action = Action::kLate};
  EXPECT_EQ(told([](Scenario&) {}), "");
  EXPECT_EQ(told([](Scenario& s) { ++s.heal_rounds; }), "rounds");
  EXPECT_EQ(told([](Scenario& s) { s.heal_leaders = {Identity{3}}; }), "leaders");
  EXPECT_EQ(told([](Scenario& s) { s.rounds[1].leaders = {}; }), "leaders");
  EXPECT_EQ(told([](Scenario& s) { s.rounds[2].partition = {{0, 1}}; }), "components in round 3");
  EXPECT_EQ(
      told([](Scenario& s) { s.rounds[1].gives_up = s.rounds[1].gives_up.empty() ? SeatSet{Seat{1}} : SeatSet{}; }),
      "who gives up in round 2");
  EXPECT_EQ(told([](Scenario& s) { s.crashes[0].keeps_memory = false; }), "crashes in round 3");
  EXPECT_EQ(told([](Scenario& s) { s.rounds[3].receiver_orders = {{Seat{2}, Order::reversed(3)}}; }),
            "the order of a receiver in round 4");
  EXPECT_EQ(told([](Scenario& s) { s.heal_order.own_first = false; }), "the order of a receiver in round 5");
  EXPECT_EQ(told([&](Scenario& s) { s.rules.insert(s.rules.begin(), late); }), "a fate in round 1");
}

TEST(Schedules, OfPhasesAnswerAsTheirScenarios) {
  for (const twins::Settings& settings : all_phase_settings()) {
    const auto sampler = phases::Sampler::make(settings, kKinds);
    ASSERT_TRUE(sampler.has_value()) << sampler.error().message;
    expect_alike(*sampler, *sampler->size());
  }
}

TEST(Schedules, OfPhasesStayWithinTheirSettings) {
  const auto sampler = phases::Sampler::make(phase_settings(), kKinds).value();
  std::array<unsigned, 6> seen{};  // late, repeated, gave up, an order of its own, down, forgetful
  for (unsigned i = 0; i < kScenarios; ++i) {
    const Scenario scenario = sampler.scenario(i);
    ASSERT_TRUE(check_healing(scenario).has_value());
    IdentitySet faulty = sampler.cluster().compromised;
    ASSERT_LE(scenario.crashes.size(), 2U);
    for (const Crash& crash : scenario.crashes) {
      ++seen[4];
      ASSERT_TRUE(Round(1) <= crash.down_from && crash.down_from < crash.up_from && crash.up_from <= Round(5));
      if (crash.keeps_memory) continue;
      ++seen[5];
      faulty.insert(sampler.cluster().identity(crash.seat));
    }
    ASSERT_LE(faulty.size(), 1);
    for (const RoundPlan& plan : scenario.rounds) {
      seen[2] += plan.gives_up.empty() ? 0 : 1;
      seen[3] += plan.receiver_orders.empty() ? 0 : 1;
    }
    for (const Rule& rule : scenario.rules) {
      ASSERT_LE(rule.delay_rounds, 3U);
      ASSERT_TRUE(rule.action != Action::kLate || rule.delay_rounds >= 1);
      seen[0] += rule.action == Action::kLate ? 1 : 0;
      seen[1] += rule.action == Action::kTwice ? 1 : 0;
    }
  }
  for (const unsigned count : seen) EXPECT_GT(count, kScenarios / 10);
}

TEST(Schedules, OfPhasesAreCalmUnlessTheyAreAskedNotToBe) {
  twins::Settings settings = phase_settings();
  settings.disturbances = {};
  const auto sampler = phases::Sampler::make(settings, kKinds).value();
  for (unsigned i = 0; i < kScenarios; ++i) {
    const Scenario scenario = sampler.scenario(i);
    EXPECT_TRUE(scenario.crashes.empty());
    for (const Rule& rule : scenario.rules) EXPECT_EQ(rule.action, Action::kLinks);
    for (const RoundPlan& plan : scenario.rounds) EXPECT_TRUE(plan.gives_up.empty() && plan.receiver_orders.empty());
  }
}

std::vector<twins::Settings> all_round_settings() {
  twins::Settings plain{.rounds = 3,
                        .crashes = {{Seat{1}, Round(1), Round(3), true}, {Seat{4}, Round(2), Round(5), false}}};
  std::vector<twins::Settings> all;
  for (const auto order : {twins::OrderChoice::kFifo, twins::OrderChoice::kReversed, twins::OrderChoice::kSampled,
                           twins::OrderChoice::kAll}) {
    plain.order = order;
    all.push_back(plain);
  }
  plain.heal_leaders = twins::HealLeaders::kAlternating;
  plain.leaders.kind = twins::LeaderChoice::Kind::kAll;
  plain.order = twins::OrderChoice::kFifo;
  all.push_back(plain);
  plain.step3 = {twins::Selection::Kind::kRandom, 5'000};
  all.push_back(plain);
  return all;
}

// In all ways to heal, drawn and one after the other.
std::vector<twins::Settings> all_healing_settings() {
  twins::Settings settings{.rounds = 3};
  settings.heal_leaders = twins::HealLeaders::kBoth;
  settings.heal_rotations = twins::HealRotations::kAll;
  settings.heal_orders = twins::HealOrders::kAll;
  settings.step3 = {twins::Selection::Kind::kRandom, 5'000};
  std::vector<twins::Settings> all{settings};
  settings.step3 = {};
  settings.rounds = 1;
  all.push_back(settings);
  return all;
}

TEST(Schedules, OfTwinsAnswerAsTheirScenarios) {
  std::vector<twins::Settings> all = all_round_settings();
  for (const twins::Settings& healing : all_healing_settings()) all.push_back(healing);
  for (const twins::Settings& settings : all) {
    const auto space = twins::Space::make(settings).value();
    expect_alike(twins::TwinsGenerator(space), *space.size());
  }
}

TEST(Schedules, ClassesAndGuidesTakeOneWayToHeal) {
  const twins::Settings settings = all_healing_settings().back();
  const auto space = twins::Space::make(settings).value();
  EXPECT_EQ(twins::Classes::make(space).error().message,
            "symmetry takes one way to heal: it renames the leaders of the healing rounds, too");
  EXPECT_EQ(guided::Draws::make(settings, kKinds).error().message,
            "a guide takes one rotation of healing leaders, and fifo");
}

TEST(Schedules, OfClassesAnswerAsTheirScenariosAndStandForAll) {
  const auto space = twins::Space::make({.rounds = 3}).value();
  const auto classes = twins::Classes::make(space).value();
  const twins::TwinsGenerator generator(space, &classes);
  ASSERT_LT(*generator.size(), *space.size());
  expect_alike(generator, *generator.size());
  const auto schedule = generator.schedule();
  Wide all = 0;
  for (Wide i = 0; i < *generator.size(); ++i) {
    schedule->seek(i);
    all += schedule->weight();
  }
  EXPECT_EQ(all, *space.size());
}

// Each round of another draw, some of them beyond the last one.
guided::Genome any_genome(const guided::Draws& draws, Random& random) {
  guided::Genome genome;
  const auto draw = [&] { return Wide{random.below(static_cast<std::uint64_t>(draws.size()) * 2)}; };
  for (unsigned r = 0; r < draws.gene_count(); ++r) genome.rounds.push_back({draw(), draw()});
  return genome;
}

void expect_guided_alike(const twins::Settings& settings) {
  const auto draws = guided::Draws::make(settings, kKinds);
  ASSERT_TRUE(draws.has_value()) << draws.error().message;
  guided::GuidedSchedule schedule(*draws);
  Random random(11);
  for (unsigned i = 0; i < kScenarios; ++i) {
    const guided::Genome genome =
        i % 2 == 0 ? any_genome(*draws, random) : guided::drawn(draws->gene_count(), i / 2 % draws->size());
    const Scenario scenario = draws->scenario(genome);
    schedule.seek(genome);
    RecordedSchedule recorded(scenario);
    ASSERT_EQ(difference(schedule, recorded, draws->space().cluster().seats()), "") << "genome " << i;
  }
}

TEST(Schedules, OfGenomesAnswerAsTheirScenarios) {
  for (const twins::Settings& settings : all_phase_settings()) expect_guided_alike(settings);
  for (const twins::Settings& settings : all_round_settings()) expect_guided_alike(settings);
}

TEST(Schedules, OfAWholeDrawAreTheDrawItself) {
  for (const twins::Settings& settings : all_phase_settings()) {
    const auto draws = guided::Draws::make(settings, kKinds).value();
    for (unsigned i = 0; i < 100; ++i) {
      ASSERT_EQ(draws.scenario(guided::drawn(draws.gene_count(), i)), draws.sampler()->scenario(i));
    }
  }
  for (const twins::Settings& settings : all_round_settings()) {
    const auto draws = guided::Draws::make(settings, kKinds).value();
    for (unsigned i = 0; i < 100; ++i) {
      ASSERT_EQ(draws.scenario(guided::drawn(draws.gene_count(), i)), draws.space().scenario(i));
    }
  }
}

Scenario timed_base() {
  Scenario base;
  base.node_count = 3;
  base.copies = {2};
  for (unsigned r = 0; r < 2; ++r) base.rounds.push_back({IdentitySet::single(static_cast<Identity>(r)), {}, {}});
  base.heal_rounds = 3;
  base.heal_leaders = {Identity{2}, Identity{1}};
  base.rules = {Rule{.note = "does not count"}};
  base.timing = Timing{.delta_ticks = 3, .ticks = 40};
  return base;
}

TEST(Schedules, OfTimedScenariosAnswerAsTheirScenarios) {
  const timed::TimedGenerator generator(timed_base(), {.views = 3, .kinds = kKinds}, 5, 10'000);
  EXPECT_EQ(generator.size(), Wide{10'000});
  EXPECT_EQ(generator.cluster().fault_count, 1);
  const auto schedule = generator.schedule();
  Random random(3);
  for (unsigned i = 0; i < kScenarios; ++i) {
    const Wide index = random.below(10'000);
    const Scenario scenario = generator.scenario(index);
    ASSERT_TRUE(check_synchrony(scenario).has_value());
    ASSERT_FALSE(std::ranges::any_of(scenario.rules, [](const Rule& rule) { return !rule.note.empty(); }));
    schedule->seek(index);
    RecordedSchedule recorded(scenario);
    ASSERT_EQ(schedule->leaders(), recorded.leaders());
    ASSERT_EQ(schedule->scheduled_rounds(), recorded.scheduled_rounds());
    ASSERT_EQ(schedule->heal_rounds(), recorded.heal_rounds());
    ASSERT_EQ(*schedule->timing(), *recorded.timing());
    ASSERT_TRUE(std::ranges::equal(schedule->rules(), recorded.rules()));
  }
  EXPECT_NE(generator.scenario(1), generator.scenario(2));
}

}  // namespace
}  // namespace nika
