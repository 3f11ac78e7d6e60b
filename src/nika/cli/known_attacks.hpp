// The attacks that the program knows, read from the files that are built in.
#pragma once

#include <string>
#include <vector>

#include "nika/campaign/registry.hpp"
#include "nika/store/attack.hpp"

namespace nika::cli {

using Attacks = std::vector<store::Attack>;

// Those on the protocols of the registry, in the order of their names.
Result<Attacks> all_attacks(const Registry& registry);
// A built-in attack by its name, or the attack of a file by its path.
Result<Attacks> attack_named(const Registry& registry, const std::string& name);

}  // namespace nika::cli
