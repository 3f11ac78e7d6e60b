// The three verdicts and the exit codes of the program. Unknown is never success.
#pragma once

#include <cstdint>
#include <string_view>

namespace nika {

enum class Verdict : std::uint8_t { kHolds, kViolated, kUnknown };

constexpr std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kViolated: return "violated";
    case Verdict::kUnknown: break;
  }
  return "unknown";
}

inline constexpr int kExitHolds = 0;
inline constexpr int kExitViolated = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitUnknown = 3;
inline constexpr int kExitInternal = 4;

constexpr int exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return kExitHolds;
    case Verdict::kViolated: return kExitViolated;
    case Verdict::kUnknown: break;
  }
  return kExitUnknown;
}

}  // namespace nika
