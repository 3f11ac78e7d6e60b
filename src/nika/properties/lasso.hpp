// A lasso within one run: the partial state (partial_trail.hpp) comes back, and every state since was hot, as in
// Algorithm 2 of "Liveness Checking of the HotStuff Protocol Family". Partial states leave most of the world out, so it
// is a candidate and no violation: judged unknown, until somebody who can run it again proves a loop.
#pragma once

#include <array>

#include "nika/model/property.hpp"

namespace nika {

struct LassoMonitor {
  static constexpr bool kOnlyByName = true;
  static constexpr std::size_t kStates = 16;  // that are remembered; of more hot ones in a row, the last

  std::array<std::uint32_t, kStates> hot{};  // digests of the hot states in a row, the newest in front
  std::uint8_t count = 0;
  Round last{};       // round or view that was looked at
  Round closed_in{};  // when one of them came back; 0 if none has
  std::uint8_t unused = 0;

  void passed(const Sight& sight);
  bool is_settled(const Sight&) const { return closed_in != Round(0); }
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kLasso =
    property_of<LassoMonitor>("lasso", "no run comes back to a hot partial state (counts candidates, never violated)");
inline constexpr Property kConfirmedLasso =
    property_of<LassoMonitor>("confirmed-lasso", "no lasso of a run is proved to stay hot for ever");

}  // namespace nika
