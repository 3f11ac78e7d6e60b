// Whether this build carries sanitizers. They make everything about ten times slower and look for other things than
// wrong results, so that tests which compare many cases ask for fewer of them there.
#pragma once

namespace nika {

#ifdef NIKA_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace nika
