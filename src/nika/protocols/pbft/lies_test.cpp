#include <gtest/gtest.h>

#include "nika/model/leaves.hpp"
#include "nika/protocols/pbft/pbft.hpp"

namespace nika::pbft {
namespace {

constexpr Request kOne{Seat{4}, 1};
constexpr Request kTwo{Seat{5}, 1};

PrePrepare order(unsigned view, unsigned number, Request request = kOne) {
  return {Round(view), SequenceNumber(number), request, 0, digest_of(request, Rules{})};
}
Vote vote(unsigned view, unsigned number) { return {Round(view), SequenceNumber(number), digest_of(kOne, Rules{})}; }
CheckpointProof stable(unsigned number) {
  CheckpointProof proof;
  proof.state.executed = SequenceNumber(number);
  return proof;
}
ViewChange report(unsigned view, unsigned stable_number, std::initializer_list<unsigned> prepared = {}) {
  ViewChange message{Round(view), SequenceNumber(stable_number), stable(stable_number), {}, false, 0};
  for (const unsigned number : prepared) {
    EXPECT_TRUE(message.prepared.push_back({SequenceNumber(number), Round(1), kOne, 0, digest_of(kOne, Rules{})}));
  }
  return message;
}
NewView new_view(unsigned view, std::initializer_list<Report> reports) {
  NewView message{Round(view), 0, {}, {}};
  for (const Report& each : reports) EXPECT_TRUE(message.reports.push_back(each));
  message.proposals = select({message.reports.begin(), message.reports.size()}, Rules{}).proposals;
  return message;
}

// Two requests are in flight together, and a view change takes two rounds more.
TEST(PbftRounds, AreFourForTheRequestsOfAllClientsAndTwoForAViewChange) {
  const auto round_of = [](const Message& message) { return Pbft::protocol_round_of(message); };
  for (const unsigned number : {1U, 2U}) {
    EXPECT_EQ(round_of(order(1, number)), 1U);
    EXPECT_EQ(round_of(Prepare{vote(1, number)}), 2U);
    EXPECT_EQ(round_of(Commit{vote(1, number)}), 3U);
    EXPECT_EQ(round_of(Reply{Round(1), kOne, {Height(number), kOne}}), 4U);
  }
  EXPECT_EQ(round_of(order(1, 3)), 5U);
  EXPECT_EQ(round_of(report(2, 0)), 5U);
  EXPECT_EQ(round_of(new_view(2, {{report(2, 0), {Identity{0}}}})), 6U);
  EXPECT_EQ(round_of(order(2, 1)), 7U);
  EXPECT_EQ(round_of(report(2, 2)), 9U);
  EXPECT_EQ(round_of(RequestMessage{kOne, Round(1)}), 0U);
  EXPECT_EQ(round_of(Checkpoint{Round(1), SequenceNumber(2), {}}), 0U);
}

TEST(PbftLies, TheDigestOfAnotherRequestIsComputedAgain) {
  Message lie = order(1, 1);
  std::get<PrePrepare>(lie).request = kTwo;
  Pbft::make_consistent(order(1, 1), lie);
  EXPECT_EQ(std::get<PrePrepare>(lie).digest, digest_of(kTwo, Rules{}));
  std::get<PrePrepare>(lie) = order(1, 1);
  std::get<PrePrepare>(lie).digest = digest_of(kTwo, Rules{});
  Pbft::make_consistent(order(1, 1), lie);
  EXPECT_EQ(std::get<PrePrepare>(lie).digest, digest_of(kTwo, Rules{})) << "a lie about the digest stays";
}

TEST(PbftLies, WhereDigestsAreEmptyTheyStayEmpty) {
  PrePrepare truth = order(1, 1);
  truth.digest = {};
  Message lie = truth;
  std::get<PrePrepare>(lie).request = kTwo;
  Pbft::make_consistent(truth, lie);
  EXPECT_EQ(std::get<PrePrepare>(lie).digest, Digest{});
}

TEST(PbftLies, AnotherCheckpointBringsItsNumberAndNoCertificatesBelowIt) {
  Message lie = report(3, 0, {1, 2, 3});
  std::get<ViewChange>(lie).checkpoint = stable(2);
  Pbft::make_consistent(report(3, 0, {1, 2, 3}), lie);
  EXPECT_EQ(std::get<ViewChange>(lie), report(3, 2, {3}));
  EXPECT_TRUE(is_valid(std::get<ViewChange>(lie)));
}

// A primary that leaves out what somebody reported proposes what follows from the rest.
TEST(PbftLies, OtherReportsMakeANewViewThatFollowsFromThem) {
  const Report with{report(2, 0, {1}), {Identity{1}}};
  const Report without{report(2, 0), {Identity{0}, Identity{2}, Identity{3}}};
  const NewView truth = new_view(2, {without, with});
  EXPECT_EQ(truth.proposals.size(), 1U);
  Message lie = truth;
  std::get<NewView>(lie).reports.resize_down(1);
  Pbft::make_consistent(truth, lie);
  EXPECT_EQ(std::get<NewView>(lie).proposals.size(), 0U);
}

// What is made up is another value than what was asked for, and nothing is made up where nothing is asked.
TEST(PbftLies, AMadeUpRequestIsNotWhatItsClientSigned) {
  Request made_up = kOne;
  made_up.make_up();
  EXPECT_NE(made_up.value(), kOne.value());
  EXPECT_EQ(made_up.value().seat(), kOne.client);
  EXPECT_NE(digest_of(made_up, Rules{}), digest_of(kOne, Rules{}));
  EXPECT_NE(digest_of(made_up, Rules{}), digest_of({kOne.client, 1, Operation::kRead}, Rules{}));
  Request none;
  none.make_up();
  EXPECT_EQ(none, Request{});
}

TEST(PbftLies, WhatClientsAndQuorumsSignIsOneField) {
  const auto leaves = leaves_of<Pbft>();
  const auto names_of = [&](std::string_view kind) {
    const auto& kinds = KindNames<Message>::value;
    std::vector<std::string> names;
    for (const LeafName& leaf : leaves[static_cast<std::size_t>(std::ranges::find(kinds, kind) - kinds.begin())]) {
      const bool is_asked = leaf.type == LeafType::kAsked;
      names.push_back(leaf.name + (leaf.type == LeafType::kAtomic ? "!" : is_asked ? "?" : ""));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of("view-change"), (Names{"view", "sequence.number", "checkpoint!", "prepared", "is_answer"}));
  EXPECT_EQ(names_of("new-view"), (Names{"view", "reports", "proposals"}));
  EXPECT_EQ(names_of("pre-prepare"), (Names{"view", "sequence.number", "request?", "digest!"}));
  EXPECT_EQ(names_of("prepare"), (Names{"view", "sequence.number", "digest!"}));
  EXPECT_EQ(names_of("request"), (Names{"request?", "view"}));
  EXPECT_EQ(names_of("reply"), (Names{"view", "request?", "answer.position", "answer.last?"}));
}

}  // namespace
}  // namespace nika::pbft
