#include "nika/protocols/zyzzyva/view_change.hpp"

#include <gtest/gtest.h>

namespace nika::zyzzyva {
namespace {

constexpr int kFaults = 1;
constexpr Rules kAsRepaired{};
constexpr Rules kAsPublished{.later_votes_beat_certificates = false};
constexpr Rules kOneView{.later_votes_count_for_earlier_views = false};

// "a" is the next request of one client, "b" that of the other.
History history(unsigned view, std::string_view requests) {
  History result{{}, Round(view)};
  for (const char name : requests) {
    const auto client = static_cast<Seat>(5 + name - 'a');
    const auto number = static_cast<std::uint8_t>(result.slots.last_number_of(client) + 1);
    EXPECT_TRUE(result.slots.append({client, number}, Seat{5}));
  }
  return result;
}

constexpr unsigned kNever = 0;

struct Told {
  History certificate;
  History accepted;
};

Certificates only(const History& certificate) {
  Certificates certificates;
  if (certificate.view != Round(0)) {
    EXPECT_TRUE(certificates.add(certificate));
  }
  return certificates;
}

Reports reports_of(std::initializer_list<Told> all) {
  Reports reports;
  unsigned identity = 0;
  for (const Told& told : all) {
    EXPECT_TRUE(add_report(reports, static_cast<Identity>(identity++), only(told.certificate), told.accepted));
  }
  return reports;
}

// The selected requests by name.
std::string selected(std::initializer_list<Told> all, const Rules& rules = kAsRepaired) {
  const History history = select(reports_of(all), kFaults, rules);
  std::string names;
  for (unsigned slot = 1; slot <= history.length(); ++slot)
    names += static_cast<char>('a' + index_of(history.slots.at(slot).client) - 5U);
  return names;
}

const History kNone = history(kNever, "");

TEST(ZyzzyvaViewChange, WithoutEvidenceEverySlotIsFree) {
  EXPECT_EQ(selected({{kNone, kNone}, {kNone, kNone}, {kNone, kNone}}), "");
  EXPECT_EQ(selected({{kNone, history(1, "a")}, {kNone, history(1, "b")}, {kNone, kNone}}), "");
}

TEST(ZyzzyvaViewChange, VotesOfAllReportsButFAreKept) {
  EXPECT_EQ(selected({{kNone, history(1, "a")}, {kNone, history(1, "a")}, {kNone, history(1, "b")}}), "a");
  EXPECT_EQ(selected({{kNone, history(1, "aa")}, {kNone, history(1, "ab")}, {kNone, kNone}}), "a");
  // With the reports of all four, two votes cannot be what is left of four.
  EXPECT_EQ(selected({{kNone, history(1, "a")}, {kNone, history(1, "a")}, {kNone, kNone}, {kNone, kNone}}), "");
}

TEST(ZyzzyvaViewChange, ACertificateIsKept) {
  EXPECT_EQ(selected({{history(1, "a"), history(1, "a")}, {kNone, kNone}, {kNone, history(1, "b")}}), "a");
}

TEST(ZyzzyvaViewChange, InOneViewACertificateWinsOverVotes) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    EXPECT_EQ(selected({{history(1, "a"), kNone}, {kNone, history(1, "b")}, {kNone, history(1, "b")}}, rules), "a");
  }
}

TEST(ZyzzyvaViewChange, OfTwoCertificatesTheLaterViewWins) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    EXPECT_EQ(selected({{history(1, "ab"), kNone}, {history(2, "b"), kNone}, {kNone, kNone}}, rules), "b");
  }
}

// The flaw: the votes of view 2 may be those of all n, whatever was certified in view 1.
TEST(ZyzzyvaViewChange, LaterVotesWinOverACertificateExceptAsPublished) {
  const auto told = {Told{history(1, "a"), history(2, "b")}, Told{kNone, history(2, "b")},
                     Told{kNone, history(2, "b")}};
  EXPECT_EQ(selected(told), "b");
  EXPECT_EQ(selected(told, kAsPublished), "a");
}

TEST(ZyzzyvaViewChange, VotesGoOnFromWhereACertificateEnds) {
  for (const Rules& rules : {kAsRepaired, kAsPublished}) {
    EXPECT_EQ(selected({{history(1, "a"), history(1, "aba")}, {kNone, history(1, "ab")}, {kNone, kNone}}, rules), "ab");
  }
}

TEST(ZyzzyvaViewChange, ACertificateGoesOnFromWhereLaterVotesEnd) {
  EXPECT_EQ(selected({{history(2, "ab"), history(3, "a")}, {kNone, history(3, "a")}, {kNone, history(3, "a")}}), "ab");
  EXPECT_EQ(selected({{history(2, "bb"), history(3, "a")}, {kNone, history(3, "a")}, {kNone, history(3, "a")}}), "a");
}

// All four voted for "a" in view 1; one of them did so again in view 2.
TEST(ZyzzyvaViewChange, AVoteInALaterViewIsAVoteInTheEarlierOnesToo) {
  const auto told = {Told{kNone, history(2, "a")}, Told{kNone, history(1, "a")}, Told{kNone, kNone}};
  EXPECT_EQ(selected(told), "a");
  EXPECT_EQ(selected(told, kOneView), "");
}

// A client certified "a" in view 3, which had started with "ab", certified in view 2.
TEST(ZyzzyvaViewChange, AShortCertificateOfALaterViewLeavesTheLongerOne) {
  Certificates certificates = only(history(2, "ab"));
  ASSERT_TRUE(certificates.add(history(3, "a")));
  ASSERT_EQ(certificates.chain.size(), 2U);
  EXPECT_EQ(certificates.chain[0], (Certificate{Round(3), Height(1)}));
  EXPECT_EQ(certificates.chain[1], (Certificate{Round(2), Height(2)}));
  EXPECT_EQ(certificates.slots, history(2, "ab").slots);
  Reports reports;
  ASSERT_TRUE(add_report(reports, Identity{0}, certificates, history(3, "ab")));
  ASSERT_TRUE(add_report(reports, Identity{1}, {}, history(3, "aa")));
  ASSERT_TRUE(add_report(reports, Identity{2}, {}, kNone));
  EXPECT_EQ(select(reports, kFaults, kAsRepaired), history(kNever, "ab"));
}

TEST(ZyzzyvaViewChange, ACertificateThatTellsNothingNewIsNotKept) {
  Certificates certificates = only(history(2, "ab"));
  ASSERT_TRUE(certificates.add(history(1, "a")));    // earlier and shorter
  ASSERT_TRUE(certificates.add(history(1, "bab")));  // overruled
  ASSERT_TRUE(certificates.add(history(2, "ab")));   // known
  EXPECT_EQ(certificates, only(history(2, "ab")));
  ASSERT_TRUE(certificates.add(history(2, "aba")));  // longer in the same view
  EXPECT_EQ(certificates, only(history(2, "aba")));
  ASSERT_TRUE(certificates.add(history(6, "b")));  // overrules
  EXPECT_EQ(certificates, only(history(6, "b")));
  ASSERT_TRUE(certificates.add(history(4, "baa")));
  ASSERT_TRUE(certificates.add(history(5, "bab")));  // overrules what is not the first
  EXPECT_EQ(certificates.slots, history(5, "bab").slots);
  ASSERT_TRUE(certificates.add(history(3, "babb")));
  EXPECT_EQ(certificates.chain.size(), certificates.chain.capacity());
  EXPECT_FALSE(certificates.add(history(7, "")));  // no room, and not dropped in silence
}

TEST(ZyzzyvaViewChange, AReplicaThatLagsFarBehindDoesNotMatter) {
  const History longer = history(5, "ababababaab");
  EXPECT_EQ(selected({{kNone, longer}, {kNone, longer}, {kNone, history(1, "ab")}}), "ababababaab");
}

// A history once knew its last eight requests only, and what lay before them was unknown.
TEST(ZyzzyvaViewChange, AnOldCertificateIsComparedWithAMuchLongerHistory) {
  const History longer = history(5, "ababababaab");
  const auto told = {Told{kNone, longer}, Told{kNone, longer}, Told{history(1, "ab"), history(1, "ab")}};
  EXPECT_EQ(selected(told), "ababababaab");
  EXPECT_EQ(selected(told, kAsPublished), "ababababaab");
  const auto against = {Told{kNone, longer}, Told{kNone, longer}, Told{history(1, "ba"), history(1, "ba")}};
  EXPECT_EQ(selected(against), "ababababaab");
  EXPECT_EQ(selected(against, kAsPublished), "ba");
}

TEST(ZyzzyvaViewChange, AnIdentityReportsOnceAndOrderLeavesNoTrace) {
  Reports one;
  Reports other;
  const History a = history(1, "a");
  const History b = history(1, "b");
  ASSERT_TRUE(add_report(one, Identity{0}, {}, a));
  ASSERT_TRUE(add_report(one, Identity{0}, {}, b));
  ASSERT_TRUE(add_report(one, Identity{1}, {}, b));
  ASSERT_TRUE(add_report(one, Identity{2}, {}, a));
  ASSERT_TRUE(add_report(other, Identity{1}, {}, b));
  ASSERT_TRUE(add_report(other, Identity{2}, {}, a));
  ASSERT_TRUE(add_report(other, Identity{0}, {}, a));
  EXPECT_EQ(identities_in(one), 3);
  EXPECT_EQ(one, other);
}

TEST(ZyzzyvaViewChange, AReportTooManyIsNotDroppedInSilence) {
  Reports reports;
  for (unsigned i = 0; i < Reports::capacity(); ++i) {
    EXPECT_TRUE(add_report(reports, static_cast<Identity>(i), {}, history(1 + i, "a")));
  }
  EXPECT_FALSE(add_report(reports, Identity{15}, {}, history(15, "a")));
}

}  // namespace
}  // namespace nika::zyzzyva
