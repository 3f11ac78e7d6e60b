// The search judges whatever it is asked: for each property the counts are those of the plain sweep, scenario by
// scenario, with every reduction that it may take.
#include <gtest/gtest.h>

#include "nika/campaign/runner_for.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/bounded_time.hpp"
#include "nika/properties/deadlock.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/temperature.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/diembft/diembft.hpp"
#include "nika/protocols/fab/fab.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"

namespace nika {
namespace {

using bracha::Bracha;
using diembft::DiemBft;
using fab::Fab;

Properties some(std::initializer_list<const Property*> asked) {
  Properties result;
  for (const Property* property : asked) EXPECT_TRUE(result.push_back(property));
  return result;
}

// Everything but how many runs it took.
struct Counts {
  Wide scenarios = 0;
  Wide violating = 0;
  Wide unknown = 0;
  Wide committed = 0;
  std::vector<PropertyTally> properties;

  explicit Counts(const Tally& tally)
      : scenarios(tally.scenarios),
        violating(tally.violating),
        unknown(tally.unknown),
        committed(tally.committed),
        properties(tally.properties) {}
  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  out << to_string(counts.scenarios) << " scenarios, " << to_string(counts.violating) << " violating, "
      << to_string(counts.unknown) << " unknown, " << to_string(counts.committed) << " committed";
  for (const PropertyTally& property : counts.properties) {
    out << "; " << to_string(property.violating) << " violating, unknown because";
    for (const Wide count : property.unknown_because) out << " " << to_string(count);
  }
  return out;
}

struct Searched {
  Counts swept{Tally{}};
  std::uint64_t worlds = 0;  // with all reductions
};

// Sweeps the space and searches it, with and without folding and renaming.
Searched expect_same_counts(const Runner& runner, const twins::Settings& settings, const Properties& properties) {
  const auto space = twins::Space::make(settings);
  if (!space) {
    ADD_FAILURE() << space.error().message;
    return {};
  }
  const auto session = runner.open({space->cluster(), settings.bugs, properties});
  EXPECT_TRUE(session.has_value());
  Tally tally(properties.size());
  const auto schedule = twins::TwinsGenerator(*space).schedule();
  for (Wide index = 0; index < *space->size(); ++index) {
    schedule->seek(index);
    tally.add((*session)->run(*schedule), 1);
  }
  Searched result{Counts(tally), 0};
  for (const bool folds : {false, true}) {
    for (const bool renames : {false, true}) {
      SearchOptions options;
      options.folds = folds;
      options.renames = renames;
      const auto found = (*session)->search(*space, options);
      if (!found) {
        ADD_FAILURE() << found.error().message;
        continue;
      }
      EXPECT_EQ(Counts(found->tally), result.swept) << "folds " << folds << ", renames " << renames;
      result.worlds = found->worlds;
    }
  }
  return result;
}

// The same for a protocol that comes with nika.
Searched expect_same_counts(const twins::Settings& settings, const Properties& properties) {
  return expect_same_counts(built_in_protocol(settings.protocol), settings, properties);
}

twins::Settings settings_of(std::string_view protocol, std::vector<std::string> bugs = {}) {
  twins::Settings settings{.protocol = std::string(protocol), .bugs = std::move(bugs), .rounds = 3};
  settings.heal_rounds = 24;
  settings.heal_leaders = twins::HealLeaders::kHonest;
  return settings;
}

const std::vector<Properties>& asked_together() {
  static const std::vector<Properties> kAsked{some({&kAgreement}), some({&kTermination}), some({&kTotality}),
                                              some({&kAgreement, &kTermination, &kTotality})};
  return kAsked;
}

// That are asked for by name only.
const std::vector<Properties>& about_liveness() {
  static const std::vector<Properties> kAsked{
      some({&kResponsiveness}), some({&limited_to(kTemperature, 2), &limited_to(kBoundedTime, 2), &kDeadlock})};
  return kAsked;
}

template <Protocol P>
class JudgedBySearch : public testing::Test {};
using Judged = testing::Types<DiemBft, Bracha, Fab>;
TYPED_TEST_SUITE(JudgedBySearch, Judged);

TYPED_TEST(JudgedBySearch, EachPropertyAndAllOfThemAreCountedLikeTheSweep) {
  for (const Properties& properties : asked_together()) {
    expect_same_counts(settings_of(TypeParam::kName), properties);
    expect_same_counts(settings_of(TypeParam::kName, {std::string(TypeParam::kBugs[0])}), properties);
  }
}

// Only A and B ever lead, so that C and D can be renamed whatever is asked.
TYPED_TEST(JudgedBySearch, RenamedWorldsAreCountedLikeTheSweep) {
  twins::Settings settings = settings_of(TypeParam::kName);
  settings.leaders = twins::parse_leaders("A,B").value();
  settings.heal_leaders = twins::HealLeaders::kLeading;
  settings.heal_rounds = 48;
  settings.rounds = 2;
  for (const Properties& properties : asked_together()) expect_same_counts(settings, properties);
  settings.leaders = twins::parse_leaders("B").value();
  settings.bugs = {std::string(TypeParam::kBugs[0])};
  settings.rounds = 3;
  for (const Properties& properties : asked_together()) expect_same_counts(settings, properties);
}

// What cannot be judged is counted by its reason.
TYPED_TEST(JudgedBySearch, ReasonsAreCountedLikeTheSweep) {
  twins::Settings settings = settings_of(TypeParam::kName);
  for (const unsigned heal_rounds : {0U, 2U}) {
    for (const auto leaders : {twins::HealLeaders::kLeading, twins::HealLeaders::kHonest}) {
      settings.heal_rounds = heal_rounds;
      settings.heal_leaders = leaders;
      expect_same_counts(settings, asked_together().back());
    }
  }
}

TYPED_TEST(JudgedBySearch, AnyNodeMayLead) {
  twins::Settings settings = settings_of(TypeParam::kName);
  settings.leaders.kind = twins::LeaderChoice::Kind::kAll;
  settings.rounds = 2;
  expect_same_counts(settings, asked_together().back());
}

TYPED_TEST(JudgedBySearch, GivenCrashesAreCountedLikeTheSweep) {
  for (const bool keeps_memory : {true, false}) {
    twins::Settings settings = settings_of(TypeParam::kName);
    // Back before the network heals, after it began to, and a compromised one.
    for (const auto& crashes : {std::vector<Crash>{{Seat{2}, Round(1), Round(3), keeps_memory}},
                                std::vector<Crash>{{Seat{2}, Round(2), Round(6), keeps_memory}},
                                std::vector<Crash>{{Seat{4}, Round(2), Round(3), keeps_memory},
                                                   {Seat{3}, Round(3), Round(4), keeps_memory}}}) {
      settings.crashes = crashes;
      expect_same_counts(settings, asked_together().back());
      if (crashes.size() > 1) continue;
      settings.twins = 0;  // then one crash is within f
      settings.leaders.kind = twins::LeaderChoice::Kind::kList;
      settings.leaders.list = {IdentitySet{Identity{0}}};
      expect_same_counts(settings, asked_together().back());
      settings.twins = 1;
      settings.leaders = {};
    }
  }
}

TYPED_TEST(JudgedBySearch, PropertiesAboutLivenessAreCountedAsTheyAreSwept) {
  for (const Properties& properties : about_liveness()) expect_same_counts(settings_of(TypeParam::kName), properties);
}

// Counts what honest seats commit, one by one.
struct CommitCount {
  static constexpr bool kNamesNobody = true;
  std::uint64_t count = 0;

  void committed(const Sight&, Seat, Commit) { ++count; }
  Judgement judge(const Sight&) const {
    return count % 3 == 0 ? Judgement::holds() : Judgement::violated({.kind = "no multiple of three"});
  }
};
constexpr Property kCommitCount = property_of<CommitCount>("commit-count", "honest nodes commit by threes");

// Who commits first. It names seats, so that nodes may not be renamed.
struct FirstToCommit {
  std::uint64_t seat = kMaxSeats;

  void committed(const Sight&, Seat by, Commit) {
    if (seat == kMaxSeats) seat = index_of(by);
  }
  bool is_settled(const Sight&) const { return seat != kMaxSeats; }
  Judgement judge(const Sight&) const {
    if (seat == kMaxSeats) return Judgement::unknown(Unjudged::kCutShort);
    return seat == 1 ? Judgement::holds() : Judgement::violated({.kind = "another one"});
  }
};
constexpr Property kFirstToCommit = property_of<FirstToCommit>("first", "B commits first");

TYPED_TEST(JudgedBySearch, MonitorsThatListenToCommitsAreToldAll) {
  for (const Properties& properties :
       {some({&kCommitCount}), some({&kFirstToCommit}), some({&kAgreement, &kFirstToCommit, &kCommitCount})}) {
    expect_same_counts(settings_of(TypeParam::kName), properties);
  }
}

// How far honest replicas get, for protocols with rounds; how many have anything in their hands, for the others.
template <Protocol P>
std::uint64_t distance(const Sight& sight) {
  std::uint64_t sum = 0;
  for (Seat seat : sight.cluster.honest_seats()) {
    const typename P::State& state = sight.states<P>()[index_of(seat)];
    if constexpr (std::same_as<P, Bracha>) {
      sum += state.readied.is_genesis() ? 0 : 1;
    } else {
      sum += P::current_round(state).number;
    }
  }
  return sum;
}

// Looks at the replicas when all is over.
template <Protocol P>
struct EndsAtOdds {
  Judgement judge(const Sight& sight) const {
    return distance<P>(sight) % 2 == 0 ? Judgement::holds() : Judgement::violated({.kind = "odd"});
  }
};
// Looks at them after every round, and is settled once they are far enough: they never go back.
template <Protocol P>
struct GetsFar {
  static constexpr bool kNamesNobody = true;
  static constexpr std::uint64_t kFar = std::same_as<P, Bracha> ? 2 : 8;
  std::uint64_t rounds = 0;

  void passed(const Sight& sight) { rounds += distance<P>(sight) % 2; }
  bool is_settled(const Sight& sight) const { return distance<P>(sight) >= kFar; }
  Judgement judge(const Sight& sight) const {
    if (!is_settled(sight)) return Judgement::unknown(Unjudged::kCutShort);
    return rounds % 2 == 0 ? Judgement::holds() : Judgement::violated({.kind = "far"});
  }
};
template <Protocol P>
constexpr Property kEndsAtOdds = property_of<EndsAtOdds<P>>("odds", "the sum is even");
template <Protocol P>
constexpr Property kGetsFar = property_of<GetsFar<P>>("far", "nobody gets far");

TYPED_TEST(JudgedBySearch, MonitorsThatLookAtStatesSeeThem) {
  for (const Properties& properties : {some({&kEndsAtOdds<TypeParam>}), some({&kGetsFar<TypeParam>}),
                                       some({&kAgreement, &kGetsFar<TypeParam>, &kEndsAtOdds<TypeParam>})}) {
    expect_same_counts(settings_of(TypeParam::kName), properties);
  }
}

// Whoever hears a leader of round 1 decides, and remembers nothing but that: all partitions in which everybody hears
// one lead to the same replicas, and only the monitor knows in which order they decided.
struct Hearsay {
  struct Word {
    static constexpr std::string_view kName = "word";
    ValueId value{};
    static constexpr auto fields() { return std::tuple{field("value", &Word::value)}; }
  };
  struct State {
    std::uint8_t has_decided = 0;
    static constexpr auto fields() { return std::tuple{field("has_decided", &State::has_decided)}; }
  };
  using Message = std::variant<Word>;
  static constexpr std::string_view kName = "hearsay";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 0> kBugs{};
  static constexpr bool kSingleShot = true;

  static void start(State&, const Context& context, Outbox<Message>& out) {
    if (context.leads(Round(1))) out.send(context.everyone(), Word{context.fresh_value(Round(1))});
  }
  static void receive(State& state, const Context&, Identity, const Message&, Outbox<Message>& out) {
    if (state.has_decided != 0) return;
    state.has_decided = 1;
    out.commit(Height(1), ValueId(Round(1), Seat{0}, 0));
  }
  static void expire(State&, const Context&, TimerId, Outbox<Message>&) {}
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message) { return std::get<Word>(message).value; }
  static Round current_round(const State&) { return Round(1); }
};

TEST(JudgedBySearch, WorldsThatOnlyAMonitorTellsApartAreNotMerged) {
  twins::Settings settings = settings_of("hearsay");
  settings.rounds = 2;
  const Searched searched = expect_same_counts(RunnerFor<Hearsay>(), settings, some({&kFirstToCommit, &kTotality}));
  EXPECT_GT(searched.swept.properties[0].violating, Wide{0});
}

}  // namespace
}  // namespace nika
