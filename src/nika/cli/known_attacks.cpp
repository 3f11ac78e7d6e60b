#include "nika/cli/known_attacks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/campaign/findings.hpp"
#include "nika/cli/built_in_attacks.hpp"

namespace nika::cli {
namespace {

// A program with other protocols has only the attacks on those.
bool is_known(const Registry& registry, const BuiltInAttack& built_in) {
  JsonReading reading(built_in.name, built_in.text);
  const LocatedJson root = reading.parse();
  const auto scenario = std::ranges::find(root.items, "scenario", &LocatedJson::name);
  if (scenario == root.items.end()) return true;
  const auto protocol = std::ranges::find(scenario->items, "protocol", &LocatedJson::name);
  return protocol == scenario->items.end() || registry.find(protocol->text).has_value();
}

}  // namespace

Result<Attacks> all_attacks(const Registry& registry) {
  Attacks attacks;
  for (const BuiltInAttack& built_in : built_in_attacks()) {
    if (!is_known(registry, built_in)) continue;
    const std::string file = "attacks/" + std::string(built_in.name) + ".json";
    auto attack = store::attack_from_json(built_in.text, file, words_in(registry));
    if (!attack) return tl::unexpected(attack.error());
    attacks.push_back(*std::move(attack));
  }
  return attacks;
}

Result<Attacks> attack_named(const Registry& registry, const std::string& name) {
  if (name.find('/') != name.npos || name.ends_with(".json")) {
    const auto text = read_text_file(name);
    if (!text) return tl::unexpected(text.error());
    auto attack = store::attack_from_json(*text, name, words_in(registry));
    if (!attack) return tl::unexpected(attack.error());
    return Attacks{*std::move(attack)};
  }
  auto attacks = all_attacks(registry);
  if (!attacks) return attacks;
  std::string known;
  for (store::Attack& attack : *attacks) {
    if (attack.name == name) return Attacks{std::move(attack)};
    known += (known.empty() ? "" : ", ") + attack.name;
  }
  return bad_input(fmt::format("there is no attack \"{}\"; there are: {}", name, known.empty() ? "none" : known));
}

}  // namespace nika::cli
