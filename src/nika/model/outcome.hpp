// How a run ended, as plain data: for each property that was asked for a verdict, and what shows it. Judgements are
// independent: none hides another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "nika/base/bounded_vector.hpp"
#include "nika/base/ids.hpp"
#include "nika/model/verdict.hpp"

namespace nika {

struct Property;
inline constexpr std::size_t kMaxProperties = 8;  // that one run is judged by

// Why a property could not be judged: an assumption is not met, or the run does not tell. Never success.
enum class Unjudged : std::uint8_t {
  kJudged,
  kOverflow,         // a buffer was full or the protocol never came to rest
  kCutShort,         // the run ended before the property was settled
  kTooManyFaulty,    // more than f identities are compromised, down or without their memory
  kNoHealing,        // the faults of the network never end
  kHealingTooShort,  // they do, but too late for the protocol to show what it can do
  kUnfair,           // some honest node leads too seldom, or never, while the network is healed
  kNoHonestLeader,   // nobody honest leads while the network is healed
  kNoHonestSender,   // a broadcast has not one sender, who is honest
  kNoSuchThreshold,  // the protocol tolerates no f faulty nodes among so few
  kNobodyCanDecide,  // nothing was decided, and nothing had to be
  kNobodyAsks,       // where clients decide, all of them are down or without their memory
  kTellsNoProgress,  // the protocol does not tell what its replicas hold
  kNoLimit,          // how much is too much was not said
  kNoRounds,         // an asynchronous run, in which no time passes
  kNoSuchRound,      // the property is about rounds of a kind that did not occur
  kUnconfirmed,      // something suspicious happened, of which it is not proved that it lasts
  kAsynchronous,     // it lasts, but only as long as the network goes on losing messages between honest nodes
  kCooledDown,       // something suspicious happened, but it did not last
  kNotPromised,      // the protocol does not claim to have the property
  kLiarsGoOn,        // the protocol states no bound while liars go on after the network has healed
};
inline constexpr std::size_t kUnjudgedCount = static_cast<std::size_t>(Unjudged::kLiarsGoOn) + 1;
std::string_view text_of(Unjudged why);

// What a seat committed, or holds.
struct Claim {
  Seat seat{};
  ValueId value{};
};

// What shows a violation. What a property does not use stays empty.
struct Evidence {
  std::string_view kind{};  // in which way it is broken, as far as violations that look alike are told once
  std::string_view why{};   // more of it, in words of the protocol or of the property
  Round since{};
  Height height{};
  SeatSet seats{};  // whom it is about
  BoundedVector<Claim, 2> claims{};
};

struct Judgement {
  const Property* property = nullptr;
  Verdict verdict = Verdict::kHolds;
  Unjudged unjudged = Unjudged::kJudged;
  Evidence evidence{};

  static Judgement holds() { return {}; }
  static Judgement violated(const Evidence& evidence) {
    return {nullptr, Verdict::kViolated, Unjudged::kJudged, evidence};
  }
  static Judgement unknown(Unjudged why) { return {nullptr, Verdict::kUnknown, why, {}}; }
};

// What faults of protocol rounds came to: messages, counted for each receiver.
struct FaultCounts {
  std::uint16_t matched = 0;  // that a lie was about
  std::uint16_t changed = 0;  // that say something else than their sender would have said
  std::uint16_t omitted = 0;
  std::uint16_t cut = 0;  // by an outage

  bool operator==(const FaultCounts&) const = default;
};

struct Outcome {
  BoundedVector<Judgement, kMaxProperties> judgements{};  // in the order in which they were asked for
  std::uint8_t rounds = 0;                                // network rounds that were run; views of a timed run
  bool overflowed = false;
  bool has_committed = false;  // an honest seat committed something
  std::uint32_t delivered = 0;
  FaultCounts faults{};

  const Judgement* violation() const {
    const auto* found = std::ranges::find(judgements, Verdict::kViolated, &Judgement::verdict);
    return found == judgements.end() ? nullptr : found;
  }
  // Of all of them: one that is violated counts most, then one that is unknown.
  Verdict verdict() const {
    if (violation() != nullptr) return Verdict::kViolated;
    const bool all_hold =
        std::ranges::all_of(judgements, [](const Judgement& j) { return j.verdict == Verdict::kHolds; });
    return all_hold ? Verdict::kHolds : Verdict::kUnknown;
  }
  const Judgement* judgement_of(const Property& property) const {
    const auto* found = std::ranges::find(judgements, &property, &Judgement::property);
    return found == judgements.end() ? nullptr : found;
  }
};

}  // namespace nika
