// Loops in every order of arrival: toys for which it is known, and all protocols against going through every
// permutation of every batch.
#include <gtest/gtest.h>

#include "nika/campaign/loops.hpp"
#include "nika/explore/loop.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/protocols/fast_hotstuff/fast_hotstuff.hpp"
#include "nika/protocols/hotstuff/hotstuff.hpp"
#include "nika/protocols/linear_pbft/linear_pbft.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika {
namespace {

struct Hello {
  [[maybe_unused]] static constexpr std::string_view kName = "hello";
  Round view{};
  static constexpr auto fields() { return std::tuple{field("view", &Hello::view)}; }
};

struct EarState {
  IdentitySet first{};  // whom it heard first in its view
  Round view{};
  std::uint8_t was_last_first = 0;
  static constexpr auto fields() {
    return std::tuple{field("view", &EarState::view), field("first", &EarState::first),
                      field("was_last_first", &EarState::was_last_first)};
  }
};

enum class Ear { kForgets, kKeeps, kDecides, kTells };

// Everybody greets all in every view; what a replica makes of hearing the last one first differs.
template <Ear kEar>
struct FirstHeard {
  using State = EarState;
  using Message = std::variant<Hello>;
  static constexpr std::string_view kName = "first-heard";
  static constexpr std::string_view kSummary = "listens to the first";
  static constexpr std::array<std::string_view, 0> kBugs{};
  static constexpr Identity kLast{2};

  static void start(State& state, const Context&, Outbox<Message>& out) {
    state.view = Round(1);
    out.set_timer(TimerId{0}, 1);
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out) {
    if (std::get<Hello>(message).view == Round(0)) out.commit(Height(1), ValueId(Round(1), Seat{0}, 0));
    if (!state.first.empty()) return;
    state.first.insert(from);
    if (kEar == Ear::kKeeps) state.was_last_first = from == kLast ? 1 : 0;
    if (from != kLast) return;
    if (kEar == Ear::kDecides) out.commit(Height(1), ValueId(Round(1), Seat{0}, 0));
    if (kEar == Ear::kTells && context.self == Identity{0}) out.send(context.everyone(), Hello{Round(0)});
  }
  static void expire(State& state, const Context& context, TimerId, Outbox<Message>& out) {
    state.view = state.view.next();
    state.first = {};
    out.send(context.everyone(), Hello{state.view});
    out.set_timer(TimerId{0}, 1);
  }
  static Round round_of(const Message& message) { return std::get<Hello>(message).view; }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State& state) { return state.view; }
};

Scenario three_nodes(std::vector<std::uint8_t> copies = {}) {
  Scenario scenario;
  scenario.protocol = "first-heard";
  scenario.node_count = 3;
  scenario.fault_count = copies.empty() ? 0 : 1;
  scenario.copies = std::move(copies);
  scenario.rounds.resize(1);
  scenario.rounds[0].leaders = {Identity{0}};
  scenario.heal_rounds = 4;
  scenario.heal_leaders = {Identity{0}};
  return scenario;
}

// The first loop that is proved.
template <Protocol P>
std::optional<Loop> loop_of(const Scenario& scenario, const Cluster& cluster) {
  const auto search = std::make_unique<LoopSearch<P>>(cluster);
  for (const LoopPart& part : loop_parts_of(scenario)) {
    RecordedSchedule schedule(scenario);
    const auto loop = search->find(schedule, part);
    if (loop && loop->proved) return loop;
  }
  return std::nullopt;
}

template <Ear kEar>
bool runs_in_any_order(const Scenario& scenario) {
  using P = FirstHeard<kEar>;
  const Cluster cluster = cluster_of(scenario, P::kBugs).value();
  const auto loop = loop_of<P>(scenario, cluster);
  EXPECT_TRUE(loop.has_value());
  RecordedSchedule schedule(scenario);
  return loop && std::make_unique<LoopSearch<P>>(cluster)->runs_in_any_order(schedule, *loop);
}

TEST(AnyOrder, IsProvedWhereTheOrderMakesNoDifference) { EXPECT_TRUE(runs_in_any_order<Ear::kForgets>(three_nodes())); }

TEST(AnyOrder, IsProvedWhereItMakesADifferenceButNeverADecision) {
  EXPECT_TRUE(runs_in_any_order<Ear::kKeeps>(three_nodes()));
}

TEST(AnyOrder, IsNotProvedWhereAnotherOrderDecides) { EXPECT_FALSE(runs_in_any_order<Ear::kDecides>(three_nodes())); }

// All decide when A tells them to, which it does when it hears the last one first. With a twin it is a liar, and in
// which order it hears the others is its own choice.
TEST(AnyOrder, LeavesLiarsTheOrderOfTheSchedule) {
  EXPECT_TRUE(runs_in_any_order<Ear::kTells>(three_nodes({2})));
  EXPECT_FALSE(runs_in_any_order<Ear::kTells>(three_nodes()));
}

// All n! orders of each batch at each honest receiver, whatever they lead to.
template <Protocol P>
class EveryPermutation final : public Arranger<P> {
 public:
  using typename Arranger<P>::Letters;
  explicit EveryPermutation(const RoundNetwork<P>& network) : honest_(network.cluster().honest_seats()) {}
  void begin() { depth_ = 0; }
  bool next() {
    while (!path_.empty() && path_.back().first + 1 == path_.back().second) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().first;
    return true;
  }
  bool is_incomplete() const { return false; }

  void arrange(const World<P>&, Seat receiver, Letters letters) override {
    if (!honest_.contains(receiver)) return;
    std::size_t count = 1;
    for (std::size_t i = 2; i <= letters.size(); ++i) count *= i;
    if (depth_ == path_.size()) path_.emplace_back(0, count);
    std::size_t number = path_[depth_++].first;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      std::swap(letters[i], letters[i + number % (letters.size() - i)]);
      number /= letters.size() - i;
    }
  }

 private:
  const SeatSet honest_;
  std::vector<std::pair<std::size_t, std::size_t>> path_;
  std::size_t depth_ = 0;
};

struct Tried {
  bool holds = false;
  std::size_t worlds = 0;
  std::size_t runs = 0;
};

template <Protocol P, class Orders>
Tried tried(const Scenario& scenario, const Cluster& cluster, const Loop& loop) {
  RecordedSchedule schedule(scenario);
  RepeatedRounds rounds(schedule, cluster.seat_count, loop.part.last, loop.part.period);
  rounds.repeat(loop.first_round, loop.length);
  const auto network = std::make_unique<RoundNetwork<P>>(cluster, Properties{});
  const auto world = std::make_unique<World<P>>();
  network->start(*world, rounds);
  for (unsigned round = 1; round < loop.first_round; ++round) EXPECT_TRUE(network->advance(*world, rounds));
  const auto any = std::make_unique<AnyOrder<P, Orders>>(*network, rounds, loop, 16);
  Tried result;
  result.holds = any->holds_from(*world);
  result.worlds = any->worlds();
  result.runs = any->runs();
  return result;
}

// Nothing if there is no loop, or there are too many permutations.
template <Protocol P>
Tried compare(const Scenario& scenario) {
  const Cluster cluster = cluster_of(scenario, P::kBugs).value();
  const auto loop = loop_of<P>(scenario, cluster);
  if (!loop) return {};
  const Tried few = tried<P, ArrivalPermutations<P>>(scenario, cluster, *loop);
  const Tried all = tried<P, EveryPermutation<P>>(scenario, cluster, *loop);
  if (all.runs > AnyOrder<P>::kMaxRuns) return {};
  EXPECT_EQ(few.holds, all.holds) << P::kName;
  EXPECT_TRUE(!few.holds || few.worlds == all.worlds) << P::kName << ": " << few.worlds << ", " << all.worlds;
  EXPECT_LE(few.runs, all.runs);
  return few;
}

TEST(AnyOrder, ComesToTheWorldsOfEveryPermutation) {
  // Each of three seats has heard the last one first or not: eight worlds, of which 27 orders of whom is first tell.
  const Tried keeps = compare<FirstHeard<Ear::kKeeps>>(three_nodes());
  EXPECT_TRUE(keeps.holds);
  EXPECT_EQ(keeps.worlds, 8U);
  EXPECT_EQ(compare<FirstHeard<Ear::kForgets>>(three_nodes()).worlds, 1U);
  EXPECT_FALSE(compare<FirstHeard<Ear::kDecides>>(three_nodes()).holds);
}

template <class P>
class AnyOrderOf : public testing::Test {};
using Protocols =
    testing::Types<bracha::Bracha, diembft::DiemBft, fab::Fab, fast_hotstuff::FastHotStuff, hotstuff::HotStuff,
                   hotstuff::TwoPhaseHotStuff, linear_pbft::LinearPbft, linear_pbft::LinearPbftThirdPhase>;
TYPED_TEST_SUITE(AnyOrderOf, Protocols);

// Two and three nodes that drop one kind of message for ever, so that batches are small enough for every permutation.
TYPED_TEST(AnyOrderOf, AProtocolIsThatOfEveryPermutation) {
  constexpr unsigned kKinds = std::variant_size_v<typename TypeParam::Message>;
  unsigned compared = 0;
  for (const unsigned nodes : {2U, 3U}) {
    for (unsigned kind = 0; kind < kKinds; ++kind) {
      Scenario scenario;
      scenario.protocol = TypeParam::kName;
      scenario.node_count = static_cast<std::uint8_t>(nodes);
      scenario.fault_count = 0;
      scenario.rounds.resize(2);
      scenario.rounds[0].leaders = {Identity{0}};
      scenario.rounds[1].leaders = {Identity{1}};
      scenario.rules = {Rule{.kinds = 1U << kind}};
      compared += compare<TypeParam>(scenario).holds ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 4U);
}

}  // namespace
}  // namespace nika
