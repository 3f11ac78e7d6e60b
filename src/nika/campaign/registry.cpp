#include "nika/campaign/registry.hpp"

#include <fmt/format.h>

namespace nika {

Result<const Runner*> Registry::find(std::string_view name) const {
  std::string known;
  for (const auto& runner : runners_) {
    if (runner->name() == name) return runner.get();
    known += (known.empty() ? "" : ", ") + std::string(runner->name());
  }
  return bad_input(fmt::format("there is no protocol \"{}\"; there are: {}", name, known));
}

}  // namespace nika
