#include "nika/model/cluster.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nika/model/protocol.hpp"

namespace nika {
namespace {

Cluster cluster(unsigned nodes, const std::vector<std::uint8_t>& copies) { return make_cluster(nodes, copies).value(); }

TEST(Cluster, SeatsAreNumberedAsThePapersListThem) {
  const Cluster c = cluster(3, {2, 1, 3});
  std::vector<std::string> names;
  for (Seat seat : c.seats()) names.push_back(name_of(c, seat));
  EXPECT_EQ(names, (std::vector<std::string>{"A", "B", "C", "A'", "C'", "C''"}));
  EXPECT_EQ(c.compromised, (IdentitySet{Identity{0}, Identity{2}}));
  EXPECT_EQ(c.honest_seats(), SeatSet{Seat{1}});
  EXPECT_EQ(c.seats_of_identity(Identity{2}), (SeatSet{Seat{2}, Seat{4}, Seat{5}}));
  EXPECT_EQ(c.seats_of_identities({Identity{0}, Identity{1}}), (SeatSet{Seat{0}, Seat{1}, Seat{3}}));
  EXPECT_EQ(c.identity(Seat{5}), Identity{2});
}

TEST(Cluster, ToleratesAThirdUnlessToldOtherwise) {
  EXPECT_EQ(cluster(3, {}).fault_count, 0U);
  EXPECT_EQ(cluster(4, {}).fault_count, 1U);
  EXPECT_EQ(cluster(6, {}).fault_count, 1U);
  EXPECT_EQ(cluster(7, {}).fault_count, 2U);
}

TEST(Cluster, ThatDoesNotFitIsRefused) {
  EXPECT_EQ(make_cluster(0, {}).error().message, "a cluster has 1 to 16 nodes, not 0");
  EXPECT_EQ(make_cluster(17, {}).error().message, "a cluster has 1 to 16 nodes, not 17");
  EXPECT_EQ(make_cluster(1, std::vector<std::uint8_t>{1, 2}).error().message,
            "2 identities have copies, but there are only 1 nodes");
  EXPECT_EQ(make_cluster(10, std::vector<std::uint8_t>{8}).error().message,
            "10 nodes and 7 twins need 17 seats; at most 16 are supported");
  EXPECT_EQ(cluster(10, {7}).seat_count, 16U);
}

TEST(Cluster, ValuesAreNamedByTheirOrigin) {
  const Cluster c = cluster(2, {2});
  EXPECT_EQ(name_of(c, kGenesis), "genesis");
  EXPECT_EQ(name_of(c, ValueId(Round(3), Seat{2}, 0)), "A'3");
  EXPECT_EQ(name_of(c, ValueId(Round(3), Seat{2}, 2)), "A'3c");
  EXPECT_EQ(name_of(c, ValueId(Round(3), Seat{9}, 0)), "seat93");
  EXPECT_EQ(name_of(c, ValueId::nameless(Round(0), 0)), "null");
  EXPECT_EQ(name_of(c, ValueId::nameless(Round(1), 1)), "#2020");  // 136 to the base of four
}

TEST(Cluster, UniqueNodeListsAreReadAsTheyAreWritten) {
  for (const std::string text : {"A-D:A-E,E-G:C-G", "A:AB", "AC-E:A-E,B:AB,F:AFH"}) {
    EXPECT_EQ(unls_text(parse_unls(text).value()), text);
  }
  EXPECT_EQ(unls_text(parse_unls("ABC:CBA").value()), "A-C:A-C");
  EXPECT_EQ(parse_unls("A-D").error().message,
            "read unique node list \"A-D\", expected who counts whom, such as A-D:A-E or ABC:A-CE");
  EXPECT_EQ(parse_unls("D-A:A").error().message,
            "read unique node list \"D-A:A\", expected who counts whom, such as A-D:A-E or ABC:A-CE");
  EXPECT_EQ(parse_unls("A:A,").error().message,
            "read unique node list \"\", expected who counts whom, such as A-D:A-E or ABC:A-CE");
  EXPECT_EQ(parse_unls("A:A,A:AB").error().message, "\"A:A,A:AB\" gives A two unique node lists");
}

TEST(Cluster, AListOfEverybodyIsNone) {
  Cluster c = cluster(4, {});
  EXPECT_TRUE(set_unls(c, parse_unls("A-D:A-D").value()).has_value());
  EXPECT_FALSE(c.has_unls());
  EXPECT_TRUE(set_unls(c, parse_unls("B:A-C").value()).has_value());
  EXPECT_TRUE(c.has_unls());
  EXPECT_EQ(c.unl_of[1], IdentitySet::first(3));
}

TEST(Context, AsksWhetherASetIsAQuorumForItself) {
  Context context{.self = Identity{0}, .replica_count = 7, .fault_count = 1};
  EXPECT_EQ(context.quorum(), 5);
  EXPECT_TRUE(context.is_quorum(IdentitySet::first(5)));
  EXPECT_FALSE(context.is_quorum(IdentitySet::first(4)));
  context.count_only(IdentitySet::first(5), 80);
  EXPECT_EQ(context.quorum(), 4);
  EXPECT_TRUE(context.is_quorum(IdentitySet::first(4)));
  EXPECT_FALSE(context.is_quorum(IdentitySet::from_bits(0b1111100)));  // three of its list, and two strangers
  context.count_only(IdentitySet::first(6), 80);
  EXPECT_EQ(context.quorum(), 5);  // 4.8
  context.count_only({}, 80);
  EXPECT_EQ(context.quorum(), 6);  // 5.6
  context.count_only(IdentitySet::first(4), 0);
  EXPECT_EQ(context.quorum(), 3);
}

TEST(Cluster, NamesAreFoundOrAllOfThemListed) {
  const Cluster c = cluster(2, {2});
  EXPECT_EQ(seat_named(c, "A'").value(), Seat{2});
  EXPECT_EQ(seat_named(c, "B'").error().message, "there is no seat \"B'\"; the seats are A B A'");
  EXPECT_EQ(identity_named(c, "B").value(), Identity{1});
  EXPECT_EQ(identity_named(c, "A'").error().message, "there is no node \"A'\"; the nodes are A to B");
}

}  // namespace
}  // namespace nika
