#include "nika/base/require.hpp"

#include <cstdio>
#include <cstdlib>

namespace nika {

void fail_requirement(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "nika: internal error: %s does not hold (%s:%d)\n", condition, file, line);
  std::_Exit(4);
}

}  // namespace nika
