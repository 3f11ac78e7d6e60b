// The verdicts on a run and on a campaign, and the exit codes of the program. Unknown is never success.
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

// What a campaign shows: that a property holds is said only of a whole space, all of which was judged.
enum class Conclusion : std::uint8_t { kHolds, kNoneFound, kViolated, kUnknown };

constexpr std::string_view name_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::kHolds: return "holds";
    case Conclusion::kNoneFound: return "none_found";
    case Conclusion::kViolated: return "violated";
    case Conclusion::kUnknown: break;
  }
  return "unknown";
}

inline constexpr int kExitHolds = 0;  // or none found
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

constexpr int exit_code_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::kHolds:
    case Conclusion::kNoneFound: return kExitHolds;
    case Conclusion::kViolated: return kExitViolated;
    case Conclusion::kUnknown: break;
  }
  return kExitUnknown;
}

}  // namespace nika
