// Runs in which no lie has anything to act on are the same whatever the lies are: with the same leaders and outages
// they come to the same outcome. It keeps these, with what liars sent in them, in a bounded table.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nika/base/fingerprint.hpp"
#include "nika/model/outcome.hpp"
#include "nika/model/schedule.hpp"

namespace nika::byzzfuzz {

class KnownRuns final : public LieWatch {
 public:
  // It is of no use for very late faults and for protocols with very many kinds of messages.
  KnownRuns(unsigned last_round, std::size_t kinds);

  // A run with these leaders and outages (by name) and lies begins.
  void begin(const Fingerprint& name, std::span<const Lie> lies);
  // Its outcome, if none of its lies will have anything to act on; else null, or if that is not known.
  const Outcome* outcome() const;
  // It was run and has ended. What is not of use is not kept.
  void learn(const Outcome& outcome);

  void sends(unsigned protocol_round, Seat from, unsigned kind, SeatSet to) override;
  unsigned watches_until() const override { return is_touched_ ? 0 : last_round_; }

 private:
  static constexpr unsigned kMostRounds = 32;
  static constexpr std::size_t kMostKinds = 12;
  static constexpr std::size_t kPlaces = 1U << 13U;
  using Sent = std::array<std::array<SeatSet, kMostKinds>,
                          kMostRounds>;  // to whom, by round and kind
  struct Known {
    Fingerprint name{};
    Sent sent{};
    Outcome outcome{};
  };

  const Known* find() const;

  const unsigned last_round_;
  const bool is_of_use_;
  bool is_touched_ = false;  // some lie had something to act on
  Fingerprint name_{};
  std::span<const Lie> lies_{};
  Sent sent_{};
  std::vector<Known> known_;  // by either half of the name; where both places are taken a later one takes one
};

}  // namespace nika::byzzfuzz
