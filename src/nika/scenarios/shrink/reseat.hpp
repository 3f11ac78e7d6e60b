// Moves a scenario to another cluster: seats and identities get other names, or are gone. All that
// names them follows, and everything else stays as it is. Never changes what the remaining seats do to each other.
#pragma once

#include <array>
#include <optional>

#include "nika/model/scenario.hpp"

namespace nika::shrink {

struct Reseating {
  std::array<std::optional<Seat>, kMaxSeats> seat{};  // where each seat goes; nothing if it is gone
  std::array<std::optional<Identity>, kMaxSeats> identity{};
  std::vector<std::uint8_t> copies;  // of the new cluster
  std::uint8_t node_count = 0;
  std::uint8_t fault_count = 0;
};

// Everybody stays.
Reseating unmoved(const Scenario& scenario);

// Rules, crashes and steps of which nobody is left are gone, and a round whose leaders are gone is led by those before,
// or by A. The orders fifo and reversed stay what they are, whatever the seats are called.
Scenario reseated(const Scenario& scenario, const Reseating& reseating);

// The cluster of a scenario that is known to have one.
Cluster sound_cluster_of(const Scenario& scenario);

}  // namespace nika::shrink
