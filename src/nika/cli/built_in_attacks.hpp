// The attack files of attacks/, built into the program so that they are there wherever it runs.
#pragma once

#include <span>
#include <string_view>

namespace nika::cli {

struct BuiltInAttack {
  std::string_view name;  // of the file, without its extension
  std::string_view text;
};

// In the order of their names. Made by cmake/EmbedAttacks.cmake.
std::span<const BuiltInAttack> built_in_attacks();

}  // namespace nika::cli
