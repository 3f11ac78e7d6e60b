// Campaigns that are stopped and taken up again, with other numbers of threads, come to what they come to at once. What
// a kill does to them is in tests/end_to_end/campaign_test.cpp.
#include "nika/campaign/stored_campaign.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>

#include "nika/campaign/fuzz_generations.hpp"
#include "nika/campaign/merged_campaign.hpp"
#include "nika/campaign/twins_campaign.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika {
namespace {

namespace fs = std::filesystem;

class StoredCampaigns : public testing::Test {
 protected:
  StoredCampaigns() {
    std::string pattern = (fs::temp_directory_path() / "nika-stored-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~StoredCampaigns() override { fs::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  fs::path directory_;
};

// All that is stored, less times and sessions.
void expect_same(const store::CampaignRecord& a, const store::CampaignRecord& b) {
  EXPECT_EQ(a.plan, b.plan);
  EXPECT_EQ(a.programs, b.programs);
  EXPECT_EQ(a.stretches, b.stretches);
  EXPECT_EQ(a.sightings, b.sightings);
  EXPECT_EQ(a.findings, b.findings);
  EXPECT_EQ(a.conclusion, b.conclusion);
}

TwinsRequest twins_request() {
  TwinsRequest request;
  request.runner = &built_in_protocol("diembft");
  request.settings.protocol = "diembft";
  request.settings.bugs = {"quorum-2f"};
  request.settings.rounds = 5;
  request.settings.step3 = twins::Selection{twins::Selection::Kind::kRandom, 30'000};
  request.properties = only(kAgreement);
  request.max_findings = 3;
  return request;
}

FuzzRequest fuzz_request(bool is_guided) {
  FuzzRequest request;
  request.runner = &built_in_protocol("bracha");
  request.properties = only(kAgreement);
  request.settings.bugs = {"quorum-2f"};
  request.settings.lies = request.settings.outages = 2;
  request.settings.last_round = 5 * request.runner->protocol_rounds();
  if (is_guided) request.settings.guide = byzzfuzz::Guide::kCoverage;
  request.settings.runs = 6100;
  set_protocol(request.settings, *request.runner, request.properties);
  return request;
}

// Runs it in sessions that are stopped as soon as they have done anything, and to the end at last.
template <class Request, class Watch, class Run>
unsigned sessions_of(Request request, const std::string& file, const Run& run) {
  request.place.file = file;
  for (unsigned session = 0; session < 1000; ++session) {
    std::atomic<bool> stop{false};
    Wide before = session == 0 ? 0 : store::read_campaign(file).value().total().executed;
    Watch watch;
    watch.stop = &stop;
    watch.progress = [&](const auto& p) { stop = stop || p.executed > before; };
    request.threads = 1 + session % 3;
    const auto outcome = run(request, watch);
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome || !outcome->can_go_on) return session + 1;
  }
  return 0;
}

template <class Request, class Watch, class Run>
void expect_same_when_stopped(Request request, const std::string& at_once, const std::string& in_sessions,
                              const Run& run) {
  const auto plain = run(request, Watch{});
  ASSERT_TRUE(plain) << plain.error().message;
  const unsigned sessions = sessions_of<Request, Watch>(request, in_sessions, run);
  EXPECT_GT(sessions, 1U);
  request.place.file = at_once;
  const auto stored = run(request, Watch{});
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(plain->tally, stored->tally);
  EXPECT_EQ(plain->conclusion, stored->conclusion);
  const auto record = store::read_campaign(at_once).value();
  expect_same(record, store::read_campaign(in_sessions).value());
  EXPECT_EQ(record.told().size(), plain->findings.size());
  EXPECT_GT(plain->findings.size(), 0U);
  ASSERT_TRUE(record.conclusion);
  EXPECT_EQ(record.conclusion->verdict, "violated");
  // Once more: nothing is left to do, and all is told again.
  const auto again = run(request, Watch{});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->tally, plain->tally);
  ASSERT_EQ(again->findings.size(), plain->findings.size());
  for (std::size_t i = 0; i < plain->findings.size(); ++i) {
    EXPECT_EQ(again->findings[i].finding, plain->findings[i].finding);
    EXPECT_EQ(again->findings[i].name, plain->findings[i].name);
    EXPECT_EQ(again->findings[i].index, plain->findings[i].index);
  }
  expect_same(record, store::read_campaign(at_once).value());
}

TEST_F(StoredCampaigns, OfTwinsComeToTheSame) {
  expect_same_when_stopped<TwinsRequest, TwinsWatch>(twins_request(), path("a.db"), path("b.db"), run_twins);
}

TEST_F(StoredCampaigns, ThatEndWithTheFirstViolationComeToTheSame) {
  TwinsRequest request = twins_request();
  request.settings.bugs = {"conflicting-votes"};
  request.stops_at_first = true;
  const auto one = run_twins(request, {});
  request.threads = 3;
  const auto three = run_twins(request, {});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->tally, three->tally);
  EXPECT_LT(one->tally.executed, 30'000U);
  request.place.file = path("a.db");
  const auto stored = run_twins(request, {});
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->tally, one->tally);
  const auto again = run_twins(request, {});
  EXPECT_EQ(again->tally, one->tally);
  EXPECT_TRUE(store::read_campaign(path("a.db"))->conclusion);
}

TEST_F(StoredCampaigns, OfFuzzComeToTheSame) {
  FuzzRequest request = fuzz_request(false);
  request.runner = &built_in_protocol("hotstuff");
  request.settings.bugs = {"no-lock"};
  request.settings.lies = request.settings.outages = 1;
  request.settings.last_round = 24;
  request.settings.runs = 15'000;
  set_protocol(request.settings, *request.runner, request.properties);
  expect_same_when_stopped<FuzzRequest, FuzzWatch>(request, path("a.db"), path("b.db"), run_fuzz);
}

TEST_F(StoredCampaigns, OfGuidedSearchComeToTheSame) {
  expect_same_when_stopped<FuzzRequest, FuzzWatch>(fuzz_request(true), path("a.db"), path("b.db"), run_guided_fuzz);
}

TEST_F(StoredCampaigns, OfShardsAreMergedToTheWhole) {
  TwinsRequest request = twins_request();
  request.place.file = path("whole.db");
  ASSERT_TRUE(run_twins(request, {}));
  std::vector<std::string> names;
  std::vector<store::CampaignRecord> shards;
  for (unsigned i = 1; i <= 3; ++i) {
    request.shard = std::to_string(i) + "/3";
    request.place.file = names.emplace_back(path("shard-" + std::to_string(i) + ".db"));
    ASSERT_TRUE(run_twins(request, {}));
    shards.push_back(store::read_campaign(request.place.file).value());
  }
  const std::vector twice{shards[0], shards[1], shards[1]};
  EXPECT_FALSE(merged(twice, names));
  const auto part = merged({shards[2], shards[0]}, names);
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->missing(), 10'000U);
  const auto all = merged({shards[2], shards[0], shards[1]}, names);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->missing(), 0U);
  ASSERT_TRUE(write_merged(*all, path("merged.db"), false));
  EXPECT_FALSE(write_merged(*all, path("merged.db"), false));
  request.shard = "";
  request.place.file = path("merged.db");
  const auto finished = run_twins(request, {});
  ASSERT_TRUE(finished) << finished.error().message;
  const auto whole = store::read_campaign(path("whole.db")).value();
  const auto record = store::read_campaign(path("merged.db")).value();
  EXPECT_EQ(record.stretches, whole.stretches);
  EXPECT_EQ(record.sightings, whole.sightings);
  EXPECT_EQ(record.conclusion, whole.conclusion);
  ASSERT_EQ(record.told().size(), whole.told().size());
  for (std::size_t i = 0; i < record.told().size(); ++i) EXPECT_EQ(*record.told()[i], *whole.told()[i]);
}

TEST_F(StoredCampaigns, OfOtherSettingsAreRefused) {
  TwinsRequest request = twins_request();
  request.place.file = path("a.db");
  ASSERT_TRUE(run_twins(request, {}));
  request.max_findings = 4;
  EXPECT_FALSE(run_twins(request, {}));
  request.max_findings = 3;
  request.settings.seed = 2;
  EXPECT_FALSE(run_twins(request, {}));
  request.settings.seed = 1;
  request.exhaustive = true;
  EXPECT_FALSE(run_twins(request, {}));
}

TEST(Tally, IsTheSameWhenItWasStored) {
  Tally tally(2);
  tally.executed = kMaxWide;
  tally.faults = {1, 2, 3, 4, 5};
  tally.properties[1].unknown_because[3] = 7;
  EXPECT_EQ(tally_of(counts_of(tally)), tally);
}

TEST(StoredCampaign, RefusesAGuideThatCannotTellWhatItHasLearnt) {
  FuzzRequest request = fuzz_request(false);
  request.settings.guide = byzzfuzz::Guide::kRounds;
  request.place.file = ::testing::TempDir() + "rounds.db";
  const auto outcome = run_guided_fuzz(request, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "--campaign keeps what --guide coverage has learnt: --guide rounds cannot be taken up again");
}

}  // namespace
}  // namespace nika
