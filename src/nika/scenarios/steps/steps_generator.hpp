// Orders of delivery drawn from a seed, as a generator: each schedule picks the next step of an asynchronous run, and
// picks the same ones again whenever it is asked by the same run.
#pragma once

#include <functional>
#include <vector>

#include "nika/scenarios/generator.hpp"
#include "nika/scenarios/steps/drawing.hpp"

namespace nika::steps {

class StepsGenerator final : public Generator {
 public:
  // Runs a schedule to its end.
  using Play = std::function<void(Schedule&)>;

  // `base` has the cast and who leads; its steps do not count. What a schedule picks depends on what it is offered, so
  // telling it as a scenario takes a run: `play` is that of the protocol, and is called by one thread at a time.
  StepsGenerator(Scenario base, const Drawing& drawing, std::uint64_t seed, Wide size, Play play);

  const Cluster& cluster() const override { return cluster_; }
  std::optional<Wide> size() const override { return size_; }
  std::unique_ptr<IndexedSchedule> schedule() const override;
  Scenario scenario(Wide index) const override;

 private:
  Scenario base_;
  Cluster cluster_;
  Drawing drawing_;
  std::uint64_t seed_;
  Wide size_;
  Play play_;
};

}  // namespace nika::steps
