// What keeps two honest nodes from being taken for one another.
#include <gtest/gtest.h>

#include "nika/explore/canonical.hpp"

namespace nika {
namespace {

struct Nothing {
  static constexpr auto fields() { return std::tuple{}; }
};
struct Friends {
  struct State {
    IdentitySet many{};
    ValueId value{};
    Identity one{};
    Seat place{};
    static constexpr auto fields() {
      return std::tuple{field("many", &State::many), field("value", &State::value), field("one", &State::one),
                        field("place", &State::place)};
    }
  };
  using Message = std::variant<Nothing>;
  static constexpr std::string_view kName = "friends";
  static constexpr std::string_view kSummary = "for tests";
  static constexpr std::array<std::string_view, 0> kBugs{};
  static void start(State&, const Context&, Outbox<Message>&) {}
  static void receive(State&, const Context&, Identity, const Message&, Outbox<Message>&) {}
  static void expire(State&, const Context&, TimerId, Outbox<Message>&) {}
  static Round round_of(const Message&) { return Round(1); }
  static ValueId subject_of(const Message&) { return {}; }
  static Round current_round(const State&) { return Round(1); }
};

// B, C and D are interchangeable: bit 0 is B with C, bit 1 is C with D. All seats are in the given state.
std::uint32_t symmetry_if_all_are(const Friends::State& state) {
  const auto space = twins::Space::make({.rounds = 1});
  const Renamings renamings(*space, true);
  const auto world = std::make_unique<World<Friends>>();
  for (unsigned s = 0; s < space->cluster().seat_count; ++s) world->states[s] = state;
  return symmetry_of(*world, renamings, space->cluster().seat_count);
}

TEST(Symmetry, EqualNodesThatNobodyKnowsCanChangePlaces) {
  EXPECT_EQ(symmetry_if_all_are({}), 0b11U);
  EXPECT_EQ(symmetry_if_all_are({.many = {Identity{1}, Identity{2}, Identity{3}}}), 0b11U);
}

TEST(Symmetry, WhoeverIsKnownByNameCannotChangePlaces) {
  EXPECT_EQ(symmetry_if_all_are({.many = {Identity{3}}}), 0b01U);
  EXPECT_EQ(symmetry_if_all_are({.value = ValueId(Round(1), Seat{3}, 0)}), 0b01U);
  EXPECT_EQ(symmetry_if_all_are({.one = Identity{3}}), 0b01U);
  EXPECT_EQ(symmetry_if_all_are({.place = Seat{1}}), 0b10U);
}

TEST(Symmetry, WhoMadeAValueIsSeenThroughEverything) {
  const IdentitySet others{Identity{1}, Identity{2}};
  EXPECT_FALSE(holds_value_of(Friends::State{.value = ValueId(Round(2), Seat{3}, 0)}, others));
  EXPECT_TRUE(holds_value_of(Friends::State{.value = ValueId(Round(2), Seat{2}, 0)}, others));
  EXPECT_FALSE(holds_value_of(Friends::State{.many = others, .one = Identity{1}}, others));
}

}  // namespace
}  // namespace nika
