// The schedule of one fault configuration: that with a number, as it is drawn, or one that somebody else has made.
#pragma once

#include "nika/model/byte_writer.hpp"
#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/byzzfuzz/known_runs.hpp"

namespace nika::byzzfuzz {

class FuzzSchedule final : public IndexedSchedule {
 public:
  // The generator outlives it.
  explicit FuzzSchedule(const FuzzGenerator& generator);

  void seek(Wide index) override;
  const Outcome* known() override { return known_.outcome(); }
  void learn(const Outcome& outcome) override { known_.learn(outcome); }
  Shared shared() const override { return {0, 0, &faults_, leaders_name_}; }
  // Runs have nothing in common, so that no world need be kept.
  void arrange(std::span<Numbered> schedules) const override;

  // From now on it answers like this; who watches is told what liars send.
  void play(const Draw& draw, LieWatch& watch);
  // The network round that it was asked for last.
  Round now() const { return now_; }

 private:
  void choose(Round round, RoundAnswers& answers) override;
  void heal(Round round, RoundAnswers& answers) override;
  void set_leaders();
  void set_faults(LieWatch& watch);
  Fingerprint name_of_faults();

  const FuzzGenerator& generator_;
  const Links links_;
  Draw draw_;
  Faults faults_;
  Round now_{};
  std::uint64_t leaders_name_ = 0;
  ByteWriter writer_;
  KnownRuns known_;
};

}  // namespace nika::byzzfuzz
