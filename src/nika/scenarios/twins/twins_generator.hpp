// The scenarios of a Twins space, or one of each class of them, as a generator.
#pragma once

#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/twins/classes.hpp"

namespace nika::twins {

class TwinsGenerator final : public Generator {
 public:
  // Both outlive it. With classes the numbers are those of classes, each run by its representative.
  explicit TwinsGenerator(const Space& space, const Classes* classes = nullptr) : space_(space), classes_(classes) {}

  const Cluster& cluster() const override { return space_.cluster(); }
  std::optional<Wide> size() const override { return classes_ != nullptr ? classes_->size() : space_.size(); }
  std::unique_ptr<IndexedSchedule> schedule() const override;
  Scenario scenario(Wide index) const override;

 private:
  const Space& space_;
  const Classes* classes_;
};

// Answers by a configuration for each round.
class TwinsSchedule : public IndexedSchedule {
 public:
  explicit TwinsSchedule(const Space& space);

  void seek(Wide index) override;
  Shared shared() const override { return shared_; }
  void arrange(std::span<Numbered> schedules) const override;

 protected:
  // `sequence_` holds the configurations of the scheduled rounds.
  void take_sequence(Wide index);

  const Space& space_;
  std::vector<std::uint32_t> sequence_;

 private:
  void choose(Round round, RoundAnswers& answers) override;

  std::vector<Links> links_;         // of each partition
  std::vector<std::uint32_t> rank_;  // of each configuration: those with the same leaders stand together
  std::vector<std::uint32_t> previous_;
  Shared shared_{};
  Wide index_ = 0;
  std::size_t rotation_ = 0;
  Order order_{};
  const bool samples_orders_;
};

}  // namespace nika::twins
