// Which Nika this is: what --version prints and what results that were stored are marked with.
#pragma once

#include <string_view>

namespace nika {

// "0.1.0", from the project's CMakeLists.txt.
std::string_view version();

}  // namespace nika
