#include "nika/base/version.hpp"

namespace nika {

std::string_view version() { return NIKA_VERSION; }

}  // namespace nika
