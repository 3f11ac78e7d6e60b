// Timed scenarios drawn from a seed, as a generator: scenario i depends on the seed and on i alone.
#pragma once

#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/timed/sampler.hpp"

namespace nika::timed {

class TimedGenerator final : public Generator {
 public:
  // `base` has the cast, the leaders of views and the timing; its rules do not count.
  TimedGenerator(Scenario base, const Adversary& adversary, std::uint64_t seed, Wide size);

  const Cluster& cluster() const override { return cluster_; }
  std::optional<Wide> size() const override { return size_; }
  std::unique_ptr<IndexedSchedule> schedule() const override;
  Scenario scenario(Wide index) const override;

 private:
  Scenario base_;
  Cluster cluster_;
  Adversary adversary_;
  std::uint64_t seed_;
  Wide size_;
};

}  // namespace nika::timed
