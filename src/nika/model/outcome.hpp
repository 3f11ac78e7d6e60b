// How a run ended, as plain data: the verdict on a property and what shows it. What is asked about is Properties.
#pragma once

#include <cstdint>
#include <string_view>

#include "nika/base/ids.hpp"
#include "nika/base/result.hpp"
#include "nika/model/verdict.hpp"

namespace nika {

enum class Property : std::uint8_t { kAgreement, kTermination };
std::string_view name_of(Property property);

// The properties that a run is judged by.
struct Properties {
  bool agreement = true;
  bool termination = false;

  bool operator==(const Properties&) const = default;
};
// "agreement", "termination", "all".
Result<Properties> parse_properties(std::string_view text);
std::string_view name_of(Properties properties);
constexpr Properties only(Property property) {
  return {property == Property::kAgreement, property == Property::kTermination};
}

// Two honest seats that committed different values at one height.
struct Conflict {
  bool found = false;
  Height height{};
  Seat first_seat{};
  Seat second_seat{};
  ValueId first_value{};
  ValueId second_value{};
};

// The network had healed and honest nodes led, but no honest node decided anything.
struct Standstill {
  bool found = false;
  Round since{};               // the first healing round
  SeatSet undecided{};         // honest seats that had something to decide
  Seat blocked_seat{};         // with `blocked`: an honest leader that can never make a valid proposal
  std::string_view blocked{};  // why; a text of the protocol that lives as long as the program, or nothing
};

struct Outcome {
  Property property = Property::kAgreement;  // the one that is violated, if any
  Verdict verdict = Verdict::kHolds;         // kUnknown if a buffer was full or the protocol never came to rest
  Conflict conflict{};
  Standstill standstill{};
  std::uint8_t rounds = 0;  // network rounds that were run
  std::uint32_t delivered = 0;
};

}  // namespace nika
