# Writes OUTPUT, a C++ file that holds the texts of the files ATTACKS: cmake -D ATTACKS=… -D OUTPUT=… -P this.
list(SORT ATTACKS)
list(LENGTH ATTACKS count)
set(entries "")
foreach(path ${ATTACKS})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND entries "    BuiltInAttack{\"${name}\", R\"attack(${text})attack\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made from attacks/ by cmake/EmbedAttacks.cmake.
#include <array>

#include \"nika/cli/built_in_attacks.hpp\"

namespace nika::cli {

std::span<const BuiltInAttack> built_in_attacks() {
  static constexpr std::array<BuiltInAttack, ${count}> kAttacks{
${entries}  };
  return kAttacks;
}

}  // namespace nika::cli
")
