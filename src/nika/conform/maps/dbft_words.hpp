// What the maps of DBFT have in common: its messages, as the models of two rounds count them.
#pragma once

#include "nika/conform/replay.hpp"
#include "nika/model/event.hpp"
#include "nika/protocols/binary/bits.hpp"

namespace nika::conform {

inline constexpr std::uint8_t kEst = 0;
inline constexpr std::uint8_t kAux = 2;

// Which two rounds a message is about: 0 is rounds 1 and 2. Nothing of what the models do not count.
inline std::optional<unsigned> rounds_of(const Event& message) {
  if (message.message_kind != kEst && message.message_kind != kAux) return std::nullopt;
  return (message.round.number - 1U) / 2U;
}
// 0 and 1 in the first of two rounds, then in the second.
inline unsigned counter_of(const Event& message) {
  return (message.round.number % 2 == 0 ? 2U : 0U) + (message.value == binary::subject_of(true) ? 1U : 0U);
}

inline std::vector<Said> dbft_sayings(const std::array<std::uint32_t, 4>& broadcasts,
                                      const std::array<std::uint32_t, 4>& echoes) {
  std::vector<Said> sayings;
  for (std::uint16_t round = 1; round <= 2; ++round) {
    for (std::uint16_t value = 0; value <= 1; ++value) {
      const std::size_t counter = 2U * (round - 1U) + value;
      sayings.push_back({{kEst, {round, value}}, broadcasts[counter]});
      sayings.push_back({{kAux, {round, value}}, echoes[counter]});
    }
  }
  return sayings;
}

// Rounds that do not end are told by what they are there for.
inline std::optional<Aim> dbft_aim_of(std::string_view property) {
  if (property.starts_with("validity")) return Aim{"justification"};
  if (property.starts_with("agreement")) return Aim{"agreement"};
  if (property.ends_with("termination") || property == "second_fault") return Aim{"termination", true};
  return std::nullopt;
}

}  // namespace nika::conform
