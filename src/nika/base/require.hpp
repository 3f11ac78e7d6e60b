// Assertions that stay on in release builds: a programmer's error stops the program with the place and the reason.
// Never used for bad input (that is a Result) nor for a protocol's misbehaviour (that is a Verdict).
#pragma once

namespace nika {

[[noreturn]] void fail_requirement(const char* condition, const char* file, int line);

}  // namespace nika

#define NIKA_REQUIRE(condition) \
  (static_cast<bool>(condition) ? void(0) : ::nika::fail_requirement(#condition, __FILE__, __LINE__))
