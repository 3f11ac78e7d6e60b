// Comparing, for a protocol in network rounds: whole worlds after each round, and judgements at the end, of properties
// for which the reductions are exact.
#pragma once

#include <memory>
#include <vector>

#include "nika/explore/canonical.hpp"
#include "nika/explore/comparing.hpp"
#include "nika/explore/enumerated_schedule.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {

enum class Reduction : std::uint8_t {
  kNone,
  kFoldAndRename,
  kRelativeRounds,  // as an unbounded search does: with rounds that nothing mentions left out, too
};

template <Protocol P>
class SideBySide final : public Comparing {
 public:
  // The space outlives it; the cluster is the space's, with bugs.
  SideBySide(const twins::Space& space, const Cluster& cluster, const Properties& properties)
      : space_(space),
        seats_(cluster.seat_count),
        has_crashes_(!space.settings().crashes.empty()),
        choices_(space, !kAnyoneProposes<P>),
        schedule_(space, choices_),
        network_(cluster, exact_among(properties, has_crashes_)) {}

  bool has_folding() const override { return Foldable<P> || Forgetful<P>; }
  std::size_t renaming_count() const override { return choices_.renamings().count(); }
  unsigned rounds_left_out() const { return left_out_; }

  // Judged by those properties for which every reduction is exact.
  const Outcome& run(ConfigurationsOf scenario, Reduction reduction);
  std::string folding_fault(ConfigurationsOf scenario) override;
  std::string renaming_fault(ConfigurationsOf scenario, std::size_t renaming) override;

 private:
  static Properties exact_among(const Properties& properties, bool has_crashes) {
    Properties exact;
    for (const Property* property : properties) {
      Properties one;
      (void)one.push_back(property);
      if (is_exact_for<P>(one, has_crashes) && name_nobody(one)) (void)exact.push_back(property);
    }
    return exact;
  }

  void start(World<P>& world, ConfigurationsOf scenario) {
    for (std::size_t r = 0; r < scenario.size(); ++r)
      schedule_.set_leaders(Round(static_cast<unsigned>(r + 1)), choices_.leaders(scenario[r]));
    network_.start(world, schedule_);
  }
  // A scheduled round, whatever its number is after rounds were left out.
  void run_round(World<P>& world, std::uint32_t configuration) {
    schedule_.set_round({configuration, 1});
    network_.run_round(world, schedule_.round(world.network_round.next()));
    network_.monitors().passed(world.monitors, network_.sight_of(world));
  }
  void heal(World<P>& world, Outcome& outcome) {
    const Order fifo = Order::fifo();
    for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(network_, world); ++h) {
      network_.run_round(world, {.links = &choices_.full(), .order = &fifo, .heals = true});
      network_.monitors().passed(world.monitors, network_.sight_of(world));
    }
    judge(network_, world, outcome);
  }
  // False if the protocol did not fold it.
  bool reduce(World<P>& world) {
    const bool folded = fold_judged(network_, world, has_crashes_);
    sort_pending(world);
    return folded;
  }
  Fingerprint name_of(const World<P>& world) { return name_of_world(writer_, world, seats_); }
  std::string judgement_fault(const Outcome& one, const Outcome& other, std::string_view which) const;

  const twins::Space& space_;
  const unsigned seats_;
  const bool has_crashes_;
  Choices choices_;
  EnumeratedSchedule schedule_;
  RoundNetwork<P> network_;
  Outcome outcome_{};
  World<P> world_{};
  std::unique_ptr<World<P>> other_ = std::make_unique<World<P>>();
  RoundGaps<P> gaps_;
  ByteWriter writer_;
  unsigned left_out_ = 0;
};

template <Protocol P>
const Outcome& SideBySide<P>::run(ConfigurationsOf scenario, Reduction reduction) {
  std::vector<std::uint32_t> left(scenario.begin(), scenario.end());
  start(world_, scenario);
  for (std::size_t r = 0; r < left.size() && !is_settled(network_, world_); ++r) {
    run_round(world_, left[r]);
    if (reduction == Reduction::kNone || is_settled(network_, world_)) continue;
    reduce(world_);
    if (reduction == Reduction::kRelativeRounds && kRoundsAreAlike<P>) {
      const unsigned before = world_.network_round.number;
      gaps_.close(world_, seats_);
      left_out_ += before - world_.network_round.number;
    }
    const std::size_t renaming = sorting_renaming(world_, choices_.renamings());
    rename(world_, choices_.renamings().relabelling(renaming), seats_);
    for (std::uint32_t& configuration : left) configuration = choices_.renamings().renamed(renaming, configuration);
    sort_pending(world_);
  }
  heal(world_, outcome_);
  return outcome_;
}

template <Protocol P>
std::string SideBySide<P>::judgement_fault(const Outcome& one, const Outcome& other, std::string_view which) const {
  for (std::size_t i = 0; i < one.judgements.size(); ++i) {
    const Verdict verdict = one.judgements[i].verdict;
    if (verdict == other.judgements[i].verdict) continue;
    return std::string(one.judgements[i].property->name) + " is " + std::string(nika::name_of(verdict)) +
           " in the plain run, " + std::string(nika::name_of(other.judgements[i].verdict)) + " " + std::string(which);
  }
  return {};
}

template <Protocol P>
std::string SideBySide<P>::folding_fault(ConfigurationsOf scenario) {
  World<P>& plain = *other_;
  const auto folded = std::make_unique<World<P>>();
  start(plain, scenario);
  *folded = plain;
  for (std::size_t r = 0; r < scenario.size(); ++r) {
    if (is_settled(network_, plain)) break;
    run_round(plain, scenario[r]);
    run_round(*folded, scenario[r]);
    if (is_settled(network_, plain) && is_settled(network_, *folded)) break;
    world_ = plain;
    const bool is_folded = reduce(world_);
    reduce(*folded);
    if (is_folded && name_of(world_) != name_of(*folded))
      return "folded worlds go on to other worlds than plain ones in round " + std::to_string(r + 1);
  }
  Outcome plainly = run(scenario, Reduction::kNone);
  return judgement_fault(plainly, run(scenario, Reduction::kFoldAndRename), "through folded and renamed worlds");
}

template <Protocol P>
std::string SideBySide<P>::renaming_fault(ConfigurationsOf scenario, std::size_t renaming) {
  std::vector<std::uint32_t> renamed;
  for (const std::uint32_t c : scenario) renamed.push_back(choices_.renamings().renamed(renaming, c));
  start(world_, scenario);
  for (std::size_t r = 0; r < scenario.size(); ++r) run_round(world_, scenario[r]);
  start(*other_, renamed);
  for (std::size_t r = 0; r < renamed.size(); ++r) run_round(*other_, renamed[r]);
  rename(world_, choices_.renamings().relabelling(renaming), seats_);
  // Blocks may have been fetched in another order; folding sorts them.
  reduce(world_);
  reduce(*other_);
  if (name_of(world_) != name_of(*other_))
    return "with nodes that never lead renamed, the run does not end in the renamed world";
  const Outcome plainly = run(scenario, Reduction::kNone);
  return judgement_fault(plainly, run(renamed, Reduction::kNone), "with nodes renamed");
}

}  // namespace nika
