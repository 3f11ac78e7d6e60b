#include "nika/model/event.hpp"

#include <array>

namespace nika {
namespace {

constexpr std::array<std::string_view, 23> kNames{"network-round",
                                                  "tick",
                                                  "step",
                                                  "sent",
                                                  "delivered",
                                                  "lost",
                                                  "late",
                                                  "repeated",
                                                  "changed",
                                                  "expired",
                                                  "crashed",
                                                  "recovered",
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
                                                  "fetched-block"};

}  // namespace

std::string_view name_of(EventKind kind, std::span<const std::string_view> own) {
  const auto number = static_cast<unsigned>(kind);
  if (number < kNames.size()) return kNames[number];
  const unsigned first = static_cast<unsigned>(EventKind::kFirstOwn);
  return number >= first && number - first < own.size() ? own[number - first] : "?";
}

}  // namespace nika
