// Campaigns that are killed (SIGKILL), twice each, and taken up with other numbers of threads tell in the end what
// those tell that were left alone, byte for byte. When they are killed is drawn from a seed: NIKA_KILL_POINTS=50 kills
// 50 times, and NIKA_KILL_SEED draws others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "end_to_end/program.hpp"
#include "nika/base/random.hpp"
#include "nika/store/campaign_file.hpp"

namespace nika::tests {
namespace {

constexpr unsigned kUsualPoints = 8;

struct Subject {
  const char* words;
  unsigned size;
};
constexpr std::array<Subject, 3> kSubjects{
    {{"twins diembft --bug quorum-2f --rounds 5 --step3 random:200000 --max-findings 3", 200'000},
     {"fuzz hotstuff --bug no-lock -c 1 -d 1 -r 24 --property agreement --max-findings 2 --runs 100000", 100'000},
     {"fuzz bracha --bug quorum-2f -c 2 -d 2 -r 15 --guide coverage --property agreement --max-findings 2 --runs 60000",
      60'000}}};

std::uint64_t number_of(const char* name, std::uint64_t usual) {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

// How far it has come, and the shrinking that follows counts too.
std::uint64_t steps_in(const std::string& file) {
  const auto record = store::read_campaign(file);
  return record ? static_cast<std::uint64_t>(record->total().executed) + record->findings.size() : 0;
}

std::string shown(const Program& nika, const std::string& file) {
  const Said said = nika.run("campaign show " + file + " --json");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  return said.out;
}

TEST(KilledCampaigns, EndAsIfNothingHadHappened) {
  const Program nika;
  const std::uint64_t points = number_of("NIKA_KILL_POINTS", kUsualPoints);
  Random random(number_of("NIKA_KILL_SEED", 1));
  std::array<std::string, kSubjects.size()> expected;
  unsigned killed = 0;
  for (unsigned campaign = 0; 2 * campaign < points; ++campaign) {
    const Subject& subject = kSubjects[campaign % kSubjects.size()];
    std::string& whole = expected[campaign % kSubjects.size()];
    if (whole.empty()) {
      const std::string file = fmt::format("whole-{}.db", campaign);
      EXPECT_EQ(nika.run(fmt::format("{} --campaign {} --threads 2 --quiet", subject.words, file)).exit_code, 1);
      whole = shown(nika, file);
      EXPECT_NE(whole.find("\"complete\": true"), std::string::npos);
    }
    const std::string file = fmt::format("killed-{}.db", campaign);
    const std::string path = nika.path(file).string();
    std::uint64_t point = 0;
    for (unsigned time = 0; time < 2; ++time) {
      point += random.below((subject.size - point) * 2 / 3);
      const std::string words =
          time == 0 ? fmt::format("{} --campaign {} --threads {}", subject.words, file, 1 + random.below(3))
                    : fmt::format("campaign resume {} --threads {}", file, 1 + random.below(3));
      killed += nika.is_killed(words, [&] { return steps_in(path) > point; }) ? 1 : 0;
    }
    const Said resumed = nika.run(fmt::format("campaign resume {} --threads {} --quiet", file, 1 + random.below(3)));
    EXPECT_EQ(resumed.exit_code, 1) << resumed.err;
    EXPECT_EQ(shown(nika, file), whole) << subject.words << ", killed near " << point;
  }
  // One may have come to its end before it was seen to be far enough.
  EXPECT_GE(killed + points / 4, points);
  fmt::print("killed {} times\n", killed);
}

}  // namespace
}  // namespace nika::tests
