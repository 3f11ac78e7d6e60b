#include "nika/base/require.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace nika {

void fail_requirement(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s: internal error: %s does not hold (%s:%d)\n", program_invocation_short_name, condition, file,
               line);
  std::_Exit(4);
}

}  // namespace nika
