#include "nika/campaign/registry.hpp"

#include <fmt/format.h>

namespace nika {

// Whoever of two comes first, each is told that the other repairs it.
Registry& Registry::add(std::unique_ptr<Runner> runner) {
  runners_.push_back(std::move(runner));
  Runner& added = *runners_.back();
  for (const auto& other : runners_) {
    if (other->repaired_by() == added.name()) other->repaired_ = &added;
    if (added.repaired_by() == other->name()) added.repaired_ = other.get();
  }
  return *this;
}

Result<const Runner*> Registry::find(std::string_view name) const {
  std::string known;
  for (const auto& runner : runners_) {
    if (runner->name() == name) return runner.get();
    known += (known.empty() ? "" : ", ") + std::string(runner->name());
  }
  return bad_input(fmt::format("there is no protocol \"{}\"; there are: {}", name, known));
}

}  // namespace nika
