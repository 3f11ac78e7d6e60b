// All orders of delivery: the reduced search is compared with the one that takes every delivery by itself, and Bracha's
// broadcast is searched through as a whole.
#include "nika/explore/step_explorer.hpp"

#include <gtest/gtest.h>

#include "nika/campaign/runner_for.hpp"
#include "nika/properties/all.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/steps/steps_generator.hpp"

namespace nika {
namespace {

// With so few nodes the broadcast promises nothing; here it is judged all the same, so that there is what to compare.
struct Bracha : bracha::Bracha {
  static constexpr unsigned kResilience = 1;
  static constexpr unsigned claimed_resilience(std::uint32_t) { return kResilience; }
};

// Runs in steps only: all that these tests need, in a third of the time that it takes to compile the rest.
template <Protocol P>
struct StepsRunner final : DescribedRunner<P> {
  Result<std::unique_ptr<Session>> open(const Setup& setup) const override {
    const auto cluster = this->check(setup);
    if (!cluster) return tl::unexpected(cluster.error());
    return std::make_unique<StepSession<P>>(*cluster, setup.properties);
  }
};

Properties some(std::initializer_list<const Property*> asked) {
  Properties result;
  for (const Property* property : asked) EXPECT_TRUE(result.push_back(property));
  return result;
}
Properties all() { return some({&kAgreement, &kTotality, &kTermination}); }

struct Case {
  unsigned nodes = 4;
  unsigned faults = 1;
  std::vector<std::uint8_t> copies{};
  std::vector<std::string> bugs{};
};

// A is the sender.
Scenario base_of(std::string_view protocol, const Case& c) {
  Scenario base;
  base.protocol = protocol;
  base.bugs = c.bugs;
  base.node_count = static_cast<std::uint8_t>(c.nodes);
  base.fault_count = static_cast<std::uint8_t>(c.faults);
  base.copies = c.copies;
  base.rounds.resize(1);
  base.rounds[0].leaders = {Identity{0}};
  return base;
}

template <Protocol P>
std::unique_ptr<Session> session_of(const Case& c, const Properties& properties) {
  const Scenario base = base_of(P::kName, c);
  auto session = StepsRunner<P>().open({cluster_of(base, P::kBugs).value(), c.bugs, properties, NetworkModel::kSteps});
  EXPECT_TRUE(session.has_value());
  return std::move(*session);
}

// Every violation that is told replays.
template <Protocol P>
StepSearchResult searched(const Case& c, const Properties& properties, bool reduces = true) {
  StepSearchOptions options;
  options.base = base_of(P::kName, c);
  options.reduces = reduces;
  auto result = session_of<P>(c, properties)->search_steps(options).value();
  for (const BrokenSteps& broken : result.broken) {
    const auto outcome = run_scenario(StepsRunner<P>(), broken.scenario, properties).value();
    EXPECT_EQ(outcome.judgements[broken.property].verdict, Verdict::kViolated);
    EXPECT_EQ(outcome.judgements[broken.property].evidence.kind, broken.kind);
  }
  return result;
}

// Whatever can happen in one search can in the other.
void expect_same(const StepSearchResult& one, const StepSearchResult& other) {
  EXPECT_FALSE(one.memory_was_full || other.memory_was_full);
  EXPECT_EQ(one.verdict, other.verdict);
  EXPECT_TRUE(one.endings == other.endings) << one.endings.size() << " and " << other.endings.size();
  EXPECT_EQ(one.broken.size(), other.broken.size());
}
struct Worlds {
  std::uint64_t plain = 0;
  std::uint64_t reduced = 0;
  bool operator==(const Worlds&) const = default;
};
template <Protocol P>
Worlds expect_exact(const Case& c, const Properties& properties) {
  const StepSearchResult plain = searched<P>(c, properties, false);
  const StepSearchResult reduced = searched<P>(c, properties);
  EXPECT_TRUE(reduced.was_reduced && !plain.was_reduced);
  expect_same(plain, reduced);
  return {plain.worlds, reduced.worlds};
}

TEST(StepExplorer, BrachasBroadcastEndsAsInTheUnreducedSearch) {
  EXPECT_EQ(expect_exact<Bracha>({.nodes = 2, .faults = 0}, all()), (Worlds{94, 12}));
  EXPECT_EQ(expect_exact<Bracha>({.nodes = 3}, all()), (Worlds{5'944, 34}));
  expect_exact<Bracha>({.nodes = 3}, some({&kAgreement}));
  EXPECT_EQ(expect_exact<Bracha>({.nodes = 2, .copies = {2}}, all()), (Worlds{617'833, 93}));
  for (const std::string bug : {"quorum-2f", "echo-majority"}) {
    expect_exact<Bracha>({.nodes = 2, .copies = {2}, .bugs = {bug}}, all());
    expect_exact<Bracha>({.nodes = 2, .copies = {1, 2}, .bugs = {bug}}, some({&kAgreement}));
  }
}

// The same protocol, without a word about what it ignores.
struct Blind {
  using State = Bracha::State;
  using Message = Bracha::Message;
  static constexpr std::string_view kName = "blind";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr auto kBugs = Bracha::kBugs;
  static constexpr unsigned kResilience = Bracha::kResilience;
  static constexpr bool kSingleShot = true;
  static constexpr bool kIsBroadcast = true;
  static void start(State& s, const Context& c, Outbox<Message>& out) { Bracha::start(s, c, out); }
  static void receive(State& s, const Context& c, Identity from, const Message& m, Outbox<Message>& out) {
    Bracha::receive(s, c, from, m, out);
  }
  static void expire(State& s, const Context& c, TimerId t, Outbox<Message>& out) { Bracha::expire(s, c, t, out); }
  static Round round_of(const Message& m) { return Bracha::round_of(m); }
  static ValueId subject_of(const Message& m) { return Bracha::subject_of(m); }
  static Round current_round(const State& s) { return Bracha::current_round(s); }
};
static_assert(Selective<Bracha> && !Selective<Blind>);

TEST(StepExplorer, TurnsAloneAreExactToo) {
  expect_exact<Blind>({.nodes = 2, .faults = 0}, all());
  expect_exact<Blind>({.nodes = 3, .faults = 1}, all());
  expect_exact<Blind>({.nodes = 2, .faults = 1, .copies = {2}}, all());
}

// Two honest nodes and a sender with a twin, where the broadcast can break: too much for the unreduced search.
TEST(StepExplorer, WhatBrachasBroadcastIgnoresMakesNoDifference) {
  for (const auto& bugs : {std::vector<std::string>{}, {"quorum-2f"}, {"echo-majority"}}) {
    const Case c{.nodes = 3, .copies = {2}, .bugs = bugs};
    const StepSearchResult blind = searched<Blind>(c, all());
    const StepSearchResult seeing = searched<Bracha>(c, all());
    expect_same(blind, seeing);
    EXPECT_LT(seeing.worlds, blind.worlds);
    EXPECT_EQ(seeing.tally.properties[0].violating > 0, !bugs.empty() && bugs[0] == "quorum-2f");
  }
}

// Leaders say a word to the others, who repeat every word to each other; whoever hears one value repeated twice in a
// row commits it. Everything depends on orders, and next to nothing commutes.
struct Rumour {
  struct Word {
    static constexpr std::string_view kName = "word";
    ValueId value{};
    static constexpr auto fields() { return std::tuple{field("value", &Word::value)}; }
  };
  struct Echo {
    static constexpr std::string_view kName = "echo";
    ValueId value{};
    static constexpr auto fields() { return std::tuple{field("value", &Echo::value)}; }
  };
  struct State {
    ValueId last{};
    ValueId committed{};
    static constexpr auto fields() {
      return std::tuple{field("last", &State::last), field("committed", &State::committed)};
    }
  };
  using Message = std::variant<Word, Echo>;
  static constexpr std::string_view kName = "rumour";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 1> kBugs{"credulous"};
  static constexpr unsigned kResilience = 2;
  static constexpr bool kSingleShot = true;

  static IdentitySet others(const Context& context) { return context.everyone() - context.leaders_of(Round(1)); }
  static void start(State&, const Context& context, Outbox<Message>& out) {
    if (context.leads(Round(1))) out.send(others(context), Word{context.fresh_value(Round(1))});
  }
  static void receive(State& state, const Context& context, Identity, const Message& message, Outbox<Message>& out) {
    const ValueId value = subject_of(message);
    if (std::holds_alternative<Word>(message)) return out.send(others(context), Echo{value});
    const bool is_enough = state.last == value || context.bugs != 0;
    state.last = value;
    if (!is_enough || !state.committed.is_genesis()) return;
    state.committed = value;
    out.commit(Height(1), value);
  }
  static void expire(State&, const Context&, TimerId, Outbox<Message>&) {}
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message) {
    return std::visit([](const auto& m) { return m.value; }, message);
  }
  static Round current_round(const State&) { return Round(1); }
};

TEST(StepExplorer, IsExactWhereOrdersMatter) {
  const Case honest{.nodes = 3};
  const Case lying{.nodes = 3, .copies = {2}};
  const Case credulous{.nodes = 3, .copies = {2}, .bugs = {"credulous"}};
  for (const Properties& properties : {all(), some({&kAgreement}), some({&kTotality}), some({&kTermination})}) {
    expect_exact<Rumour>(honest, properties);
    expect_exact<Rumour>(lying, properties);
    expect_exact<Rumour>(credulous, properties);
  }
  // Values may alternate at one node, and be together at the other.
  const StepSearchResult broken = searched<Rumour>(lying, some({&kAgreement, &kTotality}));
  EXPECT_GT(broken.tally.properties[0].violating, 0U);
  EXPECT_GT(broken.tally.properties[1].violating, 0U);
  const StepSearchResult all_commit = searched<Rumour>(credulous, some({&kAgreement, &kTotality}));
  EXPECT_GT(all_commit.tally.properties[0].violating, 0U);
  EXPECT_EQ(all_commit.tally.properties[1].violating, 0U);
}

// Four nodes, every order of delivery.
TEST(StepExplorer, BrachasBroadcastHoldsUnderAnyOrderWithALyingSender) {
  const StepSearchResult result = searched<Bracha>({.copies = {2}}, some({&kAgreement, &kTotality}));
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  EXPECT_EQ(result.worlds, 113'367U);
  EXPECT_EQ(result.transitions, 2'569'640U);
  // Nobody accepts, or everybody does.
  ASSERT_EQ(result.endings.size(), 2U);
  EXPECT_EQ(result.endings[0].committed, SeatSet{});
  EXPECT_EQ(result.endings[1].committed, (SeatSet{Seat{1}, Seat{2}, Seat{3}}));
}

TEST(StepExplorer, BrachasBroadcastHoldsUnderAnyOrderWithALiarAmongItsReceivers) {
  const StepSearchResult result = searched<Bracha>({.copies = {1, 1, 1, 2}}, all());
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  EXPECT_EQ(result.worlds, 5'418U);
  ASSERT_EQ(result.endings.size(), 1U);  // the sender is honest
  EXPECT_EQ(result.endings[0].committed, (SeatSet{Seat{0}, Seat{1}, Seat{2}}));
}

TEST(StepExplorer, SmallQuorumsBreakAgreementUnderSomeOrder) {
  const StepSearchResult result =
      searched<Bracha>({.copies = {2}, .bugs = {"quorum-2f"}}, some({&kAgreement, &kTotality}));
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(result.tally.properties[0].violating, 7'776U);
  EXPECT_EQ(result.tally.properties[1].violating, 0U);
  ASSERT_EQ(result.broken.size(), 1U);
  EXPECT_EQ(result.broken[0].kind, "two values of one round");
}

TEST(StepExplorer, ATwinOfTheSenderLeavesTerminationUnjudged) {
  const StepSearchResult result = searched<Bracha>({.nodes = 3, .faults = 1, .copies = {2}}, some({&kTermination}));
  EXPECT_EQ(result.verdict, Verdict::kUnknown);
  EXPECT_EQ(result.reason, "some endings could not be judged");
}

// What a random order leads to, the search has met.
TEST(StepExplorer, DrawnOrdersEndAsTheSearchSays) {
  const Properties properties = some({&kAgreement, &kTotality});
  for (const auto& bugs : {std::vector<std::string>{}, {"quorum-2f"}}) {
    const Case c{.copies = {2}, .bugs = bugs};
    const StepSearchResult all_orders = searched<Bracha>(c, properties);
    for (const steps::Draw draw : {steps::Draw::kUniform, steps::Draw::kPriorities}) {
      const auto session = session_of<Bracha>(c, properties);
      const steps::StepsGenerator drawn(base_of(Bracha::kName, c), {.draw = draw}, 1, 2000,
                                        [&](Schedule& schedule) { (void)session->run(schedule); });
      const auto schedule = drawn.schedule();
      unsigned violating = 0;
      for (unsigned i = 0; i < 2000; ++i) {
        schedule->seek(i);
        const Outcome outcome = session->run(*schedule);
        const auto is_known = [&](const StepEnding& ending) {
          return ending.judgements[0].verdict == outcome.judgements[0].verdict &&
                 ending.judgements[1].verdict == outcome.judgements[1].verdict &&
                 ending.committed.empty() != outcome.has_committed;
        };
        EXPECT_TRUE(std::ranges::any_of(all_orders.endings, is_known)) << i;
        violating += outcome.verdict() == Verdict::kViolated ? 1U : 0U;
        if (i % 200 != 0) continue;
        const auto again = run_scenario(StepsRunner<Bracha>(), drawn.scenario(i), properties).value();
        EXPECT_EQ(again.verdict(), outcome.verdict());
        EXPECT_EQ(again.delivered, outcome.delivered);
      }
      const unsigned expected = draw == steps::Draw::kUniform ? 153U : 221U;
      EXPECT_EQ(violating, bugs.empty() ? 0U : expected);
    }
  }
}

// Looks at every step, so that no order may be left out.
struct LastToChange {
  std::uint64_t steps = 0;

  void passed(const Sight&) { ++steps; }
  Judgement judge(const Sight&) const { return steps == 10 ? Judgement::holds() : Judgement::violated({.kind = "n"}); }
};
constexpr Property kLastToChange = property_of<LastToChange>("steps", "ten steps pass");

TEST(StepExplorer, PropertiesThatLookAtMoreThanCommitsAreSearchedStepByStep) {
  const StepSearchResult result = searched<Bracha>({.nodes = 2, .faults = 0}, some({&kLastToChange, &kAgreement}));
  EXPECT_FALSE(result.was_reduced);
  EXPECT_EQ(result.verdict, Verdict::kHolds);  // an initial, two echoes and two readies, each to two seats
}

TEST(StepExplorer, SaysWhenItDidNotSeeEverything) {
  StepSearchOptions options;
  options.base = base_of("bracha", {.copies = {2}});
  const auto session = session_of<Bracha>({.copies = {2}}, some({&kAgreement}));
  options.memory_bytes = 1'000'000;
  for (const bool reduces : {true, false}) {
    options.reduces = reduces;
    const auto full = session->search_steps(options).value();
    EXPECT_TRUE(full.memory_was_full);
    EXPECT_EQ(full.verdict, Verdict::kUnknown);
  }
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_EQ(session->search_steps(options).value().reason, "the search was stopped");
}

TEST(StepExplorer, AnotherCastOrAnotherNetworkIsRefused) {
  StepSearchOptions options;
  options.base = base_of("bracha", {});
  EXPECT_FALSE(session_of<Bracha>({.copies = {2}}, some({&kAgreement}))->search_steps(options).has_value());
  const auto rounds = built_in_protocol("bracha").open({make_cluster(4, {}).value(), {}, some({&kAgreement})});
  EXPECT_FALSE((*rounds)->search_steps(options).has_value());
}

}  // namespace
}  // namespace nika
