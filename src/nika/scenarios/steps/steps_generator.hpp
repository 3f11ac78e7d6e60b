// Orders of delivery drawn from a seed, as a generator: each schedule picks the next step of an asynchronous run, and
// picks the same ones again whenever it is asked by the same run. Uniformly, or by priorities as in probabilistic
// concurrency testing (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
// 2010): the first message of the link with the highest priority is next, and at a few steps the link that is next
// falls behind all others. A bug that needs d links in a certain order is then met with a known probability.
#pragma once

#include <functional>
#include <vector>

#include "nika/scenarios/generator.hpp"

namespace nika::steps {

enum class Draw : std::uint8_t { kUniform, kPriorities };

struct Drawing {
  Draw draw = Draw::kUniform;
  unsigned change_points = 2;    // of priorities
  unsigned expected_steps = 64;  // that the change points are spread over
  unsigned timers = 0;           // that may run out in one run; a network that loses nothing needs none
  unsigned max_steps = 10'000;   // after which a run ends, whatever is left
};

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
