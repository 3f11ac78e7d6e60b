#include "nika/protocols/fast_hotstuff/rules.hpp"

#include <gtest/gtest.h>

namespace nika::fast_hotstuff {
namespace {

constexpr ValueId block(unsigned view, unsigned seat = 0) { return {Round(view), static_cast<Seat>(seat), 0}; }

constexpr IdentitySet kAb{Identity{0}, Identity{1}};
constexpr IdentitySet kC{Identity{2}};
constexpr IdentitySet kD{Identity{3}};
constexpr Rules kRules{3, true};

Proposal with_proof(unsigned view, unsigned parent, std::initializer_list<Report> reports) {
  Proposal proposal{block(view), {block(parent)}, {}};
  for (const Report& report : reports) EXPECT_TRUE(proposal.proof.push_back(report));
  return proposal;
}
Report report(unsigned certified, IdentitySet senders, unsigned view) {
  return {{block(certified)}, senders, Round(view), true};
}

TEST(FastHotStuffRules, ACertificateOfTheViewBeforeNeedsNoProof) {
  EXPECT_TRUE(is_justified(with_proof(5, 4, {}), kRules));
  EXPECT_FALSE(is_justified(with_proof(5, 3, {}), kRules));
}

TEST(FastHotStuffRules, AProofIsAQuorumThatKnowsNoHigherCertificate) {
  EXPECT_TRUE(is_justified(with_proof(5, 3, {report(2, kAb, 5), report(3, kC, 5)}), kRules));
  EXPECT_FALSE(is_justified(with_proof(5, 2, {report(2, kAb, 5), report(3, kC, 5)}), kRules)) << "not the highest";
  EXPECT_FALSE(is_justified(with_proof(5, 3, {report(3, kAb, 5)}), kRules)) << "no quorum";
  EXPECT_FALSE(is_justified(with_proof(5, 3, {report(3, kAb, 5), report(2, kC, 4)}), kRules)) << "of another view";
  EXPECT_FALSE(is_justified(with_proof(5, 3, {report(3, kAb, 5), report(2, kAb, 5)}), kRules)) << "counted twice";
}

TEST(FastHotStuffRules, NobodyBuildsOnTheFuture) {
  EXPECT_FALSE(is_justified(with_proof(5, 5, {report(5, kAb, 5), report(2, kD, 5)}), kRules));
}

TEST(FastHotStuffRules, OnlyTheFlawCommitsATwoChainWithAGap) {
  Context context;
  context.replica_count = 4;
  context.fault_count = 1;
  const Rules sound = rules_of(context);
  context.bugs = 1;
  const Rules flawed = rules_of(context);
  EXPECT_TRUE(commits_parent(block(5), block(4), sound));
  EXPECT_FALSE(commits_parent(block(6), block(4), sound));
  EXPECT_TRUE(commits_parent(block(6), block(4), flawed));
  EXPECT_FALSE(commits_parent(block(1), kGenesis, sound));
  EXPECT_FALSE(commits_parent(block(1), kGenesis, flawed));
  EXPECT_EQ(sound.quorum, 3);
}

}  // namespace
}  // namespace nika::fast_hotstuff
