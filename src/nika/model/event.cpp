#include "nika/model/event.hpp"

#include <array>

namespace nika {

std::string_view name_of(EventKind kind) {
  static constexpr std::array<std::string_view, 17> kNames{"network-round",
                                                           "entered-round",
                                                           "proposed",
                                                           "voted",
                                                           "certified",
                                                           "timed-out",
                                                           "timeout-certified",
                                                           "committed",
                                                           "duplicate-vote",
                                                           "equivocating-vote",
                                                           "asked-for-block",
                                                           "fetched-block",
                                                           "crashed",
                                                           "recovered",
                                                           "delivered",
                                                           "lost",
                                                           "tick"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace nika
