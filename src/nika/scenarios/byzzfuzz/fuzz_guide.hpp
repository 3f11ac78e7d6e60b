// Chooses which faults to try next from what was reached so far: it keeps a fault configuration that came to a new
// partial state, and draws one of its faults anew. Those whose states hold disagreement and were seen rarely are taken
// up more often. What it proposes depends on the seed and on what it was told; it never runs anything.
#pragma once

#include <unordered_map>

#include "nika/scenarios/byzzfuzz/guidance.hpp"

namespace nika::byzzfuzz {

// A fault that is put together from numbered draws of the blind search.
struct FaultGene {
  std::uint64_t what = 0;   // the draw that the lies are of
  std::uint64_t whom = 0;   // the draw that liar and receivers, or the partition, are of
  std::uint16_t round = 0;  // the protocol round

  bool operator==(const FaultGene&) const = default;
};

// A fault configuration of such faults: whatever is made of draws stays within the settings.
struct FuzzGenome {
  std::uint64_t rotation = 0;  // the draw that the order of leaders is of
  BoundedVector<FaultGene, kMaxOutages> outages{};
  BoundedVector<FaultGene, kMaxLies> lies{};

  bool operator==(const FuzzGenome&) const = default;
};

// What a configuration has come to.
struct FuzzTrial {
  FuzzGenome genome{};
  std::vector<guided::Reached> reached{};
};

class FuzzGuide final : public Guidance {
 public:
  // So many are drawn blindly before anything is taken up: what is found that soon needs no guide.
  static constexpr std::uint64_t kBlindRuns = 4 * std::uint64_t{kGeneration};

  // The generator outlives it, and draws a lie for each kind of message of each fault: uniformly.
  explicit FuzzGuide(const FuzzGenerator& generator);

  void draw(std::uint64_t number, Draw& draw, Draw& scratch) const override;
  void learn(std::uint64_t first, std::span<const std::vector<guided::Reached>> reached) override;

  // The same with genomes: of the generation that is next to be learnt from.
  void propose(std::uint64_t number, FuzzGenome& genome, Draw& scratch) const;
  void draw_of(const FuzzGenome& genome, Draw& draw, Draw& scratch) const;
  // From a whole generation, in the order of its numbers.
  void learn(std::span<const FuzzTrial> trials);

  bool tells_lessons() const override { return true; }
  std::vector<std::uint64_t> take_lesson() override;
  bool take_up(std::span<const std::uint64_t> lesson) override;

  std::size_t state_count() const { return known_.size(); }
  std::size_t kept_count() const { return kept_.size(); }

 private:
  static constexpr std::uint32_t kNobody = ~0U;
  static constexpr std::size_t kMaxKept = 1U << 16U;  // beyond it new states are no longer kept

  struct Kept {
    FuzzGenome genome{};
    std::uint32_t disagreement = 0;  // the most of the states that it was the first to reach
    std::uint32_t seen = 0;          // how often these were
    std::uint32_t told = 0;          // how often when it was last told; 0: never
  };
  struct Known {
    std::uint64_t state = 0;
    std::uint32_t kept = 0;
  };

  unsigned lie_count() const;
  void draw_anew(std::uint64_t number, FuzzGenome& genome, Draw& scratch) const;
  void note(const FuzzTrial& trial);
  void weigh();
  bool is_possible(const FuzzGenome& genome) const;

  const FuzzGenerator& generator_;
  std::vector<Kept> kept_;
  std::vector<std::uint64_t> sums_;                         // of weights, as of the last generation
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // positions in kept_, by state
  std::vector<Known> untold_;                               // of known_, in the order in which they were met
};

}  // namespace nika::byzzfuzz
