#include "nika/campaign/fuzz_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nika/campaign/fuzz_search_worker.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/properties/termination.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

using byzzfuzz::Draw;
using byzzfuzz::FuzzGenerator;

FuzzRequest request_of(std::string_view protocol, std::vector<std::string> bugs, unsigned lies, unsigned outages,
                       unsigned last_round) {
  FuzzRequest request;
  request.runner = &built_in_protocol(protocol);
  request.properties = only(kAgreement);
  NIKA_REQUIRE(request.properties.push_back(&kTermination));
  request.settings.bugs = std::move(bugs);
  request.settings.lies = lies;
  request.settings.outages = outages;
  request.settings.last_round = last_round;
  request.settings.mutations = byzzfuzz::Mutations::kPaper;
  request.max_findings = 0;
  set_protocol(request.settings, *request.runner, request.properties);
  return request;
}

// Every choice is made before the run, and every run is a run of its own.
class OneByOne {
 public:
  explicit OneByOne(const FuzzRequest& request)
      : generator_(request.settings), bases_(generator_), tally_(request.properties.size()) {
    auto session = request.runner->open({generator_.cluster(), request.settings.bugs, request.properties});
    EXPECT_TRUE(session);
    session_ = *std::move(session);
    for (std::uint64_t base = 0; base < bases_.count(); ++base) {
      bases_.set(base, draw_);
      if (request.settings.lies == 0) {
        run(1);
        continue;
      }
      for (unsigned round = 1; round <= request.settings.last_round; ++round) {
        for (std::uint32_t to = 0; to < 1U << generator_.cluster().seat_count; ++to)
          choose(round, SeatSet::from_bits(to), 0, 1);
      }
    }
  }
  const Tally& tally() const { return tally_; }

 private:
  void choose(unsigned round, SeatSet to, std::size_t kind, Wide weight) {
    if (kind == generator_.lies().size()) return run(weight);
    for (const auto& way : generator_.lies()[kind].all()) {
      draw_.lies.push_back(way.lie);
      draw_.lies.back().protocol_round = static_cast<std::uint16_t>(round);
      draw_.lies.back().to = to;
      choose(round, to, kind + 1, weight * way.weight);
      draw_.lies.pop_back();
    }
  }
  void run(Wide weight) {
    schedule_.play(draw_, nobody_);
    tally_.add(session_->run(schedule_), weight);
  }

  class Nobody : public LieWatch {
    void sends(unsigned, Seat, unsigned, SeatSet) override {}
  };

  const FuzzGenerator generator_;
  const FuzzBases bases_;
  byzzfuzz::FuzzSchedule schedule_{generator_};
  Nobody nobody_;
  std::unique_ptr<Session> session_;
  Draw draw_;
  Tally tally_;
};

void expect_same_counts(const FuzzRequest& request) {
  const auto searched = search_fuzz(request, {});
  ASSERT_TRUE(searched) << searched.error().message;
  const Tally expected = OneByOne(request).tally();
  EXPECT_EQ(searched->tally.scenarios, expected.scenarios);
  EXPECT_EQ(searched->tally.scenarios, configuration_count(request.settings).value());
  EXPECT_EQ(searched->tally.violating, expected.violating);
  EXPECT_EQ(searched->tally.unknown, expected.unknown);
  EXPECT_EQ(searched->tally.committed, expected.committed);
  EXPECT_EQ(searched->tally.properties, expected.properties);
  EXPECT_LE(searched->tally.executed, expected.executed);
}

TEST(FuzzSearch, CountsLiesAsIfOneByOne) { expect_same_counts(request_of("tendermint", {"quorum-2f"}, 1, 0, 3)); }

TEST(FuzzSearch, CountsOutagesAsIfOneByOne) {
  FuzzRequest request = request_of("tendermint", {"no-retransmission"}, 0, 1, 5);
  request.settings.withholds = false;
  expect_same_counts(request);
}

TEST(FuzzSearch, CountsLiesAndOutagesAsIfOneByOne) {
  FuzzRequest request = request_of("tendermint", {"no-retransmission"}, 1, 1, 1);
  request.settings.withholds = false;
  expect_same_counts(request);
}

TEST(FuzzSearch, CountsTheSameOnAnyNumberOfThreads) {
  FuzzRequest request = request_of("tendermint", {"early-unlock"}, 1, 1, 2);
  const auto one = search_fuzz(request, {});
  request.threads = 3;
  const auto three = search_fuzz(request, {});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->tally.scenarios, three->tally.scenarios);
  EXPECT_EQ(one->tally.properties, three->tally.properties);
  EXPECT_EQ(one->tally.faults, three->tally.faults);
}

// The shares of draws that break something, and in which a lie has an effect, are those of the configurations, within
// four standard deviations.
void expect_same_rates(FuzzRequest request) {
  constexpr unsigned kRuns = 20'000;
  request.settings.runs = kRuns;
  const auto whole = search_fuzz(request, {});
  const auto drawn = run_fuzz(request, {});
  ASSERT_TRUE(whole && drawn);
  const auto expect_near = [&](Wide found, Wide part) {
    const double expected = static_cast<double>(part) / static_cast<double>(whole->tally.scenarios);
    EXPECT_NEAR(static_cast<double>(found) / kRuns, expected, 4 * std::sqrt(expected * (1 - expected) / kRuns));
  };
  expect_near(drawn->tally.violating, whole->tally.violating);
  expect_near(drawn->tally.faults.effective, whole->tally.faults.effective);
}

TEST(FuzzSearch, DrawnRatesAreThoseOfTheWholeSpace) {
  FuzzRequest request = request_of("tendermint", {"no-retransmission"}, 1, 1, 3);
  request.settings.withholds = false;
  expect_same_rates(request);
}

// Lies that repeat what was said rounds ago once found nothing to repeat: the runs that others went on from had no such
// lie, and remembered nothing.
TEST(FuzzSearch, DrawnRatesAreThoseOfTheWholeSpaceWhereLiesLookBack) {
  for (const std::string_view protocol : {"tendermint", "ibft", "dbft"}) {
    SCOPED_TRACE(protocol);
    FuzzRequest request = request_of(protocol, {}, 1, 0, 7);
    request.settings.mutations = byzzfuzz::Mutations::kAll;
    expect_same_rates(request);
  }
}

TEST(FuzzSearch, AWholeSpaceHolds) {
  const auto outcome = search_fuzz(request_of("tendermint", {}, 1, 0, 6), {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->conclusion, Conclusion::kHolds) << outcome->reason;
}

TEST(FuzzSearch, RefusesWhatIsNotSmall) {
  FuzzRequest request = request_of("tendermint", {}, 1, 0, 6);
  request.settings.scope = byzzfuzz::Scope::kAny;
  const auto outcome = search_fuzz(request, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "--exhaustive goes through small lies: it needs --scope small");
}

}  // namespace
}  // namespace nika
