// What somebody may have meant who typed a name that does not exist: the nearest of the names that do, if any is near.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nika::cli {

// Nearest by the number of characters added, removed or changed, the first of equals; empty if more than a third of the
// longer name would change.
std::string nearest_name(std::string_view given, const std::vector<std::string>& names);

}  // namespace nika::cli
