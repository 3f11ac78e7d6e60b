// Schedules that are run one after the other on one core.
#pragma once

#include "nika/base/random.hpp"
#include "nika/campaign/runner.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/all.hpp"
#include "nika/scenarios/twins/twins_generator.hpp"
#include "stopwatch.hpp"

namespace nika::bench {

// Any scenario of a space, however large the space is.
class AnySchedule final : public twins::TwinsSchedule {
 public:
  using TwinsSchedule::TwinsSchedule;

  void seek(Wide index) override {
    Random random(mix64(static_cast<std::uint64_t>(index)));
    for (std::uint32_t& c : sequence_) c = static_cast<std::uint32_t>(random.below(space_.configurations().size()));
    take_sequence(index);
  }
};

// A session with schedules, judged by agreement if by nothing else. The runner outlives it.
class Bench {
 public:
  Bench(const Runner& runner, const Cluster& cluster, std::unique_ptr<IndexedSchedule> schedule,
        const Properties& properties = only(kAgreement))
      : session_(runner.open({cluster, {}, properties}).value()), schedule_(std::move(schedule)) {}

  const Outcome& run(Wide index) {
    schedule_->seek(index);
    return session_->run(*schedule_);
  }

 private:
  std::unique_ptr<Session> session_;
  std::unique_ptr<IndexedSchedule> schedule_;
};

}  // namespace nika::bench
