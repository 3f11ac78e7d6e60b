#include "nika/scenarios/timed/timed_generator.hpp"

#include "nika/base/require.hpp"

namespace nika::timed {
namespace {

class TimedSchedule final : public IndexedSchedule {
 public:
  TimedSchedule(const TimedGenerator& generator, const Scenario& base) : generator_(generator), scenario_(base) {
    begin(generator.cluster().seat_count, static_cast<unsigned>(base.rounds.size()), base.heal_rounds);
  }

  void seek(Wide index) override {
    scenario_ = generator_.scenario(index);
    for (std::size_t r = 0; r < scenario_.rounds.size(); ++r) leaders_[r + 1] = scenario_.rounds[r].leaders;
    set_heal_leaders(leaders_, scheduled_rounds(), scenario_.heal_leaders);
  }
  const Timing* timing() const override { return &*scenario_.timing; }
  std::span<const Rule> rules() const override { return scenario_.rules; }

 private:
  // A timed run has no network rounds to ask about.
  void choose(Round, RoundAnswers&) override {}

  const TimedGenerator& generator_;
  Scenario scenario_;
};

}  // namespace

TimedGenerator::TimedGenerator(Scenario base, const Adversary& adversary, std::uint64_t seed, Wide size)
    : base_(without_notes(std::move(base))),
      cluster_(make_cluster(base_.node_count, base_.copies, base_.client_count).value()),
      adversary_(adversary),
      seed_(seed),
      size_(size) {
  base_.rules.clear();
  cluster_.fault_count = base_.fault_count;
  NIKA_REQUIRE(set_unls(cluster_, base_.unls).has_value());
}

std::unique_ptr<IndexedSchedule> TimedGenerator::schedule() const {
  return std::make_unique<TimedSchedule>(*this, base_);
}

Scenario TimedGenerator::scenario(Wide index) const {
  Random random(mix64(seed_ ^ mix64(static_cast<std::uint64_t>(index))));
  return sample(base_, adversary_, random);
}

}  // namespace nika::timed
