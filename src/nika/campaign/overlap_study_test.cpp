// The study of overlapping lists against the rules of 2014 written down a second time: no simulator, no messages, no
// classes of nodes, every scenario by itself.
#include "nika/campaign/overlap_study.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

using lists::Overlap;

const std::vector<std::string> kOf2014{"rules-of-2014"};
using Thresholds = std::array<unsigned, 4>;
constexpr Thresholds kByTens{50, 60, 70, 80};

OverlapCount counted(const std::vector<std::string>& bugs, const OverlapSpace& space) {
  return count_forks(built_in_protocol("xrp-lcp"), bugs, space, {}).value();
}

// One ledger by the white paper. Seats are bits: node i is seat i, and the liar, if there is one, is node 0 and has the
// seat after the last node too.
struct ByHand {
  unsigned nodes;
  std::vector<unsigned> lists;  // of each node, as a set of nodes
  bool has_liar;
  Thresholds thresholds = kByTens;

  unsigned seats() const { return nodes + (has_liar ? 1 : 0); }
  unsigned node_of(unsigned seat) const { return seat == nodes ? 0 : seat; }
  bool is_honest(unsigned seat) const { return !has_liar || node_of(seat) != 0; }
  // Of the nodes in the list of `seat`: how many have a seat on its side that is in `saying`.
  unsigned support(unsigned seat, unsigned far, unsigned saying) const {
    unsigned count = 0;
    for (unsigned node = 0; node < nodes; ++node) {
      if ((lists[node_of(seat)] >> node & 1U) == 0) continue;
      count += says(seat, node, far, saying) ? 1 : 0;
    }
    return count;
  }
  bool says(unsigned seat, unsigned node, unsigned far, unsigned saying) const {
    if (node == node_of(seat)) return (saying >> seat & 1U) != 0;
    const auto is_here = [&](unsigned other) { return ((far >> other ^ far >> seat) & 1U) == 0; };
    if (is_here(node)) return (saying >> node & 1U) != 0;
    return has_liar && node == 0 && is_here(nodes) && (saying >> nodes & 1U) != 0;
  }
  bool forks(unsigned heard, unsigned far) const {
    unsigned wants = heard;
    for (unsigned round = 0; round < thresholds.size(); ++round) {
      unsigned next = 0;
      for (unsigned seat = 0; seat < seats(); ++seat) {
        const unsigned size = static_cast<unsigned>(std::popcount(lists[node_of(seat)]));
        const unsigned votes = 100 * support(seat, far, wants);
        const unsigned needed = thresholds[round] * size;
        if (round == 3 ? votes >= needed : votes > needed) next |= 1U << seat;
      }
      wants = next;
    }
    std::set<bool> validated;
    for (unsigned seat = 0; seat < seats(); ++seat) {
      if (!is_honest(seat)) continue;
      const unsigned size = static_cast<unsigned>(std::popcount(lists[node_of(seat)]));
      if (5 * support(seat, far, wants) >= 4 * size) validated.insert(true);
      const unsigned here = support(seat, far, (1U << seats()) - 1);
      if (5 * (here - support(seat, far, wants)) >= 4 * size) validated.insert(false);
    }
    return validated.size() == 2;
  }
};

struct Counts {
  Wide scenarios = 0;
  Wide forks = 0;
};

Counts by_hand(const OverlapSpace& space, const Thresholds& thresholds = kByTens) {
  const unsigned n = space.overlap.nodes;
  const unsigned o = space.overlap.shared;
  const unsigned first = (1U << space.overlap.first_size()) - 1;                               // the first nodes,
  const unsigned second = ((1U << n) - 1) & ~((1U << (n - space.overlap.second_size())) - 1);  // and the last
  EXPECT_EQ(static_cast<unsigned>(std::popcount(first & second)), o);
  // Node 0 is the liar: one of both lists changes names with it.
  const unsigned liar = o > 0 ? static_cast<unsigned>(std::countr_zero(first & second)) : 0;
  const auto renamed = [&](unsigned set) {
    const unsigned a = set & 1U;
    const unsigned b = set >> liar & 1U;
    return (set & ~(1U | 1U << liar)) | b | a << liar;
  };
  const std::array<unsigned, 2> lists{space.has_liar ? renamed(first) : first,
                                      space.has_liar ? renamed(second) : second};
  unsigned choosing = lists[0] & lists[1];
  if (space.has_liar) choosing &= ~1U;
  if (o == n) choosing = 0;
  Counts counts;
  for (unsigned chosen = choosing;; chosen = (chosen - 1) & choosing) {
    ByHand run{n, {}, space.has_liar, thresholds};
    for (unsigned node = 0; node < n; ++node) {
      const bool is_first = (lists[0] >> node & 1U) != 0 && (chosen >> node & 1U) == 0;
      run.lists.push_back(lists[is_first ? 0 : 1]);
    }
    for (unsigned far = 0; far < 1U << run.seats(); far += 2) {  // seat 0 is on the near side, its twin on the far one
      if (space.has_liar && (far >> n & 1U) == 0) continue;
      for (unsigned heard = 0; heard < 1U << run.seats(); ++heard) {
        unsigned honest = heard & ((1U << n) - 1);
        if (space.has_liar) honest &= ~1U;
        if (honest == 0) continue;
        ++counts.scenarios;
        counts.forks += run.forks(heard, far) ? 1 : 0;
      }
    }
    if (chosen == 0) break;
  }
  return counts;
}

void expect_same(const OverlapSpace& space) {
  const OverlapCount study = counted(kOf2014, space);
  const Counts slow = by_hand(space);
  const auto where = testing::Message() << space.overlap.shared << " of " << space.overlap.nodes
                                        << (space.has_liar ? ", one liar" : ", nobody lies");
  EXPECT_EQ(to_string(study.scenarios), to_string(slow.scenarios)) << where;
  EXPECT_EQ(to_string(study.forks), to_string(slow.forks)) << where;
  EXPECT_EQ(to_string(study.unknown), "0") << where;
}

TEST(OverlapStudy, CountsAsEveryScenarioByHandWhereNobodyLies) {
  for (unsigned shared = 0; shared <= 7; ++shared) expect_same({{7, shared}, false});
}

TEST(OverlapStudy, CountsAsEveryScenarioByHandWithALiar) {
  for (const unsigned shared : {0U, 1U, 2U, 3U, 4U, 7U}) expect_same({{7, shared}, true});
}

// The white paper asks for 80 % in the final round only; what the rounds before ask for changes no count.
TEST(OverlapStudy, DoesNotDependOnTheThresholdsBeforeTheFinalRound) {
  for (const unsigned shared : {1U, 2U, 3U}) {
    const OverlapSpace space{{7, shared}, true};
    const Wide forks = by_hand(space).forks;
    for (const Thresholds& others :
         {Thresholds{50, 55, 60, 80}, Thresholds{50, 65, 70, 80}, Thresholds{50, 50, 50, 80}})
      EXPECT_EQ(to_string(by_hand(space, others).forks), to_string(forks)) << shared;
  }
}

// Lists of five of which one node is in both: the condition of the white paper is met, nobody lies, and ledgers fork.
// With half of a list in both nothing does; one liar is then enough.
TEST(OverlapStudy, TwentyPercentAreNotEnough) {
  const OverlapCount fifth = counted(kOf2014, {{9, 1}, false});
  EXPECT_TRUE(claims_about({9, 1}, 0).white_paper);
  EXPECT_EQ(to_string(fifth.scenarios), "261632");
  EXPECT_EQ(to_string(fifth.forks), "6704");
  EXPECT_EQ(to_string(counted(kOf2014, {{9, 3}, false}).forks), "0");
  EXPECT_GT(counted(kOf2014, {{9, 3}, true}).forks, 0U);
}

// Where two quorums need share no honest node there is a fork, and nowhere else: in one ledger the protocol of 2018 is
// not better than that of 2014.
TEST(OverlapStudy, OneLedgerForksJustWhereTwoQuorumsMayShareNobodyHonest) {
  for (const bool has_liar : {false, true}) {
    for (unsigned shared = 0; shared <= 7; ++shared) {
      const bool is_safe = claims_about({7, shared}, has_liar ? 1 : 0).quorums;
      for (const auto& bugs : {kOf2014, std::vector<std::string>{}}) {
        const OverlapCount count = counted(bugs, {{7, shared}, has_liar});
        EXPECT_EQ(count.forks == 0, is_safe) << shared << has_liar << bugs.size();
        EXPECT_EQ(count.first_fork.has_value(), !is_safe);
      }
    }
  }
}

TEST(OverlapStudy, TellsAForkAsAScenarioThatForks) {
  const Runner& runner = built_in_protocol("xrp-lcp");
  for (const bool has_liar : {false, true}) {
    const auto fork = counted(kOf2014, {{8, 2}, has_liar}).first_fork;
    ASSERT_TRUE(fork.has_value());
    EXPECT_EQ(run_scenario(runner, *fork, only(kAgreement))->verdict(), Verdict::kViolated);
  }
}

TEST(OverlapStudy, KnowsWhatPapersSay) {
  const auto said = [](unsigned nodes, unsigned shared, unsigned liars) {
    const OverlapClaims c = claims_about({nodes, shared}, liars);
    return std::string{c.white_paper ? 'w' : '-', c.armknecht ? 'a' : '-', c.quorums ? 'q' : '-',
                       c.chase_macbrough ? 'c' : '-'};
  };
  EXPECT_EQ(said(9, 0, 0), "----");
  EXPECT_EQ(said(9, 1, 0), "w---");    // 1 of 5
  EXPECT_EQ(said(8, 2, 0), "w---");    // 2 of 5 are not more than 40 %
  EXPECT_EQ(said(7, 3, 0), "waq-");    // 3 of 5, and 2.5 + 1 is more than 3
  EXPECT_EQ(said(7, 3, 1), "wa--");    // each quorum can do without one, and one lies
  EXPECT_EQ(said(6, 4, 0), "waqc");    // 4 of 5
  EXPECT_EQ(said(10, 10, 0), "waqc");  // 10 of 10 are more than 5 + 2
  EXPECT_EQ(said(7, 5, 1), "waq-");    // 5 of 6 are not more than 3 + 1 + 1
}

}  // namespace
}  // namespace nika
