#include "nika/campaign/ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nika/base/random.hpp"

namespace nika {
namespace {

// One run a position; every seventh breaks property 0, every eleventh property 1.
Tally tally_of(const twins::Range& range, std::vector<Sighting>& seen) {
  Tally tally(2);
  for (Wide at = range.begin; at < range.end; ++at) {
    const bool breaks = at % 7 == 3 || at % 11 == 5;
    ++tally.executed;
    ++tally.scenarios;
    tally.violating_runs += breaks ? 1 : 0;
    tally.violating += breaks ? 1 : 0;
    if (at % 7 == 3) seen.push_back({0, "fork", at, at + 100});
    if (at % 11 == 5) seen.push_back({1, at % 2 == 0 ? "even" : "odd", at, at + 100});
  }
  return tally;
}

void add(Ledger& ledger, const twins::Range& range) {
  std::vector<Sighting> seen;
  const Tally tally = tally_of(range, seen);
  ledger.add(range, tally, std::move(seen));
}

bool are_equal(const std::vector<Sighting>& a, const std::vector<Sighting>& b) {
  return std::ranges::equal(a, b, [](const Sighting& x, const Sighting& y) {
    return x.position == y.position && x.index == y.index && x.is_like(y);
  });
}

std::vector<twins::Range> cut(Wide begin, Wide end, Random& random) {
  std::vector<twins::Range> parts;
  for (Wide at = begin; at < end;) {
    const Wide size = std::min<Wide>(end - at, 1 + random.below(40));
    parts.push_back({at, at + size});
    at += size;
  }
  return parts;
}

void shuffle(std::vector<twins::Range>& parts, Random& random) {
  for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
}

TEST(Ledger, ComesToTheSameInAnyPartsAndOrder) {
  Ledger whole({2, 3, false});
  add(whole, {10, 600});
  Random random(1);
  for (unsigned i = 0; i < 200; ++i) {
    Ledger ledger({2, 3, false});
    auto parts = cut(10, 600, random);
    shuffle(parts, random);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      add(ledger, parts[p]);
      Wide left = 0;
      for (const twins::Range& gap : ledger.gaps({10, 600})) left += gap.size();
      ASSERT_EQ(left + ledger.total().executed, 590U);
    }
    EXPECT_EQ(ledger.parts().size(), 1U);
    EXPECT_EQ(ledger.total(), whole.total());
    EXPECT_TRUE(are_equal(ledger.sightings(), whole.sightings()));
    EXPECT_TRUE(ledger.gaps({10, 600}).empty());
  }
}

// Chunks that some thread ran behind the first one that shows something count nowhere.
TEST(Ledger, EndsBehindTheFirstPartThatShowsSomething) {
  Random random(2);
  for (unsigned i = 0; i < 200; ++i) {
    const auto parts = cut(4, 400, random);  // positions 5 and 10 are the first that break something
    const auto first = std::ranges::find_if(parts, [](const twins::Range& part) { return part.end > 5; });
    auto shuffled = parts;
    shuffle(shuffled, random);
    Ledger ledger({2, 3, true});
    for (const twins::Range& part : shuffled) add(ledger, part);
    EXPECT_EQ(ledger.end(), first->end);
    EXPECT_EQ(ledger.total().executed, first->end - 4);
    EXPECT_TRUE(ledger.gaps({4, 400}).empty());
    for (const Sighting& sighting : ledger.sightings()) EXPECT_LT(sighting.position, first->end);
    EXPECT_EQ(ledger.sightings().front().position, 5U);
  }
}

}  // namespace
}  // namespace nika
