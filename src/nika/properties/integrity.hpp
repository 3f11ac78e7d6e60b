// Integrity: no honest seat decides twice: never two values at one height, nor, unless leaders propose a value again
// and again, one value at two heights. It looks at the last 32 heights of each seat, and at those of its commits that
// were the first ones of their height or equal to them: who differs from the others breaks agreement.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct IntegrityMonitor {
  static constexpr bool kOnlyByName = true;

  struct Own {
    std::uint32_t recent = 0;  // bit i: the seat has committed what stands at height top - i
    std::uint16_t top = 0;
    std::uint16_t unused = 0;
  };
  struct Break {
    Height height{};
    Height other{};  // the same one, if there are two values
    ValueId value{};
    Seat seat{};
    std::uint8_t is_found = 0;
    std::uint16_t unused = 0;
  };
  std::array<Own, kMaxSeats> seats{};
  Break broken{};

  void committed(const Sight& sight, Seat by, Commit commit);
  bool is_settled(const Sight&) const { return broken.is_found != 0; }
  Judgement judge(const Sight& sight) const;

 private:
  bool has(const Own& own, unsigned height) const;
};

inline constexpr Property kIntegrity =
    property_of<IntegrityMonitor>("integrity", "no honest node commits two values at one height, or one value at two");

}  // namespace nika
