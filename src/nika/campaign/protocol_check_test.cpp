// Each check catches a protocol that was made to break it, and passes those that break nothing.
#include "nika/campaign/protocol_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "nika/campaign/runner_for.hpp"
#include "nika/properties/all.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

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

// Who hears a leader tells everybody, and a quorum that heard the same decides it. Its bugs are no mistakes of the
// protocol: each breaks what the simulator asks of one.
struct Echoes {
  struct State {
    ValueId heard{};
    IdentitySet echoes{};
    std::uint8_t has_decided = 0;
    std::uint8_t number = 0;
    static constexpr auto fields() {
      return std::tuple{field("heard", &State::heard), field("echoes", &State::echoes),
                        field("has_decided", &State::has_decided), field("number", &State::number)};
    }
  };
  using Message = std::variant<Word, Echo>;
  using Box = Outbox<Message>;
  enum Bug : std::uint8_t { kHidesIdentity, kCountsGlobally, kAllocates, kProposesUnled, kForgetsEchoes };
  static constexpr std::string_view kName = "echoes";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 5> kBugs{"hides-identity", "counts-globally", "allocates",
                                                         "proposes-unled", "forgets-echoes"};
  static constexpr bool kSingleShot = true;
  static bool has(const Context& context, Bug bug) { return (context.bugs >> bug & 1U) != 0; }

  static void start(State& state, const Context& context, Box& out) { expire(state, context, TimerId{0}, out); }
  static void expire(State&, const Context& context, TimerId, Box& out) {
    if (context.leads(Round(1)) || has(context, kProposesUnled))
      out.send(context.everyone(), Word{context.fresh_value(Round(1))});
    out.set_timer(TimerId{0}, 4);
  }
  static void receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
    static std::uint8_t heard_by_all = 0;
    if (has(context, kCountsGlobally)) state.number = ++heard_by_all;
    if (has(context, kAllocates)) ::operator delete(::operator new(8));
    if (has(context, kHidesIdentity) && state.number == 0) state.number = static_cast<std::uint8_t>(from);
    if (const auto* word = std::get_if<Word>(&message)) {
      if (state.heard.is_genesis()) state.heard = word->value;
      return out.send(context.everyone(), Echo{state.heard});
    }
    if (std::get<Echo>(message).value != state.heard) return;
    state.echoes.insert(from);
    if (state.has_decided != 0 || state.echoes.size() < context.quorum()) return;
    state.has_decided = 1;
    out.commit(Height(1), state.heard);
  }
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message& message) {
    return std::visit([](const auto& m) { return m.value; }, message);
  }
  static Round current_round(const State&) { return Round(1); }

  static bool fold(std::span<State>, std::span<Message>, const FoldScope&) { return true; }
  // What was heard does not matter to who has decided.
  static void forget(std::span<State> states, std::span<const Context> contexts, std::span<const Message>) {
    for (State& state : states) {
      if (state.has_decided != 0 || has(contexts[0], kForgetsEchoes)) state.echoes = {};
    }
  }
};

Properties all() { return parse_properties("all", built_in_properties()).value(); }

std::vector<CheckResult> checked(const Runner& runner, std::vector<std::string> bugs = {}) {
  const CheckOptions options{.bugs = std::move(bugs), .scenarios = 40, .rounds = 3};
  auto results = check_protocol(runner, all(), options);
  EXPECT_TRUE(results.has_value()) << results.error().message;
  return *std::move(results);
}

// The names of the checks that went wrong, and what the first of them says.
struct Wrong {
  std::vector<std::string_view> names;
  std::string what;
};
Wrong wrong_among(const std::vector<CheckResult>& results) {
  Wrong wrong;
  for (const CheckResult& result : results) {
    if (result.status != CheckStatus::kWrong) continue;
    if (wrong.names.empty()) wrong.what = result.what;
    wrong.names.push_back(result.name);
  }
  return wrong;
}

using Names = std::vector<std::string_view>;

TEST(ProtocolCheck, AProtocolThatKeepsEverythingPassesEveryCheck) {
  const auto results = checked(*runner_for<Echoes>());
  ASSERT_EQ(results.size(), check_names().size());
  for (const CheckResult& result : results) {
    EXPECT_EQ(result.status, CheckStatus::kOk) << result.name << ": " << result.what;
    EXPECT_GT(result.cases, 0U) << result.name;
  }
}

TEST(ProtocolCheck, AnIdentityInAPlainNumberIsFoundByRenaming) {
  const Wrong wrong = wrong_among(checked(*runner_for<Echoes>(), {"hides-identity"}));
  EXPECT_EQ(wrong.names, Names{"renaming"});
  EXPECT_EQ(wrong.what, "with nodes that never lead renamed, the run does not end in the renamed world");
}

TEST(ProtocolCheck, WhatRunsShareIsFoundByRunningThemAgain) {
  const Wrong wrong = wrong_among(checked(*runner_for<Echoes>(), {"counts-globally"}));
  ASSERT_FALSE(wrong.names.empty());
  EXPECT_EQ(wrong.names[0], "determinism");
  EXPECT_EQ(wrong.what, "the same schedule was run twice: the worlds at the end differ");
}

TEST(ProtocolCheck, AllocationsAreCounted) {
  const Wrong wrong = wrong_among(checked(*runner_for<Echoes>(), {"allocates"}));
  EXPECT_EQ(wrong.names, Names{"allocation"});
}

TEST(ProtocolCheck, WhoNeverLeadsMustNotPropose) {
  const auto results = checked(*runner_for<Echoes>(), {"proposes-unled"});
  const CheckResult& search = results.back();
  EXPECT_EQ(search.status, CheckStatus::kWrong);
  EXPECT_EQ(search.what,
            "in echoes a node proposes that never leads, so that nodes cannot be renamed: it must say kAnyoneProposes");
}

TEST(ProtocolCheck, ForgettingWhatMattersIsFoundByFolding) {
  const auto results = checked(*runner_for<Echoes>(), {"forgets-echoes"});
  const Wrong wrong = wrong_among(results);
  ASSERT_FALSE(wrong.names.empty());
  EXPECT_EQ(wrong.names[0], "folding");
  const auto folding = std::ranges::find(results, std::string_view("folding"), &CheckResult::name);
  ASSERT_TRUE(folding->scenario.has_value());
  EXPECT_LE(folding->scenario->rounds.size(), 3U);
}

class EachProtocol : public testing::TestWithParam<std::string> {};

TEST_P(EachProtocol, KeepsWhatTheSearchReliesOn) {
  for (const CheckResult& result : checked(built_in_protocol(GetParam()))) {
    EXPECT_NE(result.status, CheckStatus::kWrong) << result.name << ": " << result.what;
    const bool applies = result.status == CheckStatus::kOk;
    EXPECT_EQ(applies, result.cases > 0) << result.name;
    EXPECT_EQ(applies, result.what.empty()) << result.name;
  }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, EachProtocol, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           const Registry registry = built_in_protocols();
                           for (const auto& runner : registry.runners()) names.emplace_back(runner->name());
                           return names;
                         }()),
                         [](const auto& protocol) {
                           std::string name = protocol.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ProtocolCheck, ASynchronousProtocolIsNotExploredAndSoSaid) {
  const auto results = checked(built_in_protocol("sync-hotstuff"));
  const auto status_of = [&](std::string_view name) {
    return std::ranges::find(results, name, &CheckResult::name)->status;
  };
  EXPECT_EQ(status_of("determinism"), CheckStatus::kOk);
  EXPECT_EQ(status_of("allocation"), CheckStatus::kOk);
  EXPECT_EQ(status_of("replay"), CheckStatus::kOk);
  for (const std::string_view name : {"copies", "folding", "renaming", "search"})
    EXPECT_EQ(status_of(name), CheckStatus::kNotApplicable) << name;
}

TEST(ProtocolCheck, UnknownBugsAreRefused) {
  EXPECT_FALSE(check_protocol(built_in_protocol("bracha"), all(), {.bugs = {"none-such"}}).has_value());
}

}  // namespace
}  // namespace nika
