#include "nika/protocols/zyzzyva/view_change.hpp"

#include <gtest/gtest.h>

namespace nika::zyzzyva {
namespace {

constexpr int kFaults = 1;
constexpr Rules kAsRepaired{};
constexpr Rules kAsPublished{.later_votes_beat_certificates = false};
constexpr Rules kOneView{.later_votes_count_for_earlier_views = false};

// "a" to "z" are requests; the view in which they were first ordered plays no role.
ValueId request(char name) { return {Round(1), Seat{static_cast<std::uint8_t>(name - 'a')}, 0}; }

History history(unsigned view, std::string_view requests) {
  History result;
  for (const char name : requests) result = result.with(request(name));
  return result.in_view(Round(view));
}

constexpr unsigned kNever = 0;

struct Told {
  History certificate;
  History accepted;
};

Certificates only(const History& certificate) {
  Certificates certificates;
  if (!certificate.is_none()) {
    EXPECT_TRUE(certificates.push_back(certificate));
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

// The selected requests by name; "?" if it would take requests that nobody knows any more.
std::string selected(std::initializer_list<Told> all, const Rules& rules = kAsRepaired) {
  const Selection selection = select(reports_of(all), kFaults, rules);
  if (selection.needs_older) return "?";
  std::string names;
  for (const ValueId value : selection.history.recent) names += static_cast<char>('a' + index_of(value.seat()));
  return names;
}

const History kNone = history(kNever, "");

TEST(ZyzzyvaViewChange, WithoutEvidenceEverySlotIsFree) {
  EXPECT_EQ(selected({{kNone, kNone}, {kNone, kNone}, {kNone, kNone}}), "");
  EXPECT_EQ(selected({{kNone, history(1, "a")}, {kNone, history(1, "b")}, {kNone, kNone}}), "");
}

TEST(ZyzzyvaViewChange, VotesOfAllReportsButFAreKept) {
  EXPECT_EQ(selected({{kNone, history(1, "a")}, {kNone, history(1, "a")}, {kNone, history(1, "b")}}), "a");
  EXPECT_EQ(selected({{kNone, history(1, "ac")}, {kNone, history(1, "ab")}, {kNone, kNone}}), "a");
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
    EXPECT_EQ(selected({{history(1, "ac"), kNone}, {history(2, "b"), kNone}, {kNone, kNone}}, rules), "b");
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
    EXPECT_EQ(selected({{history(1, "a"), history(1, "abc")}, {kNone, history(1, "ab")}, {kNone, kNone}}, rules), "ab");
  }
}

TEST(ZyzzyvaViewChange, ACertificateGoesOnFromWhereLaterVotesEnd) {
  EXPECT_EQ(selected({{history(2, "ac"), history(3, "a")}, {kNone, history(3, "a")}, {kNone, history(3, "a")}}), "ac");
  EXPECT_EQ(selected({{history(2, "bc"), history(3, "a")}, {kNone, history(3, "a")}, {kNone, history(3, "a")}}), "a");
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
  ASSERT_TRUE(add_certificate(certificates, history(3, "a")));
  ASSERT_EQ(certificates.size(), 2U);
  EXPECT_EQ(certificates[0], history(3, "a"));
  EXPECT_EQ(certificates[1], history(2, "ab"));
  Reports reports;
  ASSERT_TRUE(add_report(reports, Identity{0}, certificates, history(3, "ab")));
  ASSERT_TRUE(add_report(reports, Identity{1}, {}, history(3, "ac")));
  ASSERT_TRUE(add_report(reports, Identity{2}, {}, kNone));
  EXPECT_EQ(select(reports, kFaults, kAsRepaired).history.length, Height(2));
}

TEST(ZyzzyvaViewChange, ACertificateThatTellsNothingNewIsNotKept) {
  Certificates certificates = only(history(2, "ab"));
  ASSERT_TRUE(add_certificate(certificates, history(1, "a")));    // earlier and shorter
  ASSERT_TRUE(add_certificate(certificates, history(1, "cde")));  // overruled
  ASSERT_TRUE(add_certificate(certificates, history(2, "ab")));   // known
  EXPECT_EQ(certificates, only(history(2, "ab")));
  ASSERT_TRUE(add_certificate(certificates, history(2, "abc")));  // longer in the same view
  EXPECT_EQ(certificates, only(history(2, "abc")));
  ASSERT_TRUE(add_certificate(certificates, history(3, "x")));  // overrules
  EXPECT_EQ(certificates, only(history(3, "x")));
  ASSERT_TRUE(add_certificate(certificates, history(2, "xy")));
  ASSERT_TRUE(add_certificate(certificates, history(1, "xyz")));
  EXPECT_EQ(certificates.size(), Certificates::capacity());
  EXPECT_FALSE(add_certificate(certificates, history(4, "")));  // no room, and not dropped in silence
}

TEST(ZyzzyvaViewChange, AReplicaThatLagsFarBehindDoesNotMatter) {
  const History longer = history(5, "abcdefghijk");
  EXPECT_EQ(longer.first_known(), 4U);
  EXPECT_EQ(selected({{kNone, longer}, {kNone, longer}, {kNone, history(1, "ab")}}), "defghijk");
}

TEST(ZyzzyvaViewChange, WhatHasLeftTheWindowIsNotGuessed) {
  const History longer = history(5, "abcdefghijk");
  const auto told = {Told{kNone, longer}, Told{kNone, longer}, Told{history(1, "ab"), history(1, "ab")}};
  EXPECT_EQ(selected(told), "defghijk");
  EXPECT_EQ(selected(told, kAsPublished), "?");
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
