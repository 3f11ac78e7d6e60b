// Prints the seats of a cluster of four nodes, one of them with a twin.
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "nika/model/cluster.hpp"
#include "nika/model/verdict.hpp"

int main() {
  const auto cluster = nika::make_cluster(4, std::array<std::uint8_t, 1>{2});
  if (!cluster) {
    fmt::print(stderr, "own-protocol: {}\n", cluster.error().message);
    return nika::kExitBadInput;
  }
  for (const nika::Seat seat : cluster->seats()) {
    fmt::print("{} {}\n", nika::name_of(*cluster, seat), cluster->is_honest(seat) ? "honest" : "compromised");
  }
  return nika::kExitHolds;
}
