#include "nika/model/complete_fields.hpp"

#include <gtest/gtest.h>

namespace nika {
namespace {

struct Whole {
  Round round{};
  std::uint8_t filler = 0;
  ValueId value{};
  static constexpr auto fields() { return std::tuple{field("round", &Whole::round), field("value", &Whole::value)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &Whole::filler)}; }
};
static_assert(kIsDescribedWhole<Whole>);

struct Forgetting {
  Round round{};
  Round forgotten{};
  static constexpr auto fields() { return std::tuple{field("round", &Forgetting::round)}; }
};
static_assert(!names_every_member<Forgetting>());

// The forgotten member is where the padding would be.
struct Padded {
  std::uint32_t number = 0;
  bool flag = false;
  bool forgotten = false;
  static constexpr auto fields() { return std::tuple{field("number", &Padded::number), field("flag", &Padded::flag)}; }
};
static_assert(!std::has_unique_object_representations_v<Padded> && !names_every_member<Padded>());

struct PaddedWhole {
  std::uint32_t number = 0;
  bool flag = false;
  BoundedVector<Whole, 3> wholes{};
  static constexpr auto fields() {
    return std::tuple{field("number", &PaddedWhole::number), field("flag", &PaddedWhole::flag),
                      field("wholes", &PaddedWhole::wholes)};
  }
};
static_assert(kIsDescribedWhole<PaddedWhole>);

struct NamesOneTwice {
  Round one{};
  Round other{};
  static constexpr auto fields() {
    return std::tuple{field("one", &NamesOneTwice::one), field("other", &NamesOneTwice::one)};
  }
};
static_assert(!names_every_member<NamesOneTwice>());

// A class that nobody can initialise member by member: its bytes are counted.
class Closed {
 public:
  explicit Closed(Round round) : round_(round) {}
  static constexpr auto fields() { return std::tuple{field("round", &Closed::round_)}; }

 private:
  Round round_{};
};
class ClosedAndForgetting {
 public:
  explicit ClosedAndForgetting(Round round) : round_(round), again_(round) {}
  Round again() const { return again_; }
  static constexpr auto fields() { return std::tuple{field("round", &ClosedAndForgetting::round_)}; }

 private:
  Round round_{};
  Round again_{};
};
static_assert(names_every_member<Closed>() && !names_every_member<ClosedAndForgetting>());

struct Nested {
  Forgetting inner{};
  static constexpr auto fields() { return std::tuple{field("inner", &Nested::inner)}; }
};
static_assert(names_every_member<Nested>() && !kIsDescribedWhole<Nested>);
static_assert(kIsDescribedWhole<std::variant<Whole, PaddedWhole>>);
static_assert(!kIsDescribedWhole<std::variant<Whole, Nested>>);
static_assert(!kIsDescribedWhole<BoundedVector<Nested, 2>>);

struct Empty {
  static constexpr auto fields() { return std::tuple{}; }
};
static_assert(kIsDescribedWhole<Empty>);

// All is said above, to the compiler; this is so that the tests tell of it.
TEST(Fields, AForgottenMemberIsSeenWhenCompiling) { EXPECT_FALSE(kIsDescribedWhole<Nested>); }

}  // namespace
}  // namespace nika
